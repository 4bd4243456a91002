#include "runtime/base/enum_cast.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace snapgen {
namespace {

enum class Mood : std::uint8_t { calm, happy };

struct Schema {
  enum class Mood : std::uint8_t { calm, happy, sad };
};

TEST(EnumCast, KeepsTheName) {
  EXPECT_EQ(enum_cast<Schema::Mood>(Mood::calm), Schema::Mood::calm);
  EXPECT_EQ(enum_cast<Schema::Mood>(Mood::happy), Schema::Mood::happy);
}

TEST(EnumCast, ReadsTheNamesOfEnumerators) {
  EXPECT_EQ(enumerator_name<Mood::happy>(), "happy");
  EXPECT_EQ(enumerator_name<Schema::Mood::sad>(), "sad");
  EXPECT_EQ(enumerator_name<static_cast<Mood>(5)>(), "") << "no enumerator has this value";
}

}  // namespace
}  // namespace snapgen
