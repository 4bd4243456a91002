// The content of one file of a snapshot is damaged. Every operation that needs the content names that file.
#include <fcntl.h>

#include "tests/engine/operations/gc/store.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/operations/apply_patch.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/export/export.h"

namespace snapgen::core {
namespace {

class LostFile : public testing::Test {
 protected:
  void SetUp() override {
    store_.write("dir/lost", "what is lost\n" + prose(3000, 1));
    store_.write("other", prose(3000, 2));
    store_.scratch.run("ln -s dir/lost link; git add -A; git commit -qm all");
    snapshot("damaged");
    store_.write("dir/lost", "what is new\n");
    snapshot("later");
    const BlobId id = blob_id_of("what is lost\n" + prose(3000, 1));
    const std::string segment = store_.segments().front();
    const BlobLocation place = *(*Segment::open(store_.blobs(), segment))->find(id);
    const Fd fd(::open((store_.blobs() + "/" + segment + ".seg").c_str(), O_RDWR));
    const std::uint64_t offset = place.offset + record_header_bytes + place.stored_bytes / 2;
    char byte = 0;
    ASSERT_TRUE(read_at(fd.get(), &byte, 1, offset));
    ASSERT_TRUE(write_at(fd.get(), std::string(1, static_cast<char>(byte ^ 1)), offset));
    store_.reopen();
    load();
  }
  void snapshot(const std::string& name) { ids_[name] = store_.snapshot(); }
  void load() {
    for (const auto& [name, id] : ids_) loaded_[name] = *store_.opened->snapshots().load("sha256:" + id);
  }
  const Snapshot& damaged() { return *loaded_["damaged"]; }

  template <class T>
  static void expect_named(const Result<T>& answer, std::string_view what, std::string_view then = {}) {
    ASSERT_FALSE(answer) << what;
    EXPECT_EQ(answer.error().code, ErrorCode::internal);
    const std::string& message = answer.error().message;
    EXPECT_TRUE(message.starts_with("dir/lost " + std::string(what) + ": The blob sha256:")) << message;
    EXPECT_TRUE(message.ends_with(then)) << message;
  }

  Store store_;
  std::map<std::string, std::string> ids_;
  std::map<std::string, std::shared_ptr<const Snapshot>> loaded_;
};

TEST_F(LostFile, IsNamedInTheErrorOfAnExport) {
  const Result<ExportSource> files = export_source(*store_.opened, damaged(), PathScope({}));
  ASSERT_TRUE(files);
  constexpr std::string_view then = " Name the other paths to export those.";
  expect_named(tar_of(*files, export_bytes_limit, {}), "cannot be exported", then);
  expect_named(bundle_of(*files, damaged().fingerprint, export_bytes_limit, {}), "cannot be exported", then);
  EXPECT_TRUE(
      tar_of(*export_source(*store_.opened, damaged(), PathScope({"other"})), export_bytes_limit, {}));
}

TEST_F(LostFile, IsNamedByReadsAndSearches) {
  const auto view = store_.view("sha256:" + ids_["damaged"]);
  for (const char* path : {"dir/lost", "link"})
    expect_named(read_file(*view, {.path = path, .start_line = {}, .end_line = {}}),
                 "cannot be read in the snapshot");
  GrepQuery query;
  query.pattern = "what";
  expect_named(grep(*view, query), "cannot be read in the snapshot",
               " Name the other paths to search those.");
  query.paths = {"other"};
  EXPECT_TRUE(grep(*view, query));
}

TEST_F(LostFile, IsNamedByADiff) {
  constexpr std::string_view then = " Name the other paths to compare those.";
  Workspace& workspace = *store_.opened;
  expect_named(diff_snapshots(workspace, damaged(), *loaded_["later"], {}, {}), "cannot be compared", then);
  expect_named(diff_snapshot_with_git(workspace, damaged(), GitBase::head, {}, {}), "cannot be compared",
               then);
  auto live = [&](LiveView& view) { return diff_live_with_snapshot(workspace, damaged(), view, {}); };
  expect_named(read_worktree(workspace, {}, {}, live), "cannot be compared", then);
}

TEST_F(LostFile, IsNamedByAPatchOfTheSnapshot) {
  const PatchQuery query{.patch = "--- a/dir/lost\n+++ b/dir/lost\n@@ -1 +1 @@\n-what is lost\n+x\n"};
  expect_named(patch_snapshot(*store_.opened, loaded_["damaged"], query, {}),
               "cannot be read in the snapshot", " Patch the other files, or another snapshot.");
}

TEST_F(LostFile, IsNamedByVerifyUpToALimit) {
  Result<VerifyResult> found = verify_store(*store_.opened, {});
  ASSERT_TRUE(found && found->damages.size() == 1);
  EXPECT_EQ(found->damages[0].paths, std::vector<std::string>{"dir/lost"});
  EXPECT_FALSE(found->damages[0].has_more_paths);
}

}  // namespace
}  // namespace snapgen::core
