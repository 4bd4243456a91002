#pragma once
// Parsers that turn program output into counts and findings. They accept any bytes and never fail;
// `understood` tells whether the format was recognized.
#include <string_view>

#include "tools/insight/check/command.h"
#include "tools/insight/check/places.h"
#include "tools/insight/check/report.h"

namespace snapgen::core {

struct Parsed {
  bool understood = true;   // Whether the bytes have the format, as far as it can be recognized.
  std::int64_t errors = 0;  // Excludes failed tests.
  std::int64_t warnings = 0;
  TestCounts tests;
  std::int64_t unloaded = 0;           // Test modules that could not be loaded; each is an error.
  std::vector<CheckFinding> findings;  // The first findings_kept_max, in output order.
};

Parsed parse(OutputFormat format, std::string_view bytes, const Places& places);

// One parser per format; parse() selects.
Parsed parse_text(std::string_view bytes, const Places& places);
// As parse_text(), but only the lines about tests.
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
