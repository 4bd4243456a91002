#pragma once
// Parsers that turn program output into counts and findings. They accept any bytes and never fail;
// `understood` tells whether the format was recognized.
#include <string_view>

#include "tools/insight/check/command.h"
#include "tools/insight/check/places.h"
#include "tools/insight/check/report.h"

namespace snapgen::core {

struct Parsed {
  bool understood = true;   // True if the bytes seem to have the format.
  std::int64_t errors = 0;  // The number of errors, without failed tests.
  std::int64_t warnings = 0;
  TestCounts tests;
  std::int64_t unloaded = 0;  // Number of test modules that could not be loaded; each is also an error.
  std::vector<CheckFinding> findings;  // The first findings_kept_max findings, in output order.
};

Parsed parse(OutputFormat format, std::string_view bytes, const Places& places);

// Each of these parses one format; parse() calls the one for the format.
Parsed parse_text(std::string_view bytes, const Places& places);
// Does as parse_text(), but reads only the lines about tests.
Parsed parse_test_text(std::string_view bytes, const Places& places);
Parsed parse_tsc(std::string_view bytes, const Places& places);
Parsed parse_eslint(std::string_view bytes, const Places& places);
Parsed parse_biome(std::string_view bytes, const Places& places);
Parsed parse_ruff(std::string_view bytes, const Places& places);
Parsed parse_mypy(std::string_view bytes, const Places& places);
Parsed parse_cargo(std::string_view bytes, const Places& places, bool only_clippy);
Parsed parse_go(std::string_view bytes, const Places& places);
Parsed parse_go_test(std::string_view bytes, const Places& places);
Parsed parse_gcc_json(std::string_view bytes, const Places& places);
Parsed parse_junit(std::string_view bytes, const Places& places);
Parsed parse_tap(std::string_view bytes, const Places& places);
Parsed parse_jest(std::string_view bytes, const Places& places);

}  // namespace snapgen::core
