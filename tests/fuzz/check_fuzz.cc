// Any bytes as the output of a program, in every format (the first byte selects it). The parsers must not
// crash, findings must be one line of UTF-8, counts must include at least the stored findings, and paths must
// not lead out of the root.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/json/reader.h"
#include "tests/fuzz/target.h"
#include "tools/insight/check/read/parse.h"

FUZZ_TARGET(check) {
  using namespace snapgen::core;
  if (size == 0) return 0;
  constexpr unsigned formats = static_cast<unsigned>(OutputFormat::jest) + 1;
  const auto format = static_cast<OutputFormat>((data[0] - 'a') % formats);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const OutputPathResolver places{
      .root = "/home/user/shop", .base_folder = "web", .module = "example.com/shop"};
  const ParsedOutput parsed = parse_output(format, bytes, places);
  FUZZ_EXPECT(parsed.error_count >= 0 && parsed.warning_count >= 0);
  FUZZ_EXPECT(parsed.tests.passed >= 0 && parsed.tests.failed >= 0 && parsed.tests.skipped >= 0);
  FUZZ_EXPECT(parsed.findings.size() <= stored_findings_max);
  for (const CheckFinding& each : parsed.findings) {
    FUZZ_EXPECT(each.line >= 0 && each.column >= 0);
    for (const std::string* text : {&each.code, &each.message}) {
      FUZZ_EXPECT(snapgen::json::valid_utf8(*text));
      FUZZ_EXPECT(text->find_first_of("\n\r") == std::string::npos);
    }
  }
  return 0;
}
