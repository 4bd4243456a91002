// Tests generated readers, which read JSON, and generated writers.
#include <gtest/gtest.h>

#include "tests/codegen/golden/types/conditions.h"
#include "tests/codegen/golden/types/constants.h"
#include "tests/codegen/golden/types/defaults.h"
#include "tests/codegen/golden/types/empty.h"
#include "tests/codegen/golden/types/enums.h"
#include "tests/codegen/golden/types/formats.h"
#include "tests/codegen/golden/types/limits.h"
#include "tests/codegen/golden/types/many.h"
#include "tests/codegen/golden/types/maps.h"
#include "tests/codegen/golden/types/merged.h"
#include "tests/codegen/golden/types/names.h"
#include "tests/codegen/golden/types/nullable.h"
#include "tests/codegen/golden/types/only_constants.h"
#include "tests/codegen/golden/types/references.h"
#include "tests/codegen/golden/types/rest.h"
#include "tests/codegen/golden/types/scalars.h"
#include "tests/codegen/reading.h"

namespace golden {
namespace {

using snapgen::json::to_json;

constexpr const char* all_scalars =
    R"({"text":"a","count":-1,"ratio":0.5,"flag":true,"anything":[1, {"b":2}],"object":{"x": 1},"maybe_text":"b",)"
    R"("maybe_count":2,"maybe_ratio":3,"maybe_flag":false,"maybe_anything":null})";

TEST(Reader, AStructHasTheValuesOfTheText) {
  Scalars value;
  EXPECT_EQ(faults_of(all_scalars, value), Faults());
  const Scalars expected{.text = "a",
                         .count = -1,
                         .ratio = 0.5,
                         .flag = true,
                         .anything = {R"([1, {"b":2}])"},
                         .object = {{R"({"x": 1})"}},
                         .maybe_text = "b",
                         .maybe_count = 2,
                         .maybe_ratio = 3,
                         .maybe_flag = false,
                         .maybe_anything = {{"null"}}};
  EXPECT_EQ(value, expected);
}

TEST(Writer, KeysAreSortedAndAbsentMembersAreOmitted) {
  Scalars value;
  EXPECT_EQ(to_json(value), R"({"anything":null,"count":0,"flag":false,"ratio":0,"text":""})");
  faults_of(all_scalars, value);
  EXPECT_EQ(
      to_json(value),
      R"({"anything":[1,{"b":2}],"count":-1,"flag":true,"maybe_anything":null,"maybe_count":2,"maybe_flag":false,)"
      R"("maybe_ratio":3,"maybe_text":"b","object":{"x":1},"ratio":0.5,"text":"a"})");
}

TEST(Reader, EveryViolationOfATextIsFoundInOnePass) {
  Scalars value;
  EXPECT_EQ(
      faults_of(
          R"({"text":1,"count":"x","ratio":true,"flag":0,"object":[1],"maybe_text":null,"tekst":"","count":2})",
          value),
      Faults({" required", "/text type", "/count type", "/ratio type", "/flag type", "/object type",
              "/maybe_text type", "/tekst additionalProperties", "/count duplicate"}));
  EXPECT_EQ(faults_of("[]", value), Faults({" type"}));
  EXPECT_EQ(faults_of("{", value).size(), 1U);
}

TEST(Reader, AWrongNameGetsTheNearestSuggestion) {
  const std::vector<std::string> sentences =
      sentences_of<Scalars>(R"({"text":"","cuont":1,"ratio":1,"flag":true,"anything":1})");
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_NE(sentences[0].find("\"count\""), std::string::npos) << sentences[0] << sentences[1];
}

TEST(Reader, AReusedStructKeepsNoOldValues) {
  Scalars used;
  faults_of(all_scalars, used);
  constexpr const char* little = R"({"text":"","count":0,"ratio":0,"flag":false,"anything":1})";
  faults_of(little, used);
  Scalars fresh;
  faults_of(little, fresh);
  EXPECT_EQ(used, fresh);
  Nullable many;
  faults_of(
      R"({"parent":"a","limited":1,"choice":"x","next":"n","short":"s","color":"red","later":1,"soon":1,"list":[1,2],"place":{"x":1}})",
      many);
  EXPECT_EQ(faults_of(R"({"parent":null,"limited":null,"choice":null})", many), Faults());
  EXPECT_EQ(many, (Nullable{.soon = 5}));
}

TEST(Reader, LimitsAreCheckedInTheUnitsOfJsonSchema) {
  Limits value;
  EXPECT_EQ(
      faults_of(
          R"({"name":"日本","word":"abc","percent":100,"inner":1,"rounded":9,"even":-4,"low":-9223372036854775808,"share":0,)"
          R"("above":1000,"cents":0.75,"huge":0,"few":["a"],"set":[1,2],"grid":[[],[1,2]],"scores":{"a":5},"flags":[true,true],"address":"%"})",
          value),
      Faults());
  EXPECT_EQ(
      faults_of(
          R"({"name":"日","word":"aB","percent":101,"inner":0,"rounded":0,"even":3,"share":1,"above":-1.5,"cents":0.3,"huge":10000000000,)"
          R"("few":[],"set":[1,2,1],"grid":[[1,-1,2]],"scores":{},"flags":[true,false]})",
          value),
      Faults({"/name minLength", "/word pattern", "/percent maximum", "/inner minimum", "/rounded minimum",
              "/even multipleOf", "/share exclusiveMaximum", "/above exclusiveMinimum", "/cents multipleOf",
              "/huge multipleOf", "/few minItems", "/set uniqueItems", "/grid/0 maxItems",
              "/grid/0/1 minimum", "/scores minProperties", "/flags/1 enum"}));
  EXPECT_EQ(
      faults_of(
          R"({"name":"abcde","percent":-1,"inner":10,"rounded":10,"few":["a","","c","d"],"scores":{"a":6,"b":1,"c":1,"a":1}})",
          value),
      Faults({"/name maxLength", "/percent minimum", "/inner maximum", "/rounded maximum", "/few maxItems",
              "/few/1 minLength", "/scores maxProperties", "/scores/a maximum", "/scores/a duplicate"}));
}

TEST(Reader, ItemsThatAreWrongThemselvesAreNotCompared) {
  Limits value;
  const std::string rest = R"("name":"日本","percent":1,"inner":1,"rounded":9,"few":["a"],"scores":{"a":5}})";
  EXPECT_EQ(faults_of(R"({"set":[0,"x",5,"y"],)" + rest, value), Faults({"/set/1 type", "/set/3 type"}));
  EXPECT_EQ(faults_of(R"({"set":[1,"x", 1 ],)" + rest, value), Faults({"/set uniqueItems", "/set/1 type"}));
}

TEST(Reader, FormatsAreCheckedIfTheFileAssertsThem) {
  Formats value;
  EXPECT_EQ(
      faults_of(
          R"({"at":"2026-07-28T00:00:00Z","link":"https://a.b/c","id":"2eb8aa08-aa98-11ea-b4aa-73b441d16380","bytes":"AAAA"})",
          value),
      Faults());
  EXPECT_EQ(faults_of(R"({"at":"today","link":"no","id":"1","bytes":"A"})", value),
            Faults({"/at format", "/link format", "/id format", "/bytes format"}));
}

TEST(Reader, EnumsAcceptOnlyTheirValues) {
  Enums value;
  EXPECT_EQ(
      faults_of(
          R"({"color":"dark-blue","kind":"folder","maybe":null,"level":5,"factor":1.0,"mixed":{"a":[1]},"words":["2025-06-18","","class"],"many":"may"})",
          value),
      Faults());
  EXPECT_EQ(value.color, EnumsColor::dark_blue);
  EXPECT_EQ(value.size, EnumsSize::m);
  EXPECT_EQ(value.kind, EnumsKind::folder);
  ASSERT_TRUE(value.maybe);
  EXPECT_TRUE(value.maybe->is_null());
  EXPECT_EQ(value.words,
            (std::vector{EnumsWordsItem::v2025_06_18, EnumsWordsItem::key, EnumsWordsItem::class_}));
  EXPECT_EQ(text(EnumsColor::dark_blue), "dark-blue");
  EXPECT_EQ(
      to_json(value),
      R"({"color":"dark-blue","factor":1,"kind":"folder","level":5,"many":"may","maybe":null,"mixed":{"a":[1]},"size":"m","words":["2025-06-18","","class"]})");
  EXPECT_EQ(
      faults_of(
          R"({"color":"dark_blue","maybe":"of","level":3,"factor":0.7,"mixed":"Auto","words":["a  b"]})",
          value),
      Faults({"/color enum", "/maybe enum", "/level enum", "/factor enum", "/mixed enum", "/words/0 enum"}));
}

TEST(Reader, ConstantsAreCheckedAndWrittenButNotStored) {
  Constants value;
  EXPECT_EQ(
      faults_of(R"({"type":"constants","version":3.0,"nothing":null,"shape":{"a":"x","b":[1,2]}})", value),
      Faults());
  EXPECT_FALSE(value.partial);
  EXPECT_TRUE(value.shape);
  value.partial = true;
  EXPECT_EQ(to_json(value),
            R"({"nothing":null,"partial":true,"shape":{"a":"x","b":[1,2]},"type":"constants","version":3})");
  EXPECT_EQ(faults_of(R"({"type":"other","version":4,"nothing":0,"partial":false})", value),
            Faults({"/type const", "/version const", "/nothing const", "/partial const"}));
  OnlyConstants only;
  EXPECT_EQ(faults_of(R"({"method":"ping","more":[]})", only), Faults());
  EXPECT_EQ(to_json(only), R"({"method":"ping"})");
}

TEST(Reader, AbsentNullAndPresentValuesAreDistinguished) {
  Nullable value;
  EXPECT_EQ(faults_of(R"({"parent":null,"limited":null,"choice":null})", value), Faults());
  EXPECT_FALSE(value.next);
  EXPECT_EQ(to_json(value), R"({"choice":null,"later":null,"limited":null,"parent":null,"soon":5})");
  EXPECT_EQ(
      faults_of(
          R"({"parent":"a","limited":2,"choice":7,"next":null,"short":null,"color":null,"soon":null,"list":[null,3],"place":null})",
          value),
      Faults());
  EXPECT_TRUE(value.next && value.next->is_null());
  EXPECT_EQ(
      to_json(value),
      R"({"choice":7,"color":null,"later":null,"limited":2,"list":[null,3],"next":null,"parent":"a","place":null,"short":null,"soon":null})");
  EXPECT_EQ(
      faults_of(
          R"({"parent":"a","limited":2,"choice":"c","next":"n","short":"s","color":"blue","place":{"x":1}})",
          value),
      Faults());
  EXPECT_EQ(
      to_json(value),
      R"({"choice":"c","color":"blue","later":null,"limited":2,"next":"n","parent":"a","place":{"x":1},"short":"s","soon":5})");
  EXPECT_EQ(
      faults_of(R"({"parent":1,"limited":0,"choice":true,"short":"abc","color":"green","list":[10]})", value),
      Faults({"/parent type", "/limited minimum", "/choice type", "/short maxLength", "/color enum",
              "/list/0 maximum"}));
}

TEST(Reader, AbsentMembersGetTheirDefaults) {
  Defaults value{.flag = false,
                 .count = 1,
                 .ratio = 2,
                 .text = "x",
                 .mode = DefaultsMode::slow,
                 .list = {"z"},
                 .pairs = {},
                 .none = {1},
                 .names = {{"a", "b"}},
                 .part = {.deep = false},
                 .any = {"1"}};
  EXPECT_EQ(faults_of("{}", value), Faults());
  EXPECT_EQ(value, Defaults());
  EXPECT_EQ(
      to_json(value),
      R"({"any":{"k":[1]},"count":-7,"flag":true,"list":["x","y"],"mode":"fast","names":{},"none":[],"nul":"a\u0000b","pairs":[[1,2],[]],)"
      R"("part":{"deep":true},"ratio":1,"text":"a\"b\\\n??/"})");
}

TEST(Reader, MapsAreSortedAndHaveEachNameOnce) {
  Maps value;
  EXPECT_EQ(
      faults_of(
          R"({"counts":{"b":2,"a":1,"é":3},"files":{"x":{"size":1}},"tables":{"t":{"r":[1,"x"]}},"other":1})",
          value),
      Faults());
  EXPECT_EQ(to_json(value),
            R"({"counts":{"a":1,"b":2,"é":3},"files":{"x":{"size":1}},"tables":{"t":{"r":[1,"x"]}}})");
  EXPECT_EQ(
      faults_of(
          R"({"counts":{"a/b":"x","a":1,"a":2},"files":{"x":{"size":1,"z":1}},"never":1,"limited":{"a":"abcd"}})",
          value),
      Faults({"/counts/a~1b type", "/counts/a duplicate", "/files/x/z additionalProperties",
              "/never additionalProperties", "/limited/a maxLength"}));
}

TEST(Reader, AdditionalMembersAreStoredAndWrittenInOrder) {
  Rest value;
  EXPECT_EQ(faults_of(R"({"z":1,"m":"x","a":2,"n":3})", value), Faults());
  EXPECT_EQ(value.additional, (std::map<std::string, std::int64_t>{{"a", 2}, {"n", 3}, {"z", 1}}));
  EXPECT_EQ(to_json(value), R"({"a":2,"m":"x","n":3,"z":1})");
  // A member of the struct is written once, although the map has the same name.
  value.additional["m"] = 9;
  value.additional["optional"] = 9;
  value.optional = 4;
  EXPECT_EQ(to_json(value), R"({"a":2,"m":"x","n":3,"optional":4,"z":1})");
  EXPECT_EQ(faults_of(R"({"m":"x","a":"y","b":-1,"c":1,"c":2})", value),
            Faults({"/a type", "/b minimum", "/c duplicate"}));
  EXPECT_EQ(faults_of(R"({"m":"x"})", value), Faults());
  EXPECT_TRUE(value.additional.empty());
}

TEST(Reader, ConditionsAreTestedAfterAllMembersWereRead) {
  Conditions value;
  EXPECT_EQ(faults_of(R"({"lease_id":"l","mode":"worktree"})", value), Faults());
  EXPECT_EQ(faults_of(R"({"mode":"snapshot","snapshot_id":"s"})", value), Faults());
  EXPECT_EQ(faults_of(R"({"mode":"snapshot","lease_id":"l"})", value), Faults({" if", " if"}));
  EXPECT_EQ(faults_of(R"({"snapshot_id":"s"})", value), Faults({" if"}));
  EXPECT_EQ(faults_of(R"({"password":"p"})", value), Faults({" dependentRequired"}));
  EXPECT_EQ(faults_of(R"({"user":"u"})", value), Faults({" dependentRequired", " dependentRequired"}));
  // As in JSON Schema, a condition on a member's value is true if the member is absent. The default value
  // does not count.
  EXPECT_EQ(faults_of(R"({"note":"n","strict":true})", value), Faults({" if"}));
  EXPECT_EQ(faults_of(R"({"note":null,"strict":true})", value), Faults());
  EXPECT_EQ(faults_of(R"({"note":"n","strict":false})", value), Faults());
  EXPECT_EQ(faults_of(R"({"note":"n","level":2})", value), Faults({" if"}));
  EXPECT_EQ(faults_of(R"({"note":"n","level":3})", value), Faults());
  // A condition on a member is not evaluated if the member is invalid.
  EXPECT_EQ(faults_of(R"({"mode":"snapshop"})", value), Faults({"/mode enum"}));
  EXPECT_EQ(sentences_of<Conditions>(R"({"mode":"snapshot"})"),
            Faults({"snapshot_id is required when mode is \"snapshot\""}));
  EXPECT_EQ(sentences_of<Conditions>(R"({"mode":"snapshot","snapshot_id":"","lease_id":""})"),
            Faults({"lease_id is not allowed when mode is \"snapshot\""}));
  EXPECT_EQ(sentences_of<Conditions>(R"({"snapshot_id":""})"),
            Faults({"snapshot_id is not allowed unless mode is \"snapshot\""}));
  EXPECT_EQ(sentences_of<Conditions>(R"({"password":"p"})"),
            Faults({"user is required when password is given"}));
}

TEST(Reader, MergedSchemasBecomeOneStructWithAllLimits) {
  Merged value;
  EXPECT_EQ(faults_of(R"({"name":"abc","size":0,"extra":"abc"})", value), Faults());
  EXPECT_EQ(faults_of(R"({"name":"abcde","size":-1,"extra":"A","more":1})", value),
            Faults({"/name maxLength", "/size minimum", "/extra minLength", "/extra pattern",
                    "/more additionalProperties"}));
  EXPECT_EQ(faults_of("{}", value), Faults({" required", " required", " required"}));
}

TEST(Reader, KeysThatAreNotCppIdentifiersBecomeMembers) {
  Names value;
  constexpr const char* text =
      R"({"class":"c","$ref":"r","__proto__":1,"toString":2,"a-b":3,"a_b":4,"aB":5,"1x":6,"":7,"日本":8,"quote\"and\\slash\nline":9,)"
      R"("io.modelcontextprotocol/protocolVersion":"v","json":{},"std":"s","in":10,"out":11,"key":12,"seen":13,"HTTPServer":{"x2Y":14},)"
      R"("NULL":"errno","renamed":"one","typed":"two"})";
  EXPECT_EQ(faults_of(text, value), Faults());
  EXPECT_EQ(value.class_, "c");
  EXPECT_EQ(value.ref, "r");
  EXPECT_EQ(value.proto, 1);
  EXPECT_EQ(value.to_string, 2);
  EXPECT_EQ(value.a_b, 3);
  EXPECT_EQ(value.a_b_2, 4);
  EXPECT_EQ(value.a_b_3, 5);
  EXPECT_EQ(value.key_1x, 6);
  EXPECT_EQ(value.protocol_version, "v");
  EXPECT_EQ(value.key_2, 12);
  EXPECT_EQ(value.http_server->x2_y, 14);
  EXPECT_EQ(
      to_json(value),
      R"({"":7,"$ref":"r","1x":6,"HTTPServer":{"x2Y":14},"NULL":"errno","__proto__":1,"a-b":3,"aB":5,"a_b":4,"class":"c","in":10,)"
      R"("io.modelcontextprotocol/protocolVersion":"v","json":{},"key":12,"out":11,"quote\"and\\slash\nline":9,"renamed":"one","seen":13,)"
      R"("std":"s","toString":2,"typed":"two","日本":8})");
}

