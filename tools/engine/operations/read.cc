#include "tools/engine/operations/read.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "tools/engine/read/snapshot_view.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

template <class Query, class Answer>
Result<ReadAnswer<Answer>> read_from(Workspace& workspace, const ReadSource& source, const Query& query,
                                     const std::stop_token& stop,
                                     Result<Answer> (*read)(FileView&, const Query&)) {
  if (source.snapshot_id) {
    std::shared_ptr<const Snapshot> snapshot = TRY(workspace.snapshots().load(*source.snapshot_id));
    SnapshotView view(std::move(snapshot), workspace.blobs(), stop);
    Answer value = TRY(read(view, query));
    return ReadAnswer<Answer>{.value = std::move(value), .lease = {}};
  }
  auto read_live = [&](LiveView& view) { return read(view, query); };
  WithLease<Answer> answer = TRY(read_worktree(workspace, source.lease_id, stop, read_live));
  return ReadAnswer<Answer>{.value = std::move(answer.value), .lease = std::move(answer.lease)};
}

Result<ListAnswer> list_captured(FileView& view, const ListQuery& query) {
  Result<ListAnswer> entries = list_entries(view, query);
  if (!entries && entries.error().code == ErrorCode::not_found) return ListAnswer();
  return entries;
}

}  // namespace

Result<ReadAnswer<FileAnswer>> read_file(Workspace& workspace, const ReadSource& source,
                                         const FileQuery& query, const std::stop_token& stop) {
  return read_from<FileQuery, FileAnswer>(workspace, source, query, stop, &read_file);
}

Result<ReadAnswer<FilesAnswer>> read_files(Workspace& workspace, const ReadSource& source,
                                           const FilesQuery& query, const std::stop_token& stop) {
  return read_from<FilesQuery, FilesAnswer>(workspace, source, query, stop, &read_files);
}

Result<ReadAnswer<GrepAnswer>> grep(Workspace& workspace, const ReadSource& source, const GrepQuery& query,
                                    const std::stop_token& stop) {
  return read_from<GrepQuery, GrepAnswer>(workspace, source, query, stop, &grep);
}

Result<ReadAnswer<ListAnswer>> list_entries(Workspace& workspace, const ReadSource& source,
                                            const ListQuery& query, const std::stop_token& stop) {
  Result<ListAnswer> (*list)(FileView&, const ListQuery&) = &list_entries;
  if (source.snapshot_id) list = &list_captured;
  return read_from<ListQuery, ListAnswer>(workspace, source, query, stop, list);
}

std::optional<ReadAnswer<FileAnswer>> try_read_file(Workspace& workspace, const ReadSource& source,
                                                    const FileQuery& query) {
  if (source.snapshot_id) {
    std::shared_ptr<const Snapshot> snapshot = workspace.snapshots().try_load(*source.snapshot_id);
    if (!snapshot) return std::nullopt;
    SnapshotView view(std::move(snapshot), workspace.blobs(), {});
    if (view.size_at(query.path).value_or(INT64_MAX) > try_bytes_max) return std::nullopt;
    Result<FileAnswer> value = read_file(view, query);
    if (!value) return std::nullopt;
    return ReadAnswer<FileAnswer>{.value = *std::move(value), .lease = {}};
  }
  if (!source.lease_id) return std::nullopt;
  auto read = [&](LiveView& view) { return read_file(view, query); };
  std::optional<WithLease<FileAnswer>> answer = try_read(workspace, *source.lease_id, read);
  if (!answer) return std::nullopt;
  return ReadAnswer<FileAnswer>{.value = std::move(answer->value), .lease = std::move(answer->lease)};
}

}  // namespace snapgen::core
