#include "tools/engine/base/phrase.h"

#include <iterator>

#include "runtime/base/text.h"

namespace snapgen::core {

std::string count_with_noun(std::int64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string size_text(std::uint64_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  std::size_t unit = 1;
  std::uint64_t tenths = bytes * 10 / 1024;
  for (; tenths >= 10240 && unit + 1 < std::size(units); ++unit) tenths /= 1024;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + units[unit];
}

std::string shortened(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  std::string_view cut = utf8_head(text, bytes_max);
  const std::size_t space = cut.rfind(' ');
  if (space != std::string_view::npos && space > bytes_max / 2) cut = cut.substr(0, space);
  return std::string(cut) + "…";
}

std::string short_snapshot_id(std::string_view id) {
  constexpr std::size_t digits = 10;
  for (const std::string_view prefix : {"sha256:", "snap_"})
    if (id.starts_with(prefix)) id.remove_prefix(prefix.size());
  return "snap_" + std::string(id.substr(0, digits));
}

std::string with_leading_space(const std::string& sentence) {
  return sentence.empty() ? sentence : " " + sentence;
}

}  // namespace snapgen::core
