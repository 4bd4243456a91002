// The tests of the schema compiler. With --update they write the expected files instead of comparing them:
// review the changes before you commit them.
#include <string_view>

#include <gtest/gtest.h>

#include "tests/codegen/update.h"

namespace snapgen::codegen {
bool updating = false;
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--update") snapgen::codegen::updating = true;
  return RUN_ALL_TESTS();
}