TEST(Reader, AStructCanHaveMoreMembersThanAWordHasBits) {
  Many value;
  std::string text;
  for (int i = 69; i >= 0; --i)
    text += (text.empty() ? "{" : ",") + std::string("\"m") + std::to_string(i) + "\":" + std::to_string(i);
  text += "}";
  EXPECT_EQ(faults_of(text, value), Faults());
  EXPECT_EQ(value.m69, 69);
  EXPECT_EQ(value.m5, 5);
  EXPECT_EQ(faults_of(R"({"m1":1,"m65":1,"m1":1,"m65":1})", value),
            Faults({" required", " required", "/m1 duplicate", "/m65 duplicate"}));
}

TEST(Reader, ReferencesAreFollowedIntoOtherFiles) {
  References value;
  EXPECT_EQ(
      faults_of(
          R"({"start":{"x":1,"y":2},"stop":{"x":999,"y":0},"column":9,"rows":[1,2],"pair":{"a/b~c":{"deep":"d"}},"again":{"deep":"e"}})",
          value),
      Faults());
  EXPECT_EQ(value.row, 7);
  EXPECT_EQ(value.stop, (GridPoint{.x = 999, .y = 0}));
  EXPECT_EQ(faults_of(R"({"start":{"x":-1,"y":1000,"z":1},"row":1000,"column":10,"rows":[1,-1]})", value),
            Faults({"/start/x minimum", "/start/y maximum", "/start/z additionalProperties", "/row maximum",
                    "/column maximum", "/rows/1 minimum"}));
}

