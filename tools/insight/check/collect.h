#pragma once
// What the parsers of programs' outputs share: places in their lines, and a collector of findings.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/base/plain_text.h"
#include "tools/insight/check/parse.h"

namespace snapgen::core {

// Valid UTF-8, without terminal escapes and carriage returns. What is invalid becomes `?`.
std::string cleaned(std::string_view bytes);

// The number that `text` begins with, taken off; none if there is none, or it is beyond 10^9.
std::optional<std::int64_t> take_number(std::string_view& text);

// A place as it is printed, with what follows it.
struct Located {
  std::string_view path;
  std::int64_t line = 0;
  std::int64_t column = 0;
  std::string_view rest;
};
// path:line: or path:line:column: at the beginning of a line.
std::optional<Located> located(std::string_view line);
// The first place in a trace, of whatever language, that lies in the workspace but in no package of others.
std::optional<Located> first_place(std::string_view trace, const Places& places);

class Collector {
 public:
  Collector(const Places& places, Parsed& out) : places_(places), out_(out) {}

  void diagnostic(bool is_error, const Located& at, std::string_view code, std::string_view message);
  void failed_test(const Located& at, std::string_view name, std::string_view message);

 private:
  void keep(bool is_error, const Located& at, std::string_view code, std::string_view message);

  const Places& places_;
  Parsed& out_;
};

}  // namespace snapgen::core
