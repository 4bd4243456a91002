// The tests of the schema compiler. With --update the expected files are written instead of compared: look at
// what changed before you commit it.
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
