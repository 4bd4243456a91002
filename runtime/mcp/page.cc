#include "runtime/mcp/page.h"

#include <algorithm>
#include <charconv>

#include "runtime/base/text.h"
#include "runtime/json/writer.h"

namespace snapgen::mcp {

namespace {

// Returns a hash (FNV-1a) of all entries, which identifies the list in cursors.
std::uint64_t stamp(const std::span<const std::string_view> entries) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::string_view entry : entries) {
    for (const char byte : entry) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    hash = (hash ^ 0xff) * 0x100000001b3U;
  }
  return hash;
}

}  // namespace

std::string cursor_for(std::size_t begin, const std::span<const std::string_view> entries) {
  return base64(std::to_string(begin) + ":" + std::to_string(stamp(entries)));
}

std::optional<std::size_t> page_begin(std::string_view cursor,
                                      const std::span<const std::string_view> entries) {
  if (cursor.empty()) return 0;
  const std::optional<std::string> text = base64_decoded(cursor);
  if (!text) return std::nullopt;
  std::size_t begin = 0;
  const char* end = text->data() + text->size();
  const std::from_chars_result number = std::from_chars(text->data(), end, begin);
  if (number.ec != std::errc() || begin == 0 || begin >= entries.size()) return std::nullopt;
  if (cursor != cursor_for(begin, entries)) return std::nullopt;
  return begin;
}

std::string page_members(std::string_view member, const std::span<const std::string_view> entries,
                         std::size_t begin, std::size_t page_size) {
  const std::size_t rest = entries.size() - begin;
  const std::size_t count = page_size == 0 ? rest : std::min(page_size, rest);
  std::string out;
  json::Writer writer(out);
  if (count < rest) {
    writer.text("\"nextCursor\":");
    writer.string(cursor_for(begin + count, entries));
    writer.text(",");
  }
  writer.string(member);
  writer.text(":[");
  for (std::size_t i = begin; i != begin + count; ++i) {
    if (i != begin) writer.text(",");
    writer.text(entries[i]);
  }
  writer.text("]");
  return out;
}

}  // namespace snapgen::mcp
