#include "tools/engine/operations/diff/report.h"

#include <cassert>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {

Result<Unit> DiffBuilder::add(const DiffPair& pair, bool unmerged) {
  if (stop_.stop_requested()) return cancelled_call_error();
  SectionLimits limits{.context = query_.context, .text_bytes_max = query_.bytes_max - answer_.diff.size()};
  std::optional<DiffSection> section = TRY(section_of(pair, kind_, limits, query_.encodings));
  if (!section) return Unit{};
  if (section->too_large) ++answer_.skipped.too_large;
  DiffedFile file{.path = pair.path,
                  .status = section->status,
                  .unmerged = unmerged,
                  .added_lines = section->added_lines,
                  .removed_lines = section->removed_lines,
                  .binary = section->binary,
                  .omitted = section->cut || section->too_large,
                  .encoding = section->encoding};
  add(std::move(file), section->text);
  return Unit{};
}

void DiffBuilder::add(DiffedFile file, std::string_view text) {
  assert(answer_.files.empty() || answer_.files.back().path <= file.path);
  if (is_full()) {
    answer_.truncated = true;
    return;
  }
  if (text.size() > query_.bytes_max - answer_.diff.size()) file.omitted = true;
  if (file.omitted) {
    answer_.truncated = true;
  } else {
    answer_.diff += text;
  }
  answer_.files.push_back(std::move(file));
}

std::uint32_t git_mode(FileMode mode) {
  switch (mode) {
    case FileMode::plain: return 0100644;
    case FileMode::executable: return 0100755;
    case FileMode::symlink: return 0120000;
  }
  return 0;
}

Error cannot_compare_error(const ManifestEntry& entry, Error why) {
  return lost_file_error(entry.path, "cannot be compared", std::move(why),
                         "Name the other paths to compare those.");
}

DiffSide side_of(Workspace& workspace, const ManifestEntry& entry) {
  DiffSide side{.mode = git_mode(entry.mode), .size = {}, .oid = {}, .read = {}};
  std::optional<std::uint64_t> size = workspace.blobs().size_of(entry.blob);
  if (size) side.size = static_cast<std::int64_t>(*size);
  side.read = [&workspace, &entry]() -> Result<std::string> {
    Result<std::string> bytes = workspace.blobs().get(entry.blob);
    return bytes ? std::move(bytes) : cannot_compare_error(entry, std::move(bytes).error());
  };
  return side;
}

DiffSide side_of(const Repository& repository, const GitFile& file) {
  DiffSide side{.mode = file.mode, .size = {}, .oid = file.oid, .read = {}};
  if (file.mode == 0) return side;
  if ((file.mode & git::mode_type_mask) == git::mode_gitlink) {
    side.read = [oid = file.oid] { return Result<std::string>("Subproject commit " + oid.hex() + "\n"); };
    return side;
  }
  Result<std::optional<std::size_t>> size = size_of_blob(repository, file.oid);
  if (size && *size) side.size = static_cast<std::int64_t>(**size);
  side.read = [&repository, oid = file.oid]() -> Result<std::string> {
    std::optional<std::string> bytes = TRY(read_blob(repository, oid));
    if (bytes) return *std::move(bytes);
    return Error(ErrorCode::not_found,
                 "The repository lacks the object " + oid.hex() + ". git fsck reports what else is missing.");
  };
  return side;
}

}  // namespace snapgen::core
