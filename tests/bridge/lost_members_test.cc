#include "tools/bridge/lost_members.h"

#include <gtest/gtest.h>

namespace snapgen::tools::bridge {
namespace {

using Pointers = std::vector<std::string>;

TEST(LostMembers, AreFoundAtAnyDepth) {
  EXPECT_EQ(lost_members(R"({"a":[{"b":1},{"b":2,"c/d":3}],"e":{}})", R"({"a":[{"b":1},{"b":2}]})"),
            Pointers({"/a/1/c~1d", "/e"}));
  EXPECT_EQ(lost_members(R"({"b":1,"a":{"d":[],"c":2}})", R"({"a":{"c":2,"d":[]},"b":1,"more":0})"),
            Pointers());
}

TEST(LostMembers, AMemberThatIsNullIsNotLost) {
  EXPECT_EQ(lost_members(R"({"a":null,"b":1})", "{}"), Pointers({"/b"}));
}

TEST(LostMembers, AreAtMostTen) {
  std::string sent = "{";
  for (int i = 0; i != 1000; ++i) sent += "\"m" + std::to_string(i) + "\":1,";
  sent.back() = '}';
  EXPECT_EQ(lost_members(sent, "{}").size(), 10U);
}

}  // namespace
}  // namespace snapgen::tools::bridge
