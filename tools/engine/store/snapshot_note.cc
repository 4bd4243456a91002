#include "tools/engine/store/snapshot_note.h"

#include <algorithm>
#include <utility>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::size_t captures_max = 16;

void write_paths(json::Writer& out, const std::vector<std::string>& paths) {
  out.text("[");
  for (const std::string& path : paths) {
    if (&path != &paths.front()) out.text(",");
    out.string(text_of_bytes(path));
  }
  out.text("]");
}

bool is_below_any(std::string_view path, const std::vector<std::string>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& folder) { return is_at_or_below_folder(path, folder); });
}

bool read_paths(json::Reader& in, std::vector<std::string>& paths) {
  bool good = in.begin_array();
  while (good && in.next_element()) {
    std::string path;
    good = read_encoded_bytes(in, path);
    if (good) paths.push_back(std::move(path));
  }
  return good;
}

void write_exact(json::Writer& out, const std::vector<PathPermissions>& exact) {
  out.text("[");
  for (const PathPermissions& one : exact) {
    out.text(&one == exact.data() ? "[" : ",[");
    out.string(text_of_bytes(one.path));
    out.text(",");
    out.integer(one.mode);
    out.text("]");
  }
  out.text("]");
}

bool read_exact(json::Reader& in, std::vector<PathPermissions>& exact) {
  bool good = in.begin_array();
  while (good && in.next_element()) {
    PathPermissions one;
    std::int64_t mode = 0;
    good = in.begin_array() && in.next_element() && read_encoded_bytes(in, one.path) && in.next_element();
    if (good) in.integer(mode);
    good = good && !in.next_element() && mode >= 0 && mode <= 0777;
    one.mode = static_cast<std::uint32_t>(mode);
    if (good) exact.push_back(std::move(one));
  }
  return good;
}

void write_capture(json::Writer& out, const SnapshotCapture& capture) {
  out.text("{");
  if (!capture.scope.absent_paths.empty()) {
    out.text("\"absent\":");
    write_paths(out, capture.scope.absent_paths);
    out.text(",");
  }
  if (!capture.privacy.exact.empty()) {
    out.text("\"exact\":");
    write_exact(out, capture.privacy.exact);
    out.text(",");
  }
  out.text("\"folders\":");
  write_paths(out, capture.scope.folders);
  out.text(",\"from_group\":");
  write_paths(out, capture.privacy.hidden_from_group);
  out.text(",\"from_others\":");
  write_paths(out, capture.privacy.hidden_from_others);
  out.text(",\"prefix\":");
  out.string(text_of_bytes(capture.origin.prefix));
  out.text(",\"taken_ms\":");
  out.integer(capture.scope.taken_ms);
  out.text(",\"tree\":");
  out.string(text_of_bytes(capture.origin.tree_id));
  out.text(",\"unknown\":");
  write_paths(out, capture.scope.unknown_paths);
  out.text("}");
}

bool read_captures(json::Reader& in, std::vector<SnapshotCapture>& captures) {
  bool good = in.begin_array();
  const auto paths = [&](std::vector<std::string>& to) {
    return [&](json::Reader& value) { good = read_paths(value, to) && good; };
  };
  const auto bytes = [&](std::string& to) {
    return [&](json::Reader& value) { good = read_encoded_bytes(value, to) && good; };
  };
  while (good && in.next_element()) {
    auto& [origin, scope, privacy] = captures.emplace_back();
    const auto exact = [&](json::Reader& value) { good = read_exact(value, privacy.exact) && good; };
    const bool is_object = json::read_members(
        in, "absent", paths(scope.absent_paths), "exact", exact, "folders", paths(scope.folders),
        "from_group", paths(privacy.hidden_from_group), "from_others", paths(privacy.hidden_from_others),
        "prefix", bytes(origin.prefix), "taken_ms", scope.taken_ms, "tree", bytes(origin.tree_id), "unknown",
        paths(scope.unknown_paths));
    good = good && is_object;
  }
  return good;
}

}  // namespace

bool SnapshotScope::proves_absence(std::string_view path) const {
  return is_below_any(path, absent_paths) ||
         (is_below_any(path, folders) && !is_below_any(path, unknown_paths));
}

bool SnapshotScope::covers(std::string_view path) const {
  return is_below_any(path, absent_paths) || is_below_any(path, folders);
}

