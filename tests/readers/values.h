#pragma once
// Values: JSON texts that usually match a schema, generated from given numbers (a seed or a fuzzer's bytes).
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/schema/resources.h"

namespace snapgen::readers {

class Values {
 public:
  using Below = std::function<std::uint32_t(std::uint32_t count)>;  // From 0 to count - 1; count is at least
                                                                    // 1.

  // `words`: texts to use for strings and member names if they match.
  Values(json::SchemaResources& resources, const std::vector<std::string>& words, Below below)
      : resources_(resources), words_(words), below_(std::move(below)) {}

  // `schema` must be part of a document of the resources.
  std::string of(const json::Node& schema) { return value({&schema}, 0); }

  // Returns every string in the tree's examples, default, const and enum values.
  static void collect_words(const json::Node& tree, std::vector<std::string>& words);

 private:
  using Parts = std::vector<const json::Node*>;
  using Limits = std::vector<const json::Node*>;

  bool one_in(std::uint32_t count) { return below_(count) == 0; }
  std::string value(const Parts& schemas, int depth);
  void flatten(const json::Node& schema, Parts& parts);
  static Limits all(const Parts& parts, std::string_view keyword);
  std::string anything();
  std::string number(const Parts& parts, bool whole);
  std::string string(const Parts& parts);
  std::string array(const Parts& parts, int depth);
  std::string object(const Parts& parts, int depth);
  std::optional<std::string> matching(std::string_view pattern);

  json::SchemaResources& resources_;
  const std::vector<std::string>& words_;
  Below below_;
  std::map<std::string, std::vector<std::string>, std::less<>> matching_;
};

}  // namespace snapgen::readers
