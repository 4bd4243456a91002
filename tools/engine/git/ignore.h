#pragma once
// Ignore rules (gitignore(5)): the files that hold them, and the order in which they decide.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/git/pattern.h"

namespace snapgen::core::git {

enum class Verdict : unsigned char { undecided, ignored, kept };

// The rules of one file. Paths given to it are relative to the folder it stands in.
class IgnoreRules {
 public:
  explicit IgnoreRules(std::string bytes, bool fold_case = false);
  IgnoreRules(const IgnoreRules&) = delete;
  IgnoreRules& operator=(const IgnoreRules&) = delete;

  bool empty() const { return rules_.empty(); }
  // The last rule that matches decides.
  Verdict decide(std::string_view path, bool is_folder) const;

 private:
  void add(std::string_view line);

  std::string bytes_;
  std::vector<PathPattern> rules_;
  bool fold_case_;
};

// The rules that hold in one folder: its own, those of the folders above, and the repository's and the
// user's.
class IgnoreStack {
 public:
  // The user's file first, the repository's `info/exclude` behind it.
  void add_base(std::shared_ptr<const IgnoreRules> rules);

  // Enters a folder: `prefix_bytes` is the length of its path with the final slash (0 for the root).
  void push(std::size_t prefix_bytes, std::shared_ptr<const IgnoreRules> rules);
  void pop() { folders_.pop_back(); }

  // `path` is relative to the root and lies in the folder entered last.
  Verdict decide(std::string_view path, bool is_folder) const;

 private:
  struct Level {
    std::size_t prefix_bytes;
    std::shared_ptr<const IgnoreRules> rules;  // null: none here
  };

  std::vector<std::shared_ptr<const IgnoreRules>> base_;
  std::vector<Level> folders_;
};

}  // namespace snapgen::core::git