TEST(Reader, NulIsAnOrdinaryCharacter) {
  Constants constants;
  EXPECT_EQ(faults_of(R"({"type":"constants","version":3,"nothing":null,"nul":"a\u0000b"})", constants),
            Faults());
  EXPECT_EQ(faults_of(R"({"type":"constants","version":3,"nothing":null,"nul":"a"})", constants),
            Faults({"/nul const"}));
  Enums enums;
  EXPECT_EQ(faults_of(R"({"color":"red","words":["a\u0000b"]})", enums), Faults());
  EXPECT_EQ(to_json(enums), R"({"color":"red","size":"m","words":["a\u0000b"]})");
  EXPECT_EQ(Defaults().nul, std::string("a\0b", 3));
  Names names;
  EXPECT_EQ(faults_of(R"({"class":"","a\u0000c":1})", names), Faults());
  EXPECT_EQ(to_json(names), R"({"a\u0000c":1,"class":""})");
  EXPECT_EQ(faults_of(R"({"class":"","a":1})", names), Faults({"/a additionalProperties"}));
}

TEST(Reader, AnEmptyObjectSchemaRejectsEveryMember) {
  Empty value;
  EXPECT_EQ(faults_of("{}", value), Faults());
  EXPECT_EQ(faults_of(R"({"a":1})", value), Faults({"/a additionalProperties"}));
  EXPECT_EQ(to_json(value), "{}");
}

}  // namespace
}  // namespace golden
