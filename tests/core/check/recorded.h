#pragma once
// What programs once said, in the folder recorded/, with /home/user/shop as their workspace.
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tools/core/check/parse.h"

namespace snapgen::core {

inline const Places shop{.root = "/home/user/shop", .from = "", .module = "example.com/shop"};

inline std::string recorded(std::string_view name) {
  std::ifstream file(std::string(RECORDED_FOLDER) + "/" + std::string(name), std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// "2 errors, 1 warning; 1 passed, 1 failed, 0 skipped" and a line for each finding, as a user would say it.
inline std::string told(const Parsed& parsed) {
  std::ostringstream text;
  if (!parsed.understood) text << "not understood\n";
  text << parsed.errors << " errors, " << parsed.warnings << " warnings; " << parsed.tests.passed
       << " passed, " << parsed.tests.failed << " failed, " << parsed.tests.skipped << " skipped\n";
  for (const CheckFinding& each : parsed.findings)
    text << (each.is_error ? "E " : "W ") << each.path << ":" << each.line << ":" << each.column << " ["
         << each.code << "] " << each.message << "\n";
  return text.str();
}

inline std::string told(OutputFormat format, std::string_view name) {
  return told(parse(format, recorded(name), shop));
}

}  // namespace snapgen::core
