#include "tools/engine/store/snapshots/undo_pack.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "tools/engine/store/blobs/integers.h"
#include "tools/engine/store/blobs/segment_index.h"
#include "tools/engine/store/snapshots/snapshot_files.h"

namespace snapgen::core {
namespace {

constexpr std::string_view title = "snapgen-undos 1 ";
constexpr std::size_t checksum_digits = 16;

// The checksum of a line: of its id, and of all that follows the checksum.
std::string checksum_text(std::string_view hex, std::string_view rest) {
  std::string bytes;
  append_integer(bytes, checksum_of(std::string(hex).append(rest)));
  return snapgen::hex(bytes);
}

// Removes a decimal number and the byte `end` from the front of `text`.
std::optional<std::size_t> take_number(std::string_view& text, char end) {
  std::size_t number = 0;
  const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(next - text.data());
  if (error != std::errc() || length == text.size() || *next != end) return std::nullopt;
  text.remove_prefix(length + 1);
  return number;
}

// Removes the first line from the front of `bytes`. Returns the number in it, or nullopt if it is damaged.
std::optional<std::size_t> take_title(std::string_view& bytes) {
  std::string_view line = bytes.substr(0, std::min(bytes.find('\n'), bytes.size() - 1) + 1);
  bytes.remove_prefix(line.size());
  if (!line.starts_with(title)) return std::nullopt;
  line.remove_prefix(title.size());
  const std::optional<std::size_t> count = take_number(line, '\n');
  return line.empty() ? count : std::nullopt;
}

// Parses a line whose id can be read.
PackedUndo parse_line(const PackLine& line) {
  const std::string hex(line.hex);
  std::string_view rest = line.text.substr(hex.size() + 1);
  const std::string_view checksum = rest.substr(0, checksum_digits);
  rest.remove_prefix(checksum.size());
  bool is_sound = checksum == checksum_text(hex, rest) && rest.starts_with(' ');
  if (is_sound) rest.remove_prefix(1);
  const std::optional<std::size_t> header_bytes = is_sound ? take_number(rest, ' ') : std::nullopt;
  is_sound = header_bytes && *header_bytes <= rest.size();
  std::optional<SnapshotNote> note;
  if (is_sound) note = parse_snapshot_note(hex, rest.substr(*header_bytes));
  if (!note)
    return {.note = {.hex = hex, .message = {}, .is_undo = true, .stats = {}, .captures = {}},
            .header_text = {},
            .is_damaged = true};
  return {.note = *std::move(note), .header_text = std::string(rest.substr(0, *header_bytes))};
}

}  // namespace

std::vector<PackLine> lines_of_undo_pack(std::string_view bytes) {
  std::vector<PackLine> lines;
  take_title(bytes);
  while (!bytes.empty()) {
    const std::string_view text = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), text.size() + 1));
    const std::string_view hex = text.substr(0, snapshot_hex_digits);
    const bool is_named = text.size() > snapshot_hex_digits && is_snapshot_hex(hex);
    lines.push_back({.hex = is_named ? hex : std::string_view(), .text = text});
  }
  return lines;
}

UndoPack parse_undo_pack(std::string_view bytes) {
  UndoPack pack;
  const std::vector<PackLine> lines = lines_of_undo_pack(bytes);
  pack.has_unknown_damage = take_title(bytes) != lines.size();
  pack.undos.reserve(lines.size());
  for (const PackLine& line : lines) {
    if (line.hex.empty())
      pack.has_unknown_damage = true;
    else
      pack.undos.push_back(parse_line(line));
  }
  return pack;
}

std::string undo_pack_line(std::string_view hex, std::string_view header_text, std::string_view note_text) {
  if (header_text.find('\n') != std::string_view::npos || note_text.find('\n') != std::string_view::npos)
    return {};
  const std::string rest =
      " " + std::to_string(header_text.size()) + " " + std::string(header_text) + std::string(note_text);
  return std::string(hex) + " " + checksum_text(hex, rest) + rest;
}

std::string encoded_undo_pack(const std::vector<std::string_view>& lines) {
  std::string bytes = std::string(title) + std::to_string(lines.size()) + "\n";
  for (const std::string_view line : lines) bytes.append(line).append("\n");
  return bytes;
}

}  // namespace snapgen::core
