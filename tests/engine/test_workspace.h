#pragma once
// TestWorkspace: an open workspace on a real repository in a temporary folder, with short forms of the
// tools' operations.
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tools/engine/operations/capture.h"
#include "tools/engine/read/file.h"
#include "tools/engine/read/list.h"
#include "tools/engine/read/snapshot_view.h"
#include "tools/engine/search/grep.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {

class TestWorkspace {
 public:
  // `script` builds the repository (see git/scratch.h).
  explicit TestWorkspace(std::string_view script = "new; save") {
    scratch.run(script);
    reopen();
  }

  // Reopens the workspace, as a restart of the server does.
  void reopen() {
    EXPECT_TRUE(!opened || opened->leases().save());
    crash();
  }
  // Reopens the workspace, as after a crash of the server.
  void crash() {
    opened.reset();
    Result<std::unique_ptr<Workspace>> workspace =
        Workspace::open(scratch.repo(), scratch.environment(), [this] { return now_ns() + clock_offset_ns; });
    if (workspace) {
      opened = *std::move(workspace);
    } else {
      ADD_FAILURE() << workspace.error().message;
    }
  }

  using Lease = std::optional<std::string>;

  Result<WithLease<FileAnswer>> file(std::string path, const Lease& lease = {}) {
    FileQuery query{.path = std::move(path), .start_line = {}, .end_line = {}};
    return read_worktree(*opened, lease, {}, [&](FileView& view) { return read_file(view, query); });
  }
  Result<WithLease<ListAnswer>> list(ListQuery query, const Lease& lease = {}) {
    return read_worktree(*opened, lease, {}, [&](FileView& view) { return list_entries(view, query); });
  }
  Result<WithLease<GrepAnswer>> search(GrepQuery query, const Lease& lease = {}) {
    return read_worktree(*opened, lease, {}, [&](FileView& view) { return grep(view, query); });
  }
  Result<CreatedSnapshot> create(std::optional<std::vector<std::string>> paths, const Lease& lease = {},
                                 std::string message = {}) {
    return create_snapshot(*opened,
                           {.lease_id = lease, .paths = std::move(paths), .message = std::move(message)}, {});
  }
  // Returns the created snapshot, or null.
  std::shared_ptr<const Snapshot> made(const Result<CreatedSnapshot>& created) {
    if (!created) return nullptr;
    Result<std::shared_ptr<const Snapshot>> loaded = opened->snapshots().load(created->id());
    return loaded ? *loaded : nullptr;
  }
  // Returns the view of a snapshot, which must exist.
  std::unique_ptr<SnapshotView> view(std::string_view id) {
    return std::make_unique<SnapshotView>(*opened->snapshots().load(id), opened->blobs(), std::stop_token());
  }

  // Waits until the file system's clock has advanced, so that no earlier write is racy.
  void wait_for_watch() const;

  Scratch scratch;
  std::atomic<std::int64_t> clock_offset_ns = 0;
  std::unique_ptr<Workspace> opened;
};

// Returns the paths of a manifest, one per line.
std::string paths_of(const std::vector<ManifestRow>& rows);

}  // namespace snapgen::core
