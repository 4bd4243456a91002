#pragma once
// Helpers for the texts of manifests and lock files.
#include <string_view>
#include <vector>

namespace snapgen::core {

// Splits the text at each separator. Returns at least one part; parts may be empty.
inline std::vector<std::string_view> split_by(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

}  // namespace snapgen::core
