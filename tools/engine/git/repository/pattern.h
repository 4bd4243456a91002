#pragma once
// One pattern of an ignore or attributes file, matched as git does.
#include <string_view>

namespace snapgen::core::git {

// A PathPattern views the text that it was made from.
class PathPattern {
 public:
  // `text` is the pattern as written, including a leading '!' or a trailing '/'.
  explicit PathPattern(std::string_view text, bool fold_case = false);

  bool negative() const { return negative_; }
  bool folders_only() const { return folders_only_; }

  // Returns true if the pattern matches `path`, which is relative to the folder of the pattern's file. The
  // caller checks folders_only().
  bool matches(std::string_view path) const;

 private:
  std::string_view pattern_;              // Without '!' and the leading and trailing '/'.
  std::size_t literal_prefix_bytes_ = 0;  // The length of the prefix without special characters.
  bool negative_ = false;
  bool folders_only_ = false;
  bool name_only_ = false;  // No slash: matched against the last component.
  bool suffix_ = false;     // `*` followed by a literal.
  bool fold_case_;
};

}  // namespace snapgen::core::git
