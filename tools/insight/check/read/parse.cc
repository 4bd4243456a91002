#include "tools/insight/check/read/parse.h"

namespace snapgen::core {

ParsedOutput parse_output(OutputFormat format, std::string_view bytes, const OutputPathResolver& places) {
  switch (format) {
    case OutputFormat::text: return parse_text(bytes, places);
    case OutputFormat::exit: return {};
    case OutputFormat::tsc: return parse_tsc(bytes, places);
    case OutputFormat::eslint: return parse_eslint(bytes, places);
    case OutputFormat::biome: return parse_biome(bytes, places);
    case OutputFormat::ruff: return parse_ruff(bytes, places);
    case OutputFormat::mypy: return parse_mypy(bytes, places);
    case OutputFormat::cargo: return parse_cargo(bytes, places, false);
    case OutputFormat::clippy: return parse_cargo(bytes, places, true);
    case OutputFormat::go: return parse_go(bytes, places);
    case OutputFormat::go_test: return parse_go_test(bytes, places);
    case OutputFormat::gcc_json: return parse_gcc_json(bytes, places);
    case OutputFormat::junit: return parse_junit(bytes, places);
    case OutputFormat::tap: return parse_tap(bytes, places);
    case OutputFormat::jest: return parse_jest(bytes, places);
  }
  return {};
}

}  // namespace snapgen::core
