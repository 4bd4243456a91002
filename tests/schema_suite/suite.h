#pragma once
// A JSON Schema test suite in its official form: files with groups, each a schema with valid and invalid
// values.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/json/document.h"
#include "runtime/json/schema/compile.h"

namespace snapgen::schema_suite {

struct Test {
  std::string description;
  std::string data;  // The text of the value in the file.
  bool valid = false;
};

struct Group {
  std::string file;        // Relative to the suite's folder: optional/format/ipv4.json
  std::size_t number = 0;  // In the file, from 0.
  std::string description;
  const json::Node* schema = nullptr;
  std::vector<Test> tests;
};

class Suite {
 public:
  // Reads the JSON files in and below `folder`, sorted by path.
  explicit Suite(const std::filesystem::path& folder);

  const std::vector<Group>& groups() const { return groups_; }

 private:
  std::vector<std::unique_ptr<json::Document>> documents_;
  std::vector<Group> groups_;
};

// The schemas that http://localhost:1234/ serves in the official suite.
class Remotes {
 public:
  explicit Remotes(std::filesystem::path folder) : folder_(std::move(folder)) {}
  const json::Node* fetch(const std::string& uri);

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::unique_ptr<json::Document>> documents_;
};

std::string text_of(const std::filesystem::path& file);

// Returns the validator of a group's schema. Formats are asserted only in the files that test them.
std::unique_ptr<json::OwnedPlan> plan_of(const Group& group, Remotes& remotes, bool draft7,
                                         json::SchemaProblems& problems);

}  // namespace snapgen::schema_suite