SnapshotScope SnapshotNote::scope_at(const SnapshotOrigin& origin) const {
  auto capture = std::find_if(captures.begin(), captures.end(),
                              [&](const SnapshotCapture& one) { return one.origin == origin; });
  return capture == captures.end() ? SnapshotScope() : capture->scope;
}

const SnapshotCapture* SnapshotNote::nearest_to(const SnapshotOrigin& origin) const {
  const SnapshotCapture* nearest = nullptr;
  for (const SnapshotCapture& capture : captures) {
    if (capture.origin == origin) return &capture;
    if (nearest == nullptr && capture.origin.prefix == origin.prefix) nearest = &capture;
  }
  return nearest;
}

SnapshotScope SnapshotNote::nearest_scope_at(const SnapshotOrigin& origin) const {
  const SnapshotCapture* nearest = nearest_to(origin);
  return nearest == nullptr ? SnapshotScope() : nearest->scope;
}

Privacy SnapshotNote::privacy_at(const SnapshotOrigin& origin) const {
  const SnapshotCapture* nearest = nearest_to(origin);
  return nearest == nullptr ? Privacy() : nearest->privacy;
}

bool SnapshotNote::is_of_prefix(std::string_view prefix) const {
  return captures.empty() || std::any_of(captures.begin(), captures.end(), [&](const SnapshotCapture& one) {
           return one.origin.prefix == prefix;
         });
}

std::string encoded_snapshot_note(const SnapshotNote& note) {
  std::string text;
  json::Writer out(text);
  out.text("{\"bytes\":");
  out.integer(note.stats.bytes);
  out.text(",\"created_ms\":");
  out.integer(note.created_ms);
  out.text(",\"files\":");
  out.integer(note.stats.file_count);
  out.text(",\"latest_ms\":");
  out.integer(note.latest_ms);
  out.text(",\"message\":");
  out.string(text_of_bytes(note.message));
  out.text(",\"takings\":[");
  for (const SnapshotCapture& capture : note.captures) {
    if (&capture != &note.captures.front()) out.text(",");
    write_capture(out, capture);
  }
  out.text(note.is_undo ? "],\"undo\":true}" : "]}");
  return text;
}

std::optional<SnapshotNote> parse_snapshot_note(const std::string& hex, std::string_view text) {
  if (!json::valid_utf8(text)) return std::nullopt;
  SnapshotNote note{.hex = hex, .message = {}, .stats = {}, .captures = {}};
  json::Reader in(text);
  bool good = true;
  const auto captures = [&](json::Reader& value) { good = read_captures(value, note.captures); };
  json::read_members(in, "bytes", note.stats.bytes, "created_ms", note.created_ms, "files",
                     note.stats.file_count, "latest_ms", note.latest_ms, "message", note.message, "takings",
                     captures, "undo", note.is_undo);
  in.end();
  Result<std::string> message = bytes_of_text(note.message);
  if (!good || !in.ok() || !message) return std::nullopt;
  note.message = *std::move(message);
  // Older versions list the absent paths of an undo snapshot as folders.
  for (SnapshotCapture& capture : note.captures)
    if (note.is_undo && capture.scope.absent_paths.empty())
      std::swap(capture.scope.absent_paths, capture.scope.folders);
  return note;
}

void add_capture(std::vector<SnapshotCapture>& captures, SnapshotCapture capture) {
  auto before = std::find_if(captures.begin(), captures.end(),
                             [&](const SnapshotCapture& one) { return one.origin == capture.origin; });
  if (before != captures.end()) {
    if (capture.scope.folders.empty()) capture.scope = std::move(before->scope);
    captures.erase(before);
  }
  captures.insert(captures.begin(), std::move(capture));
  // Drops the oldest captures, but not the latest one of each prefix, without which the snapshot would not be
  // listed there.
  for (std::size_t i = captures.size(); i-- > 0 && captures.size() > captures_max;) {
    const auto at = captures.begin() + static_cast<std::ptrdiff_t>(i);
    const bool is_latest_there = std::none_of(captures.begin(), at, [&](const SnapshotCapture& one) {
      return one.origin.prefix == at->origin.prefix;
    });
    if (!is_latest_there) captures.erase(at);
  }
}

}  // namespace snapgen::core
