#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "schemas/lines.h"
#include "tools/cli/commands.h"

namespace snapgen::tools {
namespace {

struct DecodeOptions {
  std::string line;      // The line; if it is empty, standard input is read.
  bool compact = false;  // The line has no labels before its fields. By default both forms are tried.
};

// Reports an invalid line. It is not a usage error, because the user did not write the line.
int no_line(const Invocation& invocation, std::string why) {
  print_error(invocation, Error(ErrorCode::invalid_argument, std::move(why)));
  return exit_failed_or_found;
}

Result<int> decode(const Invocation& invocation, const DecodeOptions& options) {
  std::string text = options.line;
  if (text.empty()) text.assign(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  if (!json::valid_utf8(text)) return no_line(invocation, "The input is not valid UTF-8.");
  Result<lines::Line> line = lines::decode(text, linefmt::Mode::labeled);
  const std::string fault = line ? "" : line.error().message;
  if (options.compact || !line) line = lines::decode(text, linefmt::Mode::compact);
  // The error of the form with labels is more useful, unless the compact form was requested.
  if (!line) return no_line(invocation, options.compact ? line.error().message : fault);
  const std::vector<std::pair<std::string, std::string>> fields = lines::fields(*line);
  std::string json;
  std::string shown;
  for (const auto& [name, value] : fields) {
    json += (json.empty() ? "[[" : ",[") + json::quoted(name) + "," + json::quoted(value) + "]";
    shown += name + ": " + invocation.out.sanitized(value) + "\n";
  }
  return print_answer(invocation, json + "]", shown);
}

}  // namespace

void add_wire_command(CLI::App& program, Invocation& invocation) {
  CLI::App& wire = add_group(program, "wire", "Decode the lines with which the snap tools answer.");
  auto options = std::make_shared<DecodeOptions>();
  CLI::App& command =
      add_command(wire, invocation,
                  {.name = "decode",
                   .description = "Decode a line, field by field. With --json: [[name, value], ...].",
                   .examples = {{"snap wire decode '🧢|L|status:OK|id:L1|type:pitfall'", ""},
                                {"snap wire decode --json < answer.txt", "an answer, or its first line"}},
                   .exit_codes = "0 done; 1 it is not a line; 2 the command line is wrong.",
                   .takes_workspace = false},
                  [options](const Invocation& parsed) { return decode(parsed, *options); });
  command.add_option("LINE", options->line, "An answer, or its first line. Default: standard input.");
  command.add_flag("--compact", options->compact, "The fields have no labels. Default: try both.");
}

}  // namespace snapgen::tools
