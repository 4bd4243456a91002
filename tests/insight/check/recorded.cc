#include "tests/insight/check/recorded.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace snapgen::core {

std::string recorded(std::string_view name) {
  std::ifstream file(std::string(RECORDED_FOLDER) + "/" + std::string(name), std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string parsed_text(const ParsedOutput& parsed) {
  std::ostringstream text;
  if (!parsed.is_understood) text << "not understood\n";
  text << parsed.error_count << " errors, " << parsed.warning_count << " warnings; " << parsed.tests.passed
       << " passed, " << parsed.tests.failed << " failed, " << parsed.tests.skipped << " skipped";
  if (parsed.tests.todo > 0) text << ", " << parsed.tests.todo << " todo";
  text << "\n";
  for (const CheckFinding& each : parsed.findings)
    text << (each.is_error ? "E " : "W ") << each.path << ":" << each.line << ":" << each.column << " ["
         << each.code << "] " << each.message << "\n";
  return text.str();
}

}  // namespace snapgen::core
