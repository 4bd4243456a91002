// Alternatives: how a value selects one, and types that contain themselves.
#include <gtest/gtest.h>

#include "tests/codegen/golden/tools/list_entries.h"
#include "tests/codegen/golden/types/envelope.h"
#include "tests/codegen/golden/types/nested_tags.h"
#include "tests/codegen/golden/types/presence.h"
#include "tests/codegen/golden/types/recursive.h"
#include "tests/codegen/golden/types/tagged.h"
#include "tests/codegen/golden/types/untagged.h"
#include "tests/codegen/reading.h"

namespace golden {
namespace {

using snapgen::json::to_json;

TEST(Union, ATagSelectsTheAlternativeAtAnyPosition) {
  Tagged value;
  EXPECT_EQ(faults_of(R"({"radius":1.5,"kind":"circle"})", value), Faults());
  EXPECT_EQ(std::get<Circle>(value.value), (Circle{.radius = 1.5}));
  EXPECT_EQ(faults_of(R"({"kind":"box","side":2})", value), Faults());
  EXPECT_EQ(std::get<Square>(value.value), (Square{.kind = SquareKind::box, .side = 2}));
  EXPECT_EQ(
      faults_of(R"({"kind":"group","shapes":[{"kind":"circle","radius":1},{"kind":"group","shapes":[]}]})",
                value),
      Faults());
  EXPECT_EQ(to_json(value),
            R"({"kind":"group","shapes":[{"kind":"circle","radius":1},{"kind":"group","shapes":[]}]})");
}

TEST(Union, OnlyTheSelectedAlternativeReportsViolations) {
  Tagged value;
  EXPECT_EQ(faults_of(R"({"kind":"circle","side":2})", value),
            Faults({" required", "/side additionalProperties"}));
  EXPECT_EQ(
      faults_of(R"({"kind":"group","shapes":[{"kind":"circle","radius":0},{"kind":"ring"},{"radius":1},7]})",
                value),
      Faults({"/shapes/0/radius exclusiveMinimum", "/shapes/1 oneOf", "/shapes/2 oneOf", "/shapes/3 type"}));
  EXPECT_EQ(sentences_of<Tagged>(R"({"kind":"ring"})"),
            Faults({R"(kind must be "circle", "square", "box" or "group", found "ring")"}));
  EXPECT_EQ(sentences_of<Tagged>(R"({})"),
            Faults({R"(kind must be "circle", "square", "box" or "group", and is missing)"}));
}

TEST(Union, ATagNeedNotBeAString) {
  Envelope value;
  EXPECT_EQ(faults_of(R"({"ok":true,"value":[1],"id":4})", value, &read_envelope), Faults());
  EXPECT_EQ(to_json(value), R"({"id":4,"ok":true,"value":[1]})");
  EXPECT_EQ(faults_of(R"({"ok":false,"reason":"r","id":4})", value, &read_envelope), Faults());
  EXPECT_EQ(value, (Envelope(EnvelopeFalse{.id = 4, .reason = "r"})));
  EXPECT_EQ(faults_of(R"({"ok":false,"value":1,"id":4})", value, &read_envelope),
            Faults({" required", "/value additionalProperties"}));
  EXPECT_EQ(faults_of(R"({"ok":1})", value, &read_envelope), Faults({" oneOf"}));
}

TEST(Union, TypesSelectTheAlternative) {
  Untagged value;
  EXPECT_EQ(
      faults_of(R"({"id":7,"paths":"a","value":true,"ids":["a",1],"by_name":{"a":true,"b":0.5}})", value),
      Faults());
  EXPECT_EQ(std::get<std::int64_t>(value.id), 7);
  EXPECT_EQ(to_json(value),
            R"({"by_name":{"a":true,"b":0.5},"id":7,"ids":["a",1],"paths":"a","value":true})");
  EXPECT_EQ(faults_of(R"({"id":"x","paths":["a","b"],"value":{"x":1}})", value), Faults());
  EXPECT_EQ(to_json(value), R"({"id":"x","paths":["a","b"],"value":{"x":1}})");
  EXPECT_EQ(faults_of(R"({"id":"","paths":["abcdefghi","b","c"],"value":-1})", value),
            Faults({"/id minLength", "/paths maxItems", "/paths/0 maxLength", "/value minimum"}));
  EXPECT_EQ(faults_of(R"({"id":1.5,"paths":1,"value":"maybe","ids":[null]})", value),
            Faults({"/id type", "/paths type", "/value enum", "/ids/0 type"}));
  EXPECT_EQ(faults_of(R"({"id":-1,"value":null})", value), Faults({"/id minimum", "/value type"}));
}

TEST(Union, AUniqueMemberSelectsTheAlternative) {
  Presence value;
  EXPECT_EQ(faults_of(R"({"error":"e"})", value, &read_presence), Faults());
  EXPECT_EQ(value, Presence(PresenceError{.error = "e"}));
  EXPECT_EQ(faults_of(R"({"hint":"a","value":1})", value, &read_presence), Faults());
  EXPECT_EQ(faults_of(R"({"hint":"b"})", value, &read_presence), Faults());
  EXPECT_TRUE(std::holds_alternative<PresenceOfB>(value));
  EXPECT_EQ(faults_of(R"("text")", value, &read_presence), Faults());
  EXPECT_EQ(to_json(value), R"("text")");
  EXPECT_EQ(faults_of(R"({"hint":"a","error":"e"})", value, &read_presence),
            Faults({" required", "/error additionalProperties"}));
  EXPECT_EQ(faults_of(R"({"hint":1})", value, &read_presence),
            Faults({" required", "/hint additionalProperties"}));
  EXPECT_EQ(faults_of(R"({"hint":"c"})", value, &read_presence), Faults({" oneOf"}));
  EXPECT_EQ(faults_of("1", value, &read_presence), Faults({" type"}));
}

TEST(Union, AlternativesCanBeUnionsAndTagsCanBeNested) {
  NestedTags value;
  EXPECT_EQ(faults_of(R"({"kind":"circle","radius":1})", value, &read_nested_tags), Faults());
  EXPECT_EQ(faults_of(R"({"kind":"event","event":"text","text":"t"})", value, &read_nested_tags), Faults());
  EXPECT_EQ(std::get<TextEvent>(value).text, "t");
  EXPECT_EQ(faults_of(R"({"kind":"event","event":"number","number":1})", value, &read_nested_tags), Faults());
  EXPECT_EQ(faults_of(R"({"kind":"event","event":"other"})", value, &read_nested_tags), Faults({" oneOf"}));
  EXPECT_EQ(faults_of(R"({"kind":"other"})", value, &read_nested_tags), Faults({" oneOf"}));
}

TEST(Union, OutputsAreSelectedByCacheHintOrError) {
  ListEntriesOutput value;
  EXPECT_EQ(faults_of(R"({"cache_hint":"immutable","entries":[]})", value, &read_list_entries_output),
            Faults());
  EXPECT_EQ(faults_of(R"({"cache_hint":"until_dirty","entries":[{"path":"a","type":"file"}],"lease_id":"l"})",
                      value, &read_list_entries_output),
            Faults());
  EXPECT_EQ(to_json(value),
            R"({"cache_hint":"until_dirty","entries":[{"path":"a","type":"file"}],"lease_id":"l"})");
  EXPECT_EQ(faults_of(R"({"error":{"code":"C","details":{"a":1}}})", value, &read_list_entries_output),
            Faults());
  EXPECT_EQ(std::get<ListEntriesOutputError>(value).error.code, "C");
  EXPECT_EQ(faults_of(R"({"cache_hint":"immutable","entries":[],"lease_id":"l"})", value,
                      &read_list_entries_output),
            Faults({"/lease_id additionalProperties"}));
}

TEST(Recursion, ATypeCanContainItselfInEveryWay) {
  Recursive value;
  constexpr const char* text =
      R"({"children":[{"name":"c"}],"friends":{"f":{"friends":{},"name":"f"}},"guardian":null,"name":"n","parent":{"name":"p","parent":{"name":"g"}},)"
      R"("tree":[[],[[]]],"value":{"left":1,"note":{"left":2,"right":3},"right":{"left":4,"right":5}}})";
  EXPECT_EQ(faults_of(text, value), Faults());
  EXPECT_EQ((*value.parent)->name, "p");
  EXPECT_EQ(to_json(value), text);
  const Recursive copy = value;
  EXPECT_EQ(copy, value);
  (*value.parent)->name = "other";
  EXPECT_NE(copy, value);
  EXPECT_EQ(
      faults_of(
          R"({"name":"n","parent":{"name":1},"guardian":{},"children":[{"nam":"x"}],"tree":[[1]],"value":{"left":true,"right":1}})",
          value),
      Faults({"/parent/name type", "/guardian required", "/children/0 required",
              "/children/0/nam additionalProperties", "/tree/0/0 type", "/value/left type"}));
}

TEST(Recursion, ValuesThatAreNestedTooDeeplyAreRejected) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += R"({"name":"n","parent":)";
  Recursive value;
  const Faults faults = faults_of(deep, value);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].substr(0, 8), "not JSON");
}

}  // namespace
}  // namespace golden
