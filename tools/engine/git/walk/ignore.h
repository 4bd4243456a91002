#pragma once
// Ignore rules (gitignore(5)): the files that contain them, and their precedence.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/git/repository/pattern.h"

namespace snapgen::core::git {

enum class IgnoreVerdict : unsigned char { undecided, ignored, not_ignored };

// IgnoreRules has the rules of one file. Paths are relative to the file's folder.
class IgnoreRules {
 public:
  explicit IgnoreRules(std::string bytes, bool fold_case = false);
  IgnoreRules(const IgnoreRules&) = delete;
  IgnoreRules& operator=(const IgnoreRules&) = delete;

  bool empty() const { return rules_.empty(); }
  // Returns the verdict of the last matching rule.
  IgnoreVerdict verdict_of(std::string_view path, bool is_folder) const;

 private:
  void add(std::string_view line);

  std::string bytes_;
  std::vector<PathPattern> rules_;
  bool fold_case_;
};

// IgnoreStack has the rules that apply in one folder: the folder's, its parents', the repository's, the
// user's.
class IgnoreStack {
 public:
  // Add the user's file first, then the repository's `info/exclude`.
  void add_base(std::shared_ptr<const IgnoreRules> rules);

  // Enters a folder; `prefix_bytes` is the length of its path with the trailing slash (0 for the root).
  void push(std::size_t prefix_bytes, std::shared_ptr<const IgnoreRules> rules);
  void pop() { folders_.pop_back(); }

  // `path` is relative to the root and is in the folder that was entered last.
  IgnoreVerdict verdict_of(std::string_view path, bool is_folder) const;

 private:
  struct Level {
    std::size_t prefix_bytes;
    std::shared_ptr<const IgnoreRules> rules;  // Null if the folder has no rules.
  };

  std::vector<std::shared_ptr<const IgnoreRules>> base_;
  std::vector<Level> folders_;
};

}  // namespace snapgen::core::git
