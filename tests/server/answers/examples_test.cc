// Each text answer must contain every value that a later call needs. Tests the answers of all examples in the
// schema files.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/server/answers/rendered.h"

namespace snapgen::tools {
namespace {

namespace fs = std::filesystem;

json::Document read_document(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return json::parse_document(text.str());
}

// Members whose values are arguments of later calls.
const std::set<std::string_view> needed = {"block_id",    "blob",        "code",  "cursor",
                                           "lease_id",    "next_cursor", "path",  "session_id",
                                           "snapshot_id", "task_id",     "token", "undo"};

// Returns a value in the form in which a text shows it: ids in their short forms.
std::string in_text(std::string_view member, const std::string& value) {
  constexpr std::string_view prefix = "sha256:";
  constexpr std::size_t digits = 10;
  if (!value.starts_with(prefix)) return value;
  const std::string short_id = value.substr(prefix.size(), digits);
  return member == "blob" ? short_id : "snap_" + short_id;
}

// Expects every needed member of `value` in `text` and counts them.
void expect_needed(const std::string& text, const json::Node& value, std::size_t& count) {
  for (const json::Node& each : value.items) expect_needed(text, each, count);
  for (const json::Member& each : value.members) {
    expect_needed(text, each.value, count);
    const bool is_text = each.value.is(json::Kind::string) || each.value.is(json::Kind::number);
    if (!is_text || !needed.contains(each.key)) continue;
    // The text of a read that issued a lease has the lease instead of the blob.
    if (each.key == "blob" && value.find("lease_id") != nullptr) continue;
    ++count;
    EXPECT_NE(text.find(in_text(each.key, each.value.text)), std::string::npos)
        << each.key << " " << each.value.text << " is not in: " << text;
  }
}

TEST(Examples, TextsContainTheValuesThatLaterCallsNeed) {
  const char* root = std::getenv("SNAPGEN_SOURCE_ROOT");
  ASSERT_NE(root, nullptr);
  std::size_t answers = 0;
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(root) / "schemas")) {
    if (entry.path().extension() != ".json") continue;
    const json::Document document = read_document(entry.path());
    const json::Node* extension = document.root.find("x-snapgen");
    const json::Node* name = document.root.find("name");
    if (!extension || !name || !document.root.find("outputSchema") || !extension->find("examples")) continue;
    for (const json::Node& example : extension->find("examples")->items) {
      const json::Node* result = example.find("result");
      const json::Node* arguments = example.find("arguments");
      if (!result || !arguments) continue;
      ++answers;
      // The tests of snapshot.export cover the content of a bundle.
      json::Node shown = *result;
      std::erase_if(shown.members, [](const json::Member& each) { return each.key == "bundle"; });
      const std::string text =
          shaped_text(text_host, name->text, json::canonical_text(*arguments), json::canonical_text(*result));
      SCOPED_TRACE(name->text);
      expect_needed(text, shown, count);
    }
  }
  EXPECT_GT(answers, 20U);
  EXPECT_GT(count, 30U);
}

}  // namespace
}  // namespace snapgen::tools
