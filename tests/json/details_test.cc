#include "runtime/json/details.h"

#include <gtest/gtest.h>

namespace snapgen {
namespace {

TEST(ErrorDetails, AreAnObjectInTheOrderOfTheirMembers) {
  ErrorDetails details;
  details.add("path", "a \"b\"").add_number("line", -3).add_json("places", "[1,2]");
  EXPECT_EQ(json::object_text(details), R"({"path":"a \"b\"","line":-3,"places":[1,2]})");
  EXPECT_EQ(json::object_text(ErrorDetails()), "");
}

TEST(ErrorDetails, TellTextsFromJson) {
  ErrorDetails details;
  details.add("text", "[1]").add_json("json", "[1]").add_number("number", 7);
  EXPECT_EQ(details.text("text"), "[1]");
  EXPECT_EQ(details.json("text"), "");
  EXPECT_EQ(details.text("json"), "");
  EXPECT_EQ(details.json("json"), "[1]");
  EXPECT_EQ(details.number("number"), 7);
  EXPECT_FALSE(details.number("json"));
  EXPECT_FALSE(details.number("missing"));
}

TEST(ErrorDetails, TakesTheMembersOfOthers) {
  ErrorDetails details = hint_details("Call again.");
  EXPECT_EQ(json::object_text(details.add_all(ErrorDetails().add_number("retry_after_ms", 5))),
            R"({"hint":"Call again.","retry_after_ms":5})");
}

}  // namespace
}  // namespace snapgen
