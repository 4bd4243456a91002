#pragma once
// FailedEdits are the edits of a call that have faults. A later edit may depend on one of them, and is then
// not reported, because it may be right once the earlier one is corrected.
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

class FailedEdits {
 public:
  // A text of `path` would have been replaced. An empty path means any file.
  void add_text(std::string path, std::string old_text, std::string new_text);
  // What is at the path depends on an edit that failed.
  void add_path(std::string path);

  // Returns true if it is uncertain what would be at the path.
  bool concern(std::string_view path) const;
  // Returns true if a failed edit of the file might have made `text`, or a part of it.
  bool may_make(std::string_view path, std::string_view text) const;
  // Returns true if a failed edit of the file might have replaced an occurrence of `text`.
  bool may_replace(std::string_view path, std::string_view text) const;

 private:
  struct FailedText {
    std::string path;
    std::string old_text;
    std::string new_text;
  };

  std::vector<FailedText> texts_;
  std::vector<std::string> paths_;
};

}  // namespace snapgen::core
