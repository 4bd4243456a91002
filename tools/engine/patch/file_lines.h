#pragma once
// FileLines is an index of the lines of a file: their offsets and hashes, 24 bytes each.
#include <cstdint>
#include <string_view>
#include <vector>

namespace snapgen::core {

// Returns true if a line of the text begins at the offset.
inline bool begins_line(std::string_view text, std::size_t at) { return at == 0 || text[at - 1] == '\n'; }

class FileLines {
 public:
  // `file` must outlive this object.
  explicit FileLines(std::string_view file);

  std::int64_t count() const { return static_cast<std::int64_t>(lines_.size()); }
  // The line `number`, from 1 to count(), without its newline.
  std::string_view line(std::int64_t number) const { return at(number).text; }
  // Returns true for each line but perhaps the last one.
  bool has_newline(std::int64_t number) const { return number < count() || file_.ends_with('\n'); }
  // The offset of the line `number`, from 1 to count() + 1: the last one is the end of the file.
  std::size_t offset(std::int64_t number) const;
  std::string_view file() const { return file_; }

  // Returns all lines at which `block` occurs, which consists of whole lines; a line without a newline occurs
  // only at the end of the file. Takes time in proportion to the lines of both.
  std::vector<std::int64_t> places_of(std::string_view block) const;

 private:
  struct Line {
    std::string_view text;
    std::uint64_t hash = 0;
  };

  static std::vector<Line> split(std::string_view text);
  const Line& at(std::int64_t number) const { return lines_[static_cast<std::size_t>(number - 1)]; }

  std::string_view file_;
  std::vector<Line> lines_;
};

}  // namespace snapgen::core
