// Exports: equal files give equal bytes, which other programs can read.
#include "tools/engine/operations/export/export.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "runtime/json/details.h"
#include "runtime/json/document.h"
#include "tests/engine/patch/tree.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/base/hash.h"

namespace snapgen::core {
namespace {

class ExportTest : public testing::Test {
 protected:
  void make(std::string_view script) { workspace_.emplace(script); }
  Workspace& opened() { return *workspace_->opened; }
  std::shared_ptr<const Snapshot> created(std::vector<std::string> paths = {""}) {
    Result<CreatedSnapshot> made = workspace_->create(std::move(paths));
    EXPECT_TRUE(made) << made.error().message;
    return workspace_->made(made);
  }
  Result<std::string> tar(const Snapshot& snapshot, std::vector<std::string> paths = {},
                          std::uint64_t bytes_max = export_bytes_limit) {
    ExportSource files = TRY(export_source(opened(), snapshot, PathScope(std::move(paths))));
    return tar_of(files, bytes_max, {});
  }
  Result<std::string> bundle(const Snapshot& snapshot, std::vector<std::string> paths = {},
                             std::uint64_t bytes_max = export_bytes_limit) {
    ExportSource files = TRY(export_source(opened(), snapshot, PathScope(std::move(paths))));
    return bundle_of(files, snapshot.fingerprint, bytes_max, {});
  }
  Result<WithLease<LiveExport>> live(std::vector<std::string> paths = {}) {
    PathScope scope(std::move(paths));
    auto read = [&](LiveView& view) { return read_for_export(opened(), view, scope, export_bytes_limit); };
    return read_worktree(opened(), {}, {}, read);
  }

