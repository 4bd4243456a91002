#include "tools/engine/store/history/moment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "runtime/json/members.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::array<std::pair<MomentCause, std::string_view>, 7> cause_names{{
    {MomentCause::begin, "begin"},
    {MomentCause::quiet, "quiet"},
    {MomentCause::call, "call"},
    {MomentCause::request, "request"},
    {MomentCause::before, "before"},
    {MomentCause::after, "after"},
    {MomentCause::end, "end"},
}};

constexpr int octal = 8;

std::string octal_text(std::uint32_t mode) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), mode, octal).ptr;
  return {digits.data(), end};
}

// A file is ["sha256:…", "100644"], one that is left out ["", "0"] or ["sha256:…", "0"], and null if there is
// none.
std::string encoded_file(const std::optional<HistoryFile>& file) {
  if (!file) return "null";
  const std::string blob = file->blob == BlobId() ? std::string() : file->blob.text();
  return json_list(std::vector<std::string>{blob, octal_text(file->mode)});
}

bool read_file(json::Reader& in, std::optional<HistoryFile>& file) {
  if (in.peek() == json::Kind::null) return in.null();
  std::vector<std::string> parts;
  if (!json::read_value(in, parts) || parts.size() != 2) return false;
  HistoryFile found;
  const char* const end = parts[1].data() + parts[1].size();
  const auto parsed = std::from_chars(parts[1].data(), end, found.mode, octal);
  if (parsed.ec != std::errc() || parsed.ptr != end) return false;
  if (!found.is_left_out() || !parts[0].empty()) {
    const std::optional<BlobId> blob = BlobId::from_text(parts[0]);
    if (!blob) return false;
    found.blob = *blob;
  }
  file = found;
  return true;
}

bool read_change(json::Reader& in, MomentChange& change) {
  std::string path;
  bool is_sound = true;
  const auto read_into = [&is_sound](std::optional<HistoryFile>& file) {
    return [&file, &is_sound](json::Reader& value) { is_sound = read_file(value, file) && is_sound; };
  };
  auto before = read_into(change.before);
  auto after = read_into(change.after);
  if (!json::read_members(in, "path", path, "before", before, "after", after, "server", change.is_by_server))
    return false;
  Result<std::string> parsed = path_from_text(path);
  if (!parsed || !is_sound) return false;
  change.path = *std::move(parsed);
  return true;
}

bool read_changes(json::Reader& in, std::vector<MomentChange>& changes) {
  if (!in.begin_array()) return false;
  bool is_sound = true;
  while (in.next_element()) is_sound = is_sound && read_change(in, changes.emplace_back());
  return is_sound && in.ok();
}

}  // namespace

HistoryFile left_out_for_changes(const std::optional<HistoryFile>& before) {
  return {.blob = before ? before->blob : BlobId(), .mode = 0};
}

std::string_view text(MomentCause cause) {
  return std::ranges::find(cause_names, cause, [](const auto& each) { return each.first; })->second;
}

std::optional<MomentCause> moment_cause_named(std::string_view name) {
  for (const auto& [cause, known] : cause_names)
    if (known == name) return cause;
  return std::nullopt;
}

std::string encoded_changes(const std::vector<MomentChange>& changes) {
  std::string text;
  for (const MomentChange& change : changes) {
    text += text.empty() ? "[" : ",";
    JsonObject object;
    object.add("path", text_of_path(change.path))
        .add_json("before", encoded_file(change.before))
        .add_json("after", encoded_file(change.after));
    if (change.is_by_server) object.add_json("server", "true");
    text += object.finish();
  }
  return text.empty() ? "[]" : text + "]";
}

std::optional<std::vector<MomentChange>> parse_changes(std::string_view text) {
  std::vector<MomentChange> changes;
  json::Reader in(text);
  if (!read_changes(in, changes)) return std::nullopt;
  in.end();
  return in.ok() ? std::optional(std::move(changes)) : std::nullopt;
}

namespace {

void add_position(JsonObject& object, const GitPosition& position) {
  object.add_if_any("head", position.head).add_if_any("branch", position.branch);
  if (position.branches) object.add("branches", position.branches->text());
  if (position.index) object.add("index_entries", position.index->text());
}

// The members of a position as a line has them.
struct PositionMembers {
  std::string head, branch, branches, index;

