#pragma once
// PatchLines iterates over the lines of a patch and counts them. Copies look ahead.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace snapgen::core {

// An error in a patch, and its line.
struct PatchFault {
  std::int64_t patch_line = 0;
  std::string message;  // One sentence.
};

class PatchLines {
 public:
  explicit PatchLines(std::string_view text) : text_(text) { find_end(); }

  bool at_end() const { return at_ == text_.size(); }
  // The current line without its newline; empty at the end.
  std::string_view line() const { return text_.substr(at_, end_ - at_); }
  // The current line without its newline and a CR before it, for lines that are not content.
  std::string_view header_line() const {
    std::string_view text = line();
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
  }
  std::int64_t number() const { return number_; }  // From 1.
  std::size_t offset() const { return at_; }
  std::string_view text() const { return text_; }

  void advance() {
    at_ = std::min(end_ + 1, text_.size());
    ++number_;
    find_end();
  }

 private:
  void find_end() { end_ = std::min(text_.find('\n', at_), text_.size()); }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::int64_t number_ = 1;
};

}  // namespace snapgen::core
