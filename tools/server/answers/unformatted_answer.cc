#include "tools/server/answers/unformatted_answer.h"

#include "runtime/base/visible.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"

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

std::string skipped_line(std::string_view skipped) {
  std::string line;
  json::Reader in(skipped);
  if (!in.begin_object()) return line;
  std::string_view reason;
  while (in.next_key(reason)) {
    line += line.empty() ? "skipped " : ", ";
    const std::string name(reason);
    std::string_view count;
    in.raw(count);
    line.append(count).append(" ").append(name);
  }
  if (!line.empty()) line += "\n";
  return line;
}

}  // namespace snapgen::tools