  GitPosition position() && {
    return {.head = std::move(head),
            .branch = std::move(branch),
            .branches = BlobId::from_text(branches),
            .index = BlobId::from_text(index)};
  }
};

}  // namespace

std::string encoded_moment(const Moment& moment) {
  JsonObject object;
  object.add("moment", static_cast<std::int64_t>(moment.number))
      .add("first", static_cast<std::int64_t>(moment.first_number))
      .add("began_ms", moment.began_ms)
      .add("at_ms", moment.at_ms)
      .add("cause", text(moment.cause));
  add_position(object, moment.position);
  object.add("new_bytes", moment.new_bytes).add("change_count", moment.change_count);
  if (moment.change_blobs.empty()) {
    object.add_json("changes", encoded_changes(moment.changes));
  } else {
    object.add_json("change_blobs",
                    json_list(moment.change_blobs, [](const BlobId& id) { return id.text(); }));
  }
  return object.finish();
}

std::optional<Moment> parse_moment(std::string_view line) {
  Moment moment;
  std::int64_t number = 0;
  std::int64_t first = 0;
  std::string cause;
  std::vector<std::string> blobs;
  PositionMembers position;
  bool is_sound = true;
  auto changes = [&](json::Reader& in) { is_sound = read_changes(in, moment.changes); };
  json::Reader in(line);
  json::read_members(in, "moment", number, "first", first, "began_ms", moment.began_ms, "at_ms", moment.at_ms,
                     "cause", cause, "head", position.head, "branch", position.branch, "branches",
                     position.branches, "index_entries", position.index, "new_bytes", moment.new_bytes,
                     "change_count", moment.change_count, "changes", changes, "change_blobs", blobs);
  in.end();
  const std::optional<MomentCause> known = moment_cause_named(cause);
  if (!in.ok() || !is_sound || !known || first < 1 || number < first) return std::nullopt;
  moment.number = static_cast<std::uint64_t>(number);
  moment.first_number = static_cast<std::uint64_t>(first);
  moment.cause = *known;
  moment.position = std::move(position).position();
  for (const std::string& each : blobs) {
    const std::optional<BlobId> blob = BlobId::from_text(each);
    if (!blob) return std::nullopt;
    moment.change_blobs.push_back(*blob);
  }
  return moment;
}

std::string encoded_base(const HistoryBase& base) {
  JsonObject object;
  object.add("base", static_cast<std::int64_t>(base.number))
      .add("at_ms", base.at_ms)
      .add("state", base.state.text());
  add_position(object, base.position);
  return object.finish();
}

std::optional<HistoryBase> parse_base(std::string_view line) {
  HistoryBase base;
  std::int64_t number = -1;
  std::string state;
  PositionMembers position;
  json::Reader in(line);
  json::read_members(in, "base", number, "at_ms", base.at_ms, "state", state, "head", position.head, "branch",
                     position.branch, "branches", position.branches, "index_entries", position.index);
  in.end();
  const std::optional<BlobId> blob = BlobId::from_text(state);
  if (!in.ok() || number < 0 || !blob) return std::nullopt;
  base.number = static_cast<std::uint64_t>(number);
  base.state = *blob;
  base.position = std::move(position).position();
  return base;
}

Moment merged_moment(const Moment& earlier, Moment later) {
  std::map<std::string_view, const MomentChange*> first;
  for (const MomentChange& change : earlier.changes) first.emplace(change.path, &change);
  std::vector<MomentChange> changes;
  for (MomentChange& change : later.changes) {
    if (const auto found = first.find(change.path); found != first.end()) {
      change.before = found->second->before;
      change.is_by_server = change.is_by_server && found->second->is_by_server;
      first.erase(found);
    }
    if (change.before != change.after) changes.push_back(std::move(change));
  }
  for (const auto& [path, change] : first) changes.push_back(*change);
  std::ranges::sort(changes, {}, &MomentChange::path);
  later.first_number = earlier.first_number;
  later.began_ms = earlier.began_ms;
  later.new_bytes += earlier.new_bytes;
  later.change_count = static_cast<std::int64_t>(changes.size());
  later.changes = std::move(changes);
  later.change_blobs.clear();
  return later;
}

}  // namespace snapgen::core
