#include "tools/server/answers/words.h"

#include <cstdint>
#include <optional>

#include "runtime/base/visible.h"

namespace snapgen::tools {

std::string quoted_path(const std::string& path) {
  const bool has_break = path.find_first_of("\n\t") != std::string::npos;
  return has_break || has_hidden_characters(path) ? visible(json::quoted(path)) : path;
}

std::string short_blob_id(std::string_view blob) {
  constexpr std::string_view prefix = "sha256:";
  constexpr std::size_t digits = 10;
  return std::string(blob.starts_with(prefix) ? blob.substr(prefix.size(), digits) : blob);
}

std::string encoding_words(const std::optional<TextEncoding>& encoding) {
  return encoding ? ", encoding " + std::string(text(*encoding)) : "";
}

std::string skipped_line(const Skipped& skipped) {
  // Does not compile if the schema has another reason.
  const auto& [binary, ignored, nested_repository, not_a_file, not_captured, symlink, too_large, unreadable] =
      skipped;
  const std::pair<std::string_view, std::optional<std::int64_t>> counts[] = {
      {"binary", binary},         {"ignored", ignored},           {"nested_repository", nested_repository},
      {"not_a_file", not_a_file}, {"not_captured", not_captured}, {"symlink", symlink},
      {"too_large", too_large},   {"unreadable", unreadable}};
  std::string line;
  for (const auto& [reason, count] : counts) {
    if (!count) continue;
    line += line.empty() ? "skipped " : ", ";
    line.append(std::to_string(*count)).append(" ").append(reason);
  }
  return line.empty() ? line : line + "\n";
}

}  // namespace snapgen::tools