  std::optional<TestWorkspace> workspace_;
};

// Names and contents that are difficult for archive formats.
constexpr const char* hard = R"sh(new
d=$(printf 'd%.0s' $(seq 1 90)); n=$(printf 'n%.0s' $(seq 1 200))
put a 'plain'; put exe '#!/bin/sh'; chmod +x exe; : > empty; put "$d/$d/short" 1; put "$d/$n" 2; put "$n" 3
put "$(printf '%.0s\303\251' $(seq 1 60))" umlauts; put "$(printf 'x\377y')" bytes; put "$(printf '%.0s\377' $(seq 1 120))" bytes
ln -s a link; ln -s "$d/$d/$n" longlink; ln -s nowhere dangling; put ' lead' 1; put -- 1; put 'new
line' 1; head -c 511 /dev/zero > z511; head -c 512 /dev/zero > z512; head -c 513 /dev/zero > z513; put z 'base64:x'
save)sh";

TEST_F(ExportTest, TarExtractsTheCapturedFiles) {
  make(hard);
  Result<std::string> archive = tar(*created());
  ASSERT_TRUE(archive) << archive.error().message;
  workspace_->scratch.write("../a.tar", *archive);
  workspace_->scratch.run("mkdir ../out; umask 022; tar -xf ../a.tar -C ../out 2>../complaints");
  // GNU tar treats names as bytes, and warns that it ignores this header.
  EXPECT_EQ(bytes_of_file(workspace_->scratch.outside("complaints")),
            "tar: Ignoring unknown extended header keyword 'hdrcharset'\n");
  EXPECT_EQ(described(read_tree(workspace_->scratch.outside("out"))),
            described(read_tree(workspace_->scratch.repo())));
  EXPECT_EQ(read_tree(workspace_->scratch.outside("out")), read_tree(workspace_->scratch.repo()));
  std::string listed =
      workspace_->scratch.answer("TZ=UTC tar --numeric-owner -tvf ../a.tar a exe link").output;
  EXPECT_EQ(listed,
            "-rw-r--r-- 0/0               5 1970-01-01 00:00 a\n-rwxr-xr-x 0/0               9 1970-01-01 "
            "00:00 exe\n"
            "lrwxrwxrwx 0/0               0 1970-01-01 00:00 link -> a\n");
}

TEST_F(ExportTest, PythonReadsTheArchive) {
  make(hard);
  if (workspace_->scratch.answer("python3 -c 'import tarfile'").exit_code != 0)
    GTEST_SKIP() << "python3 is not installed.";
  Result<std::string> archive = tar(*created());
  ASSERT_TRUE(archive);
  workspace_->scratch.write("../a.tar", *archive);
  workspace_->scratch.write("../read.py", R"py(import os, tarfile
names = []
for one in tarfile.open('../a.tar', encoding='utf-8', errors='surrogateescape'):
    name = os.fsencode(one.name)
    names.append(name)
    assert (one.uid, one.gid, one.mtime) == (0, 0, 0), one
    if one.issym():
        assert os.fsencode(one.linkname) == os.readlink(name), one
    else:
        assert one.isfile() and one.size == os.path.getsize(name), one
        assert one.mode == (0o755 if os.access(name, os.X_OK) and os.stat(name).st_mode & 0o100 else 0o644), one
assert names == sorted(names), 'sorted by bytes'
print(len(names))
)py");
  Scratch::Answer read = workspace_->scratch.answer("python3 ../read.py 2>&1");
  EXPECT_EQ(read.output, std::to_string(created()->entries.size()) + "\n");
}

TEST(TarHead, UsesAPaxRecordForFilesOf8GiBAndMore) {
  constexpr std::size_t size_at = 124, type_at = 156, block = 512;
  const ManifestEntry entry{.path = "large", .blob = {}};
  const std::string small = tar_header_blocks(entry, (std::uint64_t{8} << 30) - 1, "");
  ASSERT_EQ(small.size(), block);
  EXPECT_EQ(small.substr(size_at, 12), std::string("77777777777\0", 12));
  const std::string large = tar_header_blocks(entry, std::uint64_t{8} << 30, "");
  ASSERT_EQ(large.size(), 3 * block);
  EXPECT_EQ(large[type_at], 'x');
  EXPECT_EQ(large.substr(block, 20), std::string("19 size=8589934592\n\0", 20));
  EXPECT_EQ(large.substr(2 * block + size_at, 12), std::string("00000000000\0", 12));
}

TEST_F(ExportTest, TarReadsAFileOf8GiB) {
  make("new; put a 1; save");
  constexpr std::uint64_t size = std::uint64_t{8} << 30;
  const std::string large = tar_header_blocks({.path = "large", .blob = {}}, size, "");
  const std::string after = tar_header_blocks({.path = "after", .blob = {}}, 0, "") + std::string(1024, '\0');
  // The content of the file is a hole.
  std::ofstream out(workspace_->scratch.outside("large.tar"), std::ios::binary);
  out << large;
  out.seekp(static_cast<std::streamoff>(large.size() + size));
  out << after;
  out.close();
  if (!out) GTEST_SKIP() << "This file system does not support files of this size.";
  EXPECT_EQ(workspace_->scratch.answer("TZ=UTC tar --numeric-owner -tvf ../large.tar 2>&1").output,
            "-rw-r--r-- 0/0      8589934592 1970-01-01 00:00 large\n"
            "-rw-r--r-- 0/0               0 1970-01-01 00:00 after\n");
}

TEST_F(ExportTest, EqualSnapshotsOfDifferentRepositoriesGiveEqualBytes) {
  make(
      "new; put README.md '# Toy Repo'; put src/main.rs 'fn main() {}'; chmod +x src/main.rs; ln -s src s; "
      "save");
  std::shared_ptr<const Snapshot> snapshot = created();
  EXPECT_EQ(sha256_hex(*tar(*snapshot)), "09c526dac087759efa9b92c04feb25efb3b7501f2715d0621cce376aac297b38");
  EXPECT_EQ(
      *bundle(*snapshot, {"README.md", "s"}),
      R"({"blobs":{"sha256:25a6634263c1b1f6fc4697a04e2b9904ea4b042a89af59dc93ec1f5d44848a26":"src",)"
      R"("sha256:e6647d7bff33f8c7e24ea9beecf2dc4a2c6ebdd18bedf375fa39903cc4df8f80":"# Toy Repo"},)"
      R"("fingerprint":{"head_oid":"2ebe52cc23b06167d41e9516d8f53b0bba622b1f",)"
      R"("index_oid":"3d700686806967b224d887d99f4dd04a79eb7109",)"
      R"("status_hash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},)"
      R"("format":"snapgen-bundle/1","manifest":{"entries":[)"
      R"({"blob":"sha256:e6647d7bff33f8c7e24ea9beecf2dc4a2c6ebdd18bedf375fa39903cc4df8f80","path":"README.md"},)"
      R"({"blob":"sha256:25a6634263c1b1f6fc4697a04e2b9904ea4b042a89af59dc93ec1f5d44848a26","mode":"120000","path":"s"}]}})");
}

