#pragma once
// SubstringIndex finds many texts in a large content with one scan.
//
// It hashes some bytes of each text, and compares them with the bytes at each offset of the content. So 1,000
// edits of a large file cost about as much as one.
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace snapgen::core {

// Returns the offsets at which `text` occurs in `content`, in order, also where occurrences overlap, at most
// `places_max`. `text` must not be empty.
std::vector<std::size_t> places_in(std::string_view content, std::string_view text, std::size_t places_max);

class SubstringIndex {
 public:
  SubstringIndex() = default;
  // `texts` must outlive this object, `content` only the constructor.
  SubstringIndex(std::string_view content, const std::vector<std::string_view>& texts);

  // Returns the offsets at which `text` occurs, as places_in(), or null if they are not known: `text` is not
  // one of the texts, has less than 4 bytes, or occurs very often.
  const std::vector<std::size_t>* places_of(std::string_view text) const;

 private:
  template <class Key>
  void scan(std::string_view content, const std::vector<std::string_view>& texts);

  std::unordered_map<std::string_view, std::vector<std::size_t>> places_;
};

}  // namespace snapgen::core
