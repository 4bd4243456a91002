#include "tools/engine/operations/history/history_diff.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/files/file_mode.h"
#include "tools/engine/files/root.h"
#include "tools/engine/operations/diff/path_scope.h"
#include "tools/engine/operations/diff/report.h"
#include "tools/engine/operations/diff/section.h"

namespace snapgen::core {
namespace {

using Authors = std::map<std::string, std::vector<std::string>, std::less<>>;  // By path.

Result<Authors> authors_in(const Timeline& timeline, BlobStore& blobs, const HistoryTarget& target,
                           const std::stop_token& stop) {
  Authors authors;
  for (const auto& moment : timeline.moments) {
    if (moment->number < target.first || moment->number > target.last) continue;
    if (stop.stop_requested()) return cancelled_call_error();
    const MomentAuthors of_moment(timeline, *moment);
    const std::vector<MomentChange> changes = TRY(changes_of(blobs, *moment));
    for (const MomentChange& change : changes) {
      std::vector<std::string>& listed = authors[change.path];
      std::string author = of_moment.of(change);
      if (std::ranges::find(listed, author) == listed.end()) listed.push_back(std::move(author));
    }
  }
  return authors;
}

// `is_unreadable` is set if the content cannot be read.
DiffSide recorded_side(BlobStore& blobs, const std::optional<HistoryFile>& file, bool& is_unreadable) {
  DiffSide side;
  if (!file) return side;
  side.mode = git_mode(mode_of(FileStat{.mode = file->mode}));
  if (const std::optional<std::uint64_t> size = blobs.size_of(file->blob))
    side.size = static_cast<std::int64_t>(*size);
  side.read = [&blobs, &is_unreadable, blob = file->blob] {
    Result<std::string> bytes = blobs.get(blob);
    is_unreadable = is_unreadable || !bytes;
    return bytes;
  };
  return side;
}

Result<Unit> fill_diff(const MomentChange& change, BlobStore& blobs, TextEncodings& encodings,
                       const SectionLimits& limits, HistoryFileDiff& file) {
  const auto is_left_out = [](const std::optional<HistoryFile>& each) { return each && each->is_left_out(); };
  if (is_left_out(change.before) || is_left_out(change.after)) {
    file.omission = DiffOmission::not_recorded;
    return Unit{};
  }
  bool is_unreadable = false;
  const DiffPair pair{.path = change.path,
                      .before = recorded_side(blobs, change.before, is_unreadable),
                      .after = recorded_side(blobs, change.after, is_unreadable),
                      .binary = {}};
  Result<std::optional<DiffSection>> compared = section_of(pair, HashKind::sha1, limits, &encodings);
  if (is_unreadable) {
    file.omission = DiffOmission::unreadable;
    return Unit{};
  }
  std::optional<DiffSection> section = TRY(std::move(compared));
  if (!section) return Unit{};
  file.added_lines = section->added_lines;
  file.removed_lines = section->removed_lines;
  if (section->too_large)
    file.omission = DiffOmission::too_large;
  else if (section->binary)
    file.omission = DiffOmission::binary;
  else if (section->cut)
    file.omission = DiffOmission::too_long;
  else
    file.text = std::move(section->text);
  return Unit{};
}

}  // namespace

Result<HistoryDiff> history_diff(const Timeline& timeline, BlobStore& blobs, TextEncodings& encodings,
                                 const HistoryDiffQuery& query, std::int64_t now_ms,
                                 const std::stop_token& stop) {
  const HistoryTarget target = TRY(find_history_target(timeline, query.target, now_ms));
  if (target.is_time())
    return Error(ErrorCode::invalid_argument, "A time is no change. Name a moment (m12) or a turn (t12).");
  const std::vector<MomentChange> changes = TRY(changes_of(timeline, blobs, target, stop));
  Authors authors = TRY(authors_in(timeline, blobs, target, stop));
  const PathScope scope(query.paths);
  SectionLimits limits{.context = query.context, .text_bytes_max = query.text_bytes_max};
  HistoryDiff diff;
  for (const MomentChange& change : changes) {
    if (!scope.contains(change.path)) continue;
    if (stop.stop_requested()) return cancelled_call_error();
    ++diff.file_count;
    if (diff.files.size() == query.files_max) continue;
    HistoryFileDiff& file = diff.files.emplace_back();
    file.path = change.path;
    file.kind = kind_of(change);
    file.authors = std::move(authors[change.path]);
    TRY(fill_diff(change, blobs, encodings, limits, file));
    limits.text_bytes_max -= file.text.size();
  }
  return diff;
}

}  // namespace snapgen::core
