#pragma once
// TypescriptConfig: the options of a tsconfig.json or jsconfig.json that determine how imports resolve.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/document.h"
#include "tools/engine/search/globs.h"

namespace snapgen::core {

// Returns the content of a file, whether listed or ignored, or nullopt if it is unreadable.
using ConfigurationReader = std::function<std::optional<std::string>(std::string_view path)>;

struct TypescriptConfig {
  struct Mapping {
    std::string before;  // The part of the pattern before `*`.
    std::string after;
    bool exact = false;                // The pattern has no `*`.
    std::vector<std::string> targets;  // Paths relative to the root, with or without `*`.
  };
  std::optional<std::string> base;  // The folder, relative to the root, against which bare names resolve.
  std::vector<Mapping> mappings;
  std::vector<std::string> module_suffixes = {""};  // The module `x` is x.ios.ts for the suffix `.ios`.
  std::vector<std::string> root_folders;            // Relative imports search them like one folder.
  // An import of which each name has the modifier `type` remains, without names, in the compiled file.
  bool keeps_type_names = false;
  bool reads_javascript = false;  // The compiler reads JavaScript, too.
  std::vector<std::string> files;
  std::optional<Globs> included;
  std::vector<std::string> references;  // Paths of the referenced configuration files.

  // Returns whether `files` or `include` names the file, and `exclude` does not.
  bool covers(std::string_view path) const;
};

struct TypescriptOption {
  std::string folder;  // The folder of the file that has the option: its paths are relative to it.
  const json::Node* value = nullptr;  // A part of a file that the reader caches.
};
using TypescriptOptions = std::map<std::string, TypescriptOption, std::less<>>;

// Reads configurations, with the files that they extend. Caches the files.
class TypescriptReader {
 public:
  // `package_folder` returns the folder of a package of the tree, by its name, or null. Both must outlive the
  // reader.
  TypescriptReader(const ConfigurationReader& read,
                   const std::function<const std::string*(std::string_view name)>& package_folder)
      : read_(read), package_folder_(package_folder) {}

  // Returns the configuration in this file, and all that it references in turn. Empty if the file is not one.
  std::vector<TypescriptConfig> read_with_references(const std::string& path);

 private:
  const json::Node* json_of(const std::string& path);
  // Adds the options of a file, which override those of the files that it extends. Returns whether the file
  // is a configuration. Subtracts the files that it searches from `searches_left`, and ends at 0.
  bool collect(const std::string& path, TypescriptOptions& options, int& searches_left);
  void collect_extended(const std::string& folder, std::string_view name, TypescriptOptions& options,
                        int& searches_left);
  // Returns the paths where an extended configuration may be, in the order of preference. Searches no more
  // folders after `count_max` paths.
  std::vector<std::string> extended_paths(const std::string& folder, std::string_view name,
                                          std::size_t count_max);

  const ConfigurationReader& read_;
  const std::function<const std::string*(std::string_view name)>& package_folder_;
  std::map<std::string, std::optional<json::Node>, std::less<>> files_;
};

}  // namespace snapgen::core
