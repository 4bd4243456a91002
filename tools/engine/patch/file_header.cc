#include "tools/engine/patch/file_header.h"

#include <algorithm>
#include <utility>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/names.h"

namespace snapgen::core {
namespace {

constexpr std::size_t header_bytes_max = 64 * 1024;  // Two paths with every byte escaped, and some margin.

std::string without_prefix(std::string name, std::string_view prefix) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

}  // namespace

std::optional<PatchFault> fault_of_header_line(const PatchLines& lines) {
  if (lines.line().size() > header_bytes_max)
    return PatchFault{lines.number(), "this header line is too long"};
  return std::nullopt;
}

std::optional<PatchFault> read_side_line(PatchLines& lines, std::string_view prefix, SideLine& out) {
  if (lines.at_end() || !lines.line().starts_with(prefix))
    return PatchFault{lines.number(), "expected a line that begins with " + std::string(prefix.substr(0, 3))};
  if (std::optional<PatchFault> fault = fault_of_header_line(lines)) return fault;
  std::string_view field = lines.header_line().substr(prefix.size());
  std::size_t tab = std::min(field.find('\t'), field.size());  // A name that contains a tab is quoted.
  std::string_view stamp = field.substr(tab);
  std::optional<std::string> name = name_of_field(field.substr(0, tab));
  if (!name) return PatchFault{lines.number(), "this line names no file"};
  if (field.substr(0, tab) != "/dev/null") out.name = std::move(*name);
  out.is_epoch = stamp.starts_with("\t1970-01-01 00:00:00") && stamp.ends_with(" +0000");
  lines.advance();
  return std::nullopt;
}

std::optional<std::string> path_of_sides(const SideLine& old_side, const SideLine& new_side,
                                         std::string_view root) {
  std::optional<std::string> path;
  if (old_side.name && new_side.name)
    path = common_file_name(relative_name(*old_side.name, root), relative_name(*new_side.name, root));
  else if (new_side.name)
    path = without_prefix(*new_side.name, "b/");
  else if (old_side.name)
    path = without_prefix(*old_side.name, "a/");
  if (path) path = relative_name(*path, root);
  return path;
}

bool begins_diff_part(const PatchLines& lines) {
  return lines.line().starts_with("diff --git ") || lines.line().starts_with("diff --cc ") ||
         lines.line().starts_with("diff --combined ");
}

bool begins_side_lines(const PatchLines& lines) {
  if (!lines.line().starts_with("--- ")) return false;
  PatchLines next = lines;
  next.advance();
  return next.line().starts_with("+++ ");
}

bool begins_side_lines_with_hunk(const PatchLines& lines) {
  if (!begins_side_lines(lines)) return false;
  PatchLines next = lines;
  next.advance();
  next.advance();
  return next.line().starts_with("@@");
}

bool begins_part(const PatchLines& lines) { return begins_diff_part(lines) || begins_side_lines(lines); }

bool is_fence(std::string_view line) { return line.starts_with("```") || line.starts_with("~~~"); }

bool is_at_closing_fence(const PatchLines& lines) {
  if (!is_fence(lines.line())) return false;
  PatchLines rest = lines;
  for (rest.advance(); !rest.at_end(); rest.advance()) {
    const std::string_view line = rest.line();
    if (line.starts_with("@@") || line.starts_with("*** ") || line.starts_with('+') || line.starts_with('-'))
      return false;
  }
  return true;
}

}  // namespace snapgen::core
