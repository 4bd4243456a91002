#include "tests/schema_suite/suite.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "runtime/json/reader.h"

namespace snapgen::schema_suite {
namespace fs = std::filesystem;
namespace {

// Returns the text of a value exactly as in its document.
std::string verbatim(const std::string& document, const json::Node& node) {
  json::Reader in(std::string_view(document).substr(node.offset));
  std::string text;
  in.raw(text);
  return text;
}

}  // namespace

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Suite::Suite(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    const std::string text = text_of(file);
    documents_.push_back(std::make_unique<json::Document>(json::parse_document(text)));
    std::size_t number = 0;
    for (const json::Node& each : documents_.back()->root.items) {
      Group& group = groups_.emplace_back();
      group.file = file.lexically_relative(folder).generic_string();
      group.number = number++;
      group.description = each.find("description")->text;
      group.schema = each.find("schema");
      for (const json::Node& test : each.find("tests")->items)
        group.tests.push_back({.description = test.find("description")->text,
                               .data = verbatim(text, *test.find("data")),
                               .valid = test.find("valid")->boolean});
    }
  }
}

const json::Node* Remotes::fetch(const std::string& uri) {
  constexpr std::string_view server = "http://localhost:1234/";
  if (!uri.starts_with(server)) return nullptr;
  const fs::path file = folder_ / uri.substr(server.size());
  if (!fs::is_regular_file(file)) return nullptr;
  auto& document = documents_[uri];
  if (!document) document = std::make_unique<json::Document>(json::parse_document(text_of(file)));
  return &document->root;
}

std::unique_ptr<json::OwnedPlan> plan_of(const Group& group, Remotes& remotes, bool draft7,
                                         json::SchemaProblems& problems) {
  json::SchemaResources resources({.is_draft7 = draft7},
                                  [&](const std::string& uri) { return remotes.fetch(uri); });
  resources.add("", *group.schema, problems);
  return json::compile_plan(resources, {group.schema},
                            {.formats_asserted = group.file.starts_with("optional/format/")}, problems);
}

}  // namespace snapgen::schema_suite