TEST_F(ExportTest, ABundleContainsBlobsByHash) {
  make("new; put a same; put b same; put c 'base64:x'; printf '\\377' > d; printf 'q\"\\n' > e; save");
  Result<std::string> text = bundle(*created());
  ASSERT_TRUE(text);
  json::Document document = json::parse_document(*text);
  ASSERT_TRUE(document.ok());
  const json::Node* blobs = document.root.find("blobs");
  EXPECT_EQ(blobs->members.size(), 4u) << "equal contents are stored once";
  EXPECT_EQ(blobs->find(blob_id_of("same").text())->text, "same");
  EXPECT_EQ(blobs->find(blob_id_of("base64:x").text())->text, "base64:YmFzZTY0Ong=");
  EXPECT_EQ(blobs->find(blob_id_of("\xff").text())->text, "base64:/w==");
  EXPECT_EQ(document.root.find("manifest")->find("entries")->items.size(), 5u);
  std::string again;
  json::Writer out(again);
  json::write(out, document.root);
  EXPECT_EQ(again, *text) << "canonical";
}

TEST_F(ExportTest, AnExportOfTheWorkTreeEqualsThatOfItsSnapshot) {
  make(
      "new; put .gitignore '*.o\nout/\n'; put a 1; put d/b 2; put d/x.o obj; put out/p/q 3; put u 4; ln -s d "
      "l; chmod +x "
      "a; git add .gitignore a d; git commit -q -m one");
  for (const std::vector<std::string>& paths :
       {std::vector<std::string>{""}, {"d"}, {"d", "a", "u"}, {"d/x.o"}, {"out"}, {"l"}, {"l/b"}}) {
    std::shared_ptr<const Snapshot> snapshot = created(paths);
    Result<WithLease<LiveExport>> export_now = live(paths);
    ASSERT_TRUE(export_now) << export_now.error().message;
    EXPECT_EQ(export_now->value.entries, snapshot->entries);
    EXPECT_EQ(
        *bundle_of(export_now->value.export_source(), export_now->lease.fingerprint, export_bytes_limit, {}),
        *bundle(*snapshot));
    EXPECT_EQ(*tar_of(export_now->value.export_source(), export_bytes_limit, {}), *tar(*snapshot));
  }
  EXPECT_EQ(live({"d"})->value.skipped.ignored, 1);
  EXPECT_EQ(live({"out"})->value.skipped.ignored, 0);
  EXPECT_EQ(live({"none"}).error().code, ErrorCode::not_found);
}

TEST_F(ExportTest, ATooLargeExportReportsItsSize) {
  make("new; put a \"$(seq 1 1000)\"; save");
  std::shared_ptr<const Snapshot> snapshot = created();
  std::string whole = *tar(*snapshot);
  Result<std::string> refused = tar(*snapshot, {}, whole.size() - 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::too_large);
  std::string size = std::to_string(whole.size());
  EXPECT_NE(refused.error().message.find("pass max_bytes " + size), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(json::object_text(refused.error().details),
            "{\"bytes\":" + size + ",\"max_bytes\":" + std::to_string(whole.size() - 1) + "}");
  EXPECT_EQ(*tar(*snapshot, {}, whole.size()), whole);
  whole = *bundle(*snapshot);
  refused = bundle(*snapshot, {}, 10);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("pass max_bytes " + std::to_string(whole.size())),
            std::string::npos);
  EXPECT_TRUE(bundle(*snapshot, {}, whole.size()));

  workspace_->scratch.run("head -c 17000000 /dev/zero > big");
  snapshot = created();
  EXPECT_NE(tar(*snapshot).error().message.find("in parts"), std::string::npos);
  EXPECT_EQ(bundle(*snapshot).error().code, ErrorCode::too_large);
  EXPECT_EQ(live().error().code, ErrorCode::too_large);
  EXPECT_TRUE(live({"a"}));
}

TEST_F(ExportTest, ReportsAPathThatWasNotCaptured) {
  make("new; put a 1; save");
  Result<std::string> refused = tar(*created(), {"b"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  EXPECT_NE(refused.error().message.find("contains nothing at b"), std::string::npos);
}

}  // namespace
}  // namespace snapgen::core
