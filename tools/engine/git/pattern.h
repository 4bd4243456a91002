#pragma once
// One pattern of an ignore or attributes file, and how git matches it.
#include <string_view>

namespace snapgen::core::git {

// Views the text it was made from.
class PathPattern {
 public:
  // `text`: the pattern as written, perhaps with a leading '!' and a final '/'.
  explicit PathPattern(std::string_view text, bool fold_case = false);

  bool negative() const { return negative_; }
  bool folders_only() const { return folders_only_; }

  // `path` is relative to the folder of the file that holds the pattern. Whether it is a folder is the
  // caller's to check.
  bool matches(std::string_view path) const;

 private:
  std::string_view pattern_;  // without '!', the leading and the final '/'
  std::size_t literal_ = 0;   // so many first bytes hold no special character
  bool negative_ = false;
  bool folders_only_ = false;
  bool name_only_ = false;  // no slash: matched against the last component
  bool suffix_ = false;     // `*` and then nothing special
  bool fold_case_;
};

}  // namespace snapgen::core::git
