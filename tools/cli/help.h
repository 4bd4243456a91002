#pragma once
// HelpFormatter: formats the output of --help.
#include <string>

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>

namespace snapgen::tools {

struct CommandText;

// Returns the end of a command's help: examples and exit codes. It is also the value of App::get_footer().
std::string footer_of(const CommandText& text);

// Formats help in lines of at most `width` columns.
class HelpFormatter final : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t width) : width_(width) {}
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

 private:
  std::size_t width_;
};

// Returns the first sentence of a description, without its full stop.
std::string first_sentence(const std::string& description);

}  // namespace snapgen::tools
