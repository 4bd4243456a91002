#pragma once
// PatchLines iterates over the lines of a patch and counts them.
#include <algorithm>
#include <cstdint>
#include <string_view>

namespace snapgen::core {

class PatchLines {
 public:
  explicit PatchLines(std::string_view text) : text_(text) { find_end(); }

  bool at_end() const { return at_ == text_.size(); }
  // The current line without its newline; empty at the end.
  std::string_view line() const { return text_.substr(at_, end_ - at_); }
  bool has_newline() const { return end_ < text_.size(); }  // The line has its newline.
  std::int64_t number() const { return number_; }           // From 1.
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
