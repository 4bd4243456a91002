#include "tools/engine/store/snapshots/snapshot_note.h"

#include <algorithm>
#include <utility>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::size_t captures_max = 16;

std::string list_of(const std::vector<std::string>& paths) { return json_list(paths, text_of_bytes); }

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

std::string list_of(const std::vector<PathPermissions>& exact) {
  std::string list;
  for (const PathPermissions& one : exact)
    list += (list.empty() ? "[" : ",[") + json::quoted(text_of_bytes(one.path)) + "," +
            std::to_string(one.mode) + "]";
  return "[" + list + "]";
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

std::string json_of(const SnapshotCapture& capture) {
  JsonObject out;
  const SnapshotScope& scope = capture.scope;
  if (!scope.absent_paths.empty()) out.add_json("absent", list_of(scope.absent_paths));
  if (!capture.privacy.exact.empty()) out.add_json("exact", list_of(capture.privacy.exact));
  return out.add_json("folders", list_of(scope.folders))
      .add_json("from_group", list_of(capture.privacy.hidden_from_group))
      .add_json("from_others", list_of(capture.privacy.hidden_from_others))
      .add("prefix", text_of_bytes(capture.origin.prefix))
      .add("taken_ms", scope.taken_ms)
      .add("tree", text_of_bytes(capture.origin.tree_id))
      .add_json("unknown", list_of(scope.unknown_paths))
      .finish();
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
  std::string takings;
  for (const SnapshotCapture& capture : note.captures)
    takings += (takings.empty() ? "" : ",") + json_of(capture);
  JsonObject out;
  out.add("bytes", note.stats.bytes)
      .add("created_ms", note.created_ms)
      .add("files", note.stats.file_count)
      .add("latest_ms", note.latest_ms)
      .add("message", text_of_bytes(note.message))
      .add_json("takings", "[" + takings + "]");
  if (note.is_undo) out.add_json("undo", "true");
  return out.finish();
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
