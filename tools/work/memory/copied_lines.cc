#include "tools/work/memory/copied_lines.h"

#include <unordered_map>
#include <utility>

#include <fcntl.h>

#include "runtime/base/fd.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/durable.h"
#include "tools/work/memory/records.h"

namespace snapgen::core {
namespace {

constexpr std::string_view folder_name = "learnings";
constexpr std::string_view copy_folder = ".snapback/learnings/";
constexpr std::size_t state_bytes = 256;  // More than the largest state.

void add_line(std::string& lines, std::string_view line) {
  if (!lines.empty()) lines += '\n';
  lines += line;
}

}  // namespace

CopiedLines::CopiedLines(const RecordFolders& folders, std::string_view name, NormalizeLine normalize)
    : folders_(folders),
      records_(folders.records, std::string(folder_name) + "/" + std::string(name)),
      copy_(folders.root, std::string(copy_folder) + std::string(name)),
      state_name_("copy-" + std::string(name)),
      normalize_(normalize) {}

Result<CopyDifference> CopiedLines::compare() const {
  CopyDifference difference;
  std::unordered_map<std::string, std::int64_t> recorded;
  const auto count = [&](std::string_view line) { ++recorded[std::string(line)]; };
  difference.records_end = TRY(records_.for_each_line(0, count));
  // Equal lines are counted: a violation that was written twice by hand happened twice.
  const auto take = [&](std::string line) {
    const auto same = recorded.find(line);
    const bool is_recorded = same != recorded.end() && same->second > 0;
    if (is_recorded) --same->second;
    return is_recorded;
  };
  const std::int64_t size = copy_.current_stat().size;
  const std::int64_t end = TRY(copy_.for_each_line(0, [&](std::string_view line) {
    if (take(std::string(line))) return;
    const std::optional<std::string> normal = normalize_(line);
    if (!normal)
      ++difference.unreadable;
    else if (!take(*normal))
      add_line(difference.only_in_copy, *normal);
  }));
  difference.is_torn = end < size;
  // The remaining lines are listed in their order.
  TRY(records_.for_each_line(0, [&](std::string_view line) {
    if (take(std::string(line)) && normalize_(line)) add_line(difference.only_in_records, line);
  }));
  return difference;
}

Result<std::int64_t> CopiedLines::for_each_line(
    const std::function<void(std::string_view line)>& take) const {
  TRY(records_.for_each_line(0, take));
  const CopyDifference difference = TRY(compare());
  std::string_view rest = difference.only_in_copy, line;
  while (next_line(rest, line)) take(line);
  return difference.unreadable + (difference.is_torn ? 1 : 0);
}

bool CopiedLines::is_copy_known() {
  const JsonLinesStat now = copy_.current_stat();
  if (now == state_.copy && now != JsonLinesStat()) return true;
  load_state();
  return now == state_.copy && (now != JsonLinesStat() || records_.current_stat() == JsonLinesStat());
}

Result<std::int64_t> CopiedLines::import_lines() const {
  CopyDifference difference = TRY(compare());
  if (difference.only_in_copy.empty()) return difference.unreadable;
  TRY(make_folders(folders_.records + "/" + std::string(folder_name)));
  // Compares again under the lock, because another process may import the same lines.
  const auto missing_lines = [&]() -> Result<std::string> {
    difference = TRY(compare());
    return difference.only_in_copy;
  };
  TRY(records_.append_made(missing_lines));
  return difference.unreadable;
}

Result<Unit> CopiedLines::import_new_lines() {
  const JsonLinesStat now = copy_.current_stat();
  // Reports a symlink in place of the copy.
  if (now == JsonLinesStat()) TRY(copy_.read(0, 0));
  if (is_copy_known()) return Unit{};
  if (now == JsonLinesStat()) {
    // If the copy cannot be written, the store has the records all the same.
    static_cast<void>(complete_copy());
    return Unit{};
  }
  std::int64_t unreadable = TRY(import_lines());
  save_state({.copy = now, .copied_to = -1, .unreadable = unreadable});
  return Unit{};
}

Result<Unit> CopiedLines::append(const std::function<Result<std::string>()>& make_line) {
  TRY(make_folders(folders_.records + "/" + std::string(folder_name)));
  TRY(records_.append_made(make_line));
  static_cast<void>(complete_copy());
  return Unit{};
}

// Adds the records that the copy lacks to it. Errors: as make_state_folder() and JsonLinesFile::append().
Result<Unit> CopiedLines::complete_copy() {
  if (records_.current_stat() == JsonLinesStat()) return Unit{};
  Result<std::string> made = make_state_folder(folders_.root, folder_name);
  if (!made) return Unit{};  // The work tree cannot be written, or a symlink is in place of the folder.
  State state;
  const auto missing_lines = [&]() -> Result<std::string> {
    load_state();
    state.unreadable = state_.unreadable;
    std::string lines;
    if (state_.copied_to >= 0 && copy_.current_stat() == state_.copy) {
      const auto add = [&](std::string_view line) {
        if (normalize_(line)) add_line(lines, line);
      };
      state.copied_to = TRY(records_.for_each_line(state_.copied_to, add));
      return lines;
    }
    CopyDifference difference = TRY(compare());
    state.unreadable = difference.unreadable;
    state.copied_to = difference.records_end;
    // Lines that are only in the copy are not imported yet.
    if (!difference.only_in_copy.empty()) state.copied_to = -1;
    return std::move(difference.only_in_records);
  };
  // Saved under the lock: otherwise the state could name a copy to which another process has added lines.
  const auto save = [&] {
    state.copy = state.copied_to < 0 ? JsonLinesStat() : copy_.current_stat();
    save_state(state);
  };
  return copy_.append_made(missing_lines, Durability::process_crash, save);
}

void CopiedLines::load_state() {
  state_ = {};
  const Result<std::string> text = read_whole_file(folders_.tree + "/" + state_name_, state_bytes);
  if (!text || !json::valid_utf8(*text)) return;
  State found;
  std::int64_t device = 0, inode = 0;
  json::Reader in(*text);
  json::read_members(in, "copied_to", found.copied_to, "device", device, "inode", inode, "mtime_ns",
                     found.copy.mtime_ns, "size", found.copy.size, "unreadable", found.unreadable);
  in.end();
  found.copy.device = static_cast<std::uint64_t>(device);
  found.copy.inode = static_cast<std::uint64_t>(inode);
  if (in.ok()) state_ = found;
}

// If the state cannot be written, the next process compares the files again.
void CopiedLines::save_state(State state) {
  state_ = state;
  if (!make_folders(folders_.tree)) return;
  std::string text = JsonObject()
                         .add("copied_to", state.copied_to)
                         .add("device", static_cast<std::int64_t>(state.copy.device))
                         .add("inode", static_cast<std::int64_t>(state.copy.inode))
                         .add("mtime_ns", state.copy.mtime_ns)
                         .add("size", state.copy.size)
                         .add("unreadable", state.unreadable)
                         .finish();
  // Written in place, with a fixed size: replacing a file makes some file systems write its data at once, and
  // a state that a crash left incomplete is not understood.
  text.resize(state_bytes, ' ');
  const Fd fd(::open((folders_.tree + "/" + state_name_).c_str(),
                     O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (fd) static_cast<void>(write_at(fd.get(), text, 0));
}

RecordLines::RecordLines(const RecordFolders& folders)
    : learnings(folders, "user-learnings.jsonl", normalized_learning_line),
      violations(folders, "violations.jsonl", normalized_violation_line),
      reverts(folders, "reverts.jsonl", normalized_revert_line) {}

}  // namespace snapgen::core
