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

constexpr std::size_t takings_max = 16;

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
                     [&](const std::string& folder) { return is_below(path, folder); });
}

bool read_paths(json::Reader& in, std::vector<std::string>& paths) {
  bool good = in.begin_array();
  while (good && in.next_element()) {
    std::string path;
    good = read_bytes(in, path);
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
    good = in.begin_array() && in.next_element() && read_bytes(in, one.path) && in.next_element();
    if (good) in.integer(mode);
    good = good && !in.next_element() && mode >= 0 && mode <= 0777;
    one.mode = static_cast<std::uint32_t>(mode);
    if (good) exact.push_back(std::move(one));
  }
  return good;
}

void write_taking(json::Writer& out, const SnapshotCapture& taking) {
  out.text("{");
  if (!taking.scope.absent.empty()) {
    out.text("\"absent\":");
    write_paths(out, taking.scope.absent);
    out.text(",");
  }
  if (!taking.privacy.exact.empty()) {
    out.text("\"exact\":");
    write_exact(out, taking.privacy.exact);
    out.text(",");
  }
  out.text("\"folders\":");
  write_paths(out, taking.scope.folders);
  out.text(",\"from_group\":");
  write_paths(out, taking.privacy.hidden_from_group);
  out.text(",\"from_others\":");
  write_paths(out, taking.privacy.hidden_from_others);
  out.text(",\"prefix\":");
  out.string(text_of_bytes(taking.origin.prefix));
  out.text(",\"taken_ms\":");
  out.integer(taking.scope.taken_ms);
  out.text(",\"tree\":");
  out.string(text_of_bytes(taking.origin.tree));
  out.text(",\"unknown\":");
  write_paths(out, taking.scope.unknown);
  out.text("}");
}

bool read_takings(json::Reader& in, std::vector<SnapshotCapture>& takings) {
  bool good = in.begin_array();
  const auto paths = [&](std::vector<std::string>& to) {
    return [&](json::Reader& value) { good = read_paths(value, to) && good; };
  };
  const auto bytes = [&](std::string& to) {
    return [&](json::Reader& value) { good = read_bytes(value, to) && good; };
  };
  while (good && in.next_element()) {
    auto& [origin, scope, privacy] = takings.emplace_back();
    const auto exact = [&](json::Reader& value) { good = read_exact(value, privacy.exact) && good; };
    const bool is_object =
        json::read_members(in, "absent", paths(scope.absent), "exact", exact, "folders", paths(scope.folders),
                           "from_group", paths(privacy.hidden_from_group), "from_others",
                           paths(privacy.hidden_from_others), "prefix", bytes(origin.prefix), "taken_ms",
                           scope.taken_ms, "tree", bytes(origin.tree), "unknown", paths(scope.unknown));
    good = good && is_object;
  }
  return good;
}

}  // namespace

bool SnapshotScope::proves_absence(std::string_view path) const {
  return is_below_any(path, absent) || (is_below_any(path, folders) && !is_below_any(path, unknown));
}

bool SnapshotScope::covers(std::string_view path) const {
  return is_below_any(path, absent) || is_below_any(path, folders);
}

SnapshotScope SnapshotNote::scope_at(const SnapshotOrigin& origin) const {
  auto taking = std::find_if(takings.begin(), takings.end(),
                             [&](const SnapshotCapture& one) { return one.origin == origin; });
  return taking == takings.end() ? SnapshotScope() : taking->scope;
}

const SnapshotCapture* SnapshotNote::nearest_to(const SnapshotOrigin& origin) const {
  const SnapshotCapture* nearest = nullptr;
  for (const SnapshotCapture& taking : takings) {
    if (taking.origin == origin) return &taking;
    if (nearest == nullptr && taking.origin.prefix == origin.prefix) nearest = &taking;
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
  return takings.empty() || std::any_of(takings.begin(), takings.end(), [&](const SnapshotCapture& one) {
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
  out.integer(note.stats.files);
  out.text(",\"latest_ms\":");
  out.integer(note.latest_ms);
  out.text(",\"message\":");
  out.string(text_of_bytes(note.message));
  out.text(",\"takings\":[");
  for (const SnapshotCapture& taking : note.takings) {
    if (&taking != &note.takings.front()) out.text(",");
    write_taking(out, taking);
  }
  out.text(note.undo ? "],\"undo\":true}" : "]}");
  return text;
}

std::optional<SnapshotNote> parse_snapshot_note(const std::string& hex, std::string_view text) {
  if (!json::valid_utf8(text)) return std::nullopt;
  SnapshotNote note{.hex = hex, .message = {}, .stats = {}, .takings = {}};
  json::Reader in(text);
  bool good = true;
  const auto takings = [&](json::Reader& value) { good = read_takings(value, note.takings); };
  json::read_members(in, "bytes", note.stats.bytes, "created_ms", note.created_ms, "files", note.stats.files,
                     "latest_ms", note.latest_ms, "message", note.message, "takings", takings, "undo",
                     note.undo);
  in.end();
  Result<std::string> message = bytes_of_text(note.message);
  if (!good || !in.ok() || !message) return std::nullopt;
  note.message = *std::move(message);
  // Older versions list the absent paths of an undo snapshot as folders.
  for (SnapshotCapture& taking : note.takings)
    if (note.undo && taking.scope.absent.empty()) std::swap(taking.scope.absent, taking.scope.folders);
  return note;
}

void add_taking(std::vector<SnapshotCapture>& takings, SnapshotCapture taking) {
  auto before = std::find_if(takings.begin(), takings.end(),
                             [&](const SnapshotCapture& one) { return one.origin == taking.origin; });
  if (before != takings.end()) {
    if (taking.scope.folders.empty()) taking.scope = std::move(before->scope);
    takings.erase(before);
  }
  takings.insert(takings.begin(), std::move(taking));
  // Drops the oldest takings, but not the latest one of each prefix, without which the snapshot would not be
  // listed there.
  for (std::size_t i = takings.size(); i-- > 0 && takings.size() > takings_max;) {
    const auto at = takings.begin() + static_cast<std::ptrdiff_t>(i);
    const bool is_latest_there = std::none_of(takings.begin(), at, [&](const SnapshotCapture& one) {
      return one.origin.prefix == at->origin.prefix;
    });
    if (!is_latest_there) takings.erase(at);
  }
}

}  // namespace snapgen::core
