// A full disk, simulated by a limit on file sizes: a write fails in the middle, and later writes succeed.
#include <functional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tests/engine/contents.h"
#include "tests/engine/store/store_folder.h"
#include "tools/engine/files/durable.h"

namespace snapgen::core {
namespace {

// Limits the size of files in this process, which must be a child process of the test.
void fill_disk_at(rlim_t bytes) {
  const rlimit limit{.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

// Runs `child` in a child process. Returns its result.
bool in_a_child(const std::function<bool()>& child) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::_exit(child() ? 0 : 1);
  }
  int status = 0;
  return ::waitpid(pid, &status, 0) == pid && status == 0;
}

TEST(Store, AFullDiskIsReportedAndLosesNothing) {
  Folder folder;
  EXPECT_TRUE(in_a_child([&] {
    auto store = opened(folder / "s");
    bool good = store->put("kept") && store->commit();
    fill_disk_at(100000);
    good = good && store->put(noise(80000, 1));
    Result<BlobId> refused = store->put(noise(3000000, 2));
    good = good && !refused && refused.error().code == ErrorCode::unavailable;
    good = good && store->commit();
    good = good && !store->contains(blob_id_of(noise(3000000, 2)));
    good = good && store->put(noise(50000, 3));
    good = good && !store->commit() && !store->commit();  // No commit may report success.
    fill_disk_at(RLIM_INFINITY);
    good = good && store->commit() && store->put(noise(3000000, 2)) && store->commit();
    return good;
  }));
  auto store = opened(folder / "s");
  EXPECT_TRUE(store->get(blob_id_of("kept")));
  for (auto [size, seed] : {std::pair(80000, 1u), std::pair(50000, 3u), std::pair(3000000, 2u)}) {
    EXPECT_TRUE(store->get(blob_id_of(noise(static_cast<std::size_t>(size), seed))));
  }
}

// Without this, git would list the folder's contents from then on.
TEST(Store, OnAFullDiskAFolderIsCreatedHiddenOrNotAtAll) {
  Folder folder;
  EXPECT_TRUE(in_a_child([&] {
    fill_disk_at(0);
    const Result<bool> refused = make_git_ignored_folder(folder / "s", 0700, "*\n");
    return !refused && refused.error().code == ErrorCode::unavailable;
  }));
  EXPECT_NE(::access((folder / "s").c_str(), F_OK), 0);
  const Result<bool> made = make_git_ignored_folder(folder / "s", 0700, "*\n");
  EXPECT_TRUE(made && *made);
  EXPECT_EQ(*read_whole_file(folder / "s/.gitignore", 1 << 20), "*\n");
}

// A large file is written before its total size is known.
TEST(Store, AFileThatDoesNotFitUsesNoSpaceAndBlocksNoWriter) {
  Folder folder;
  folder.write("large", noise(12 << 20, 7));
  EXPECT_TRUE(in_a_child([&] {
    Fd fd(::open((folder / "large").c_str(), O_RDONLY));
    auto store = opened(folder / "s");
    bool good = store->put(noise(1000, 1)) && store->commit();
    const std::uint64_t before = bytes_on_disk(folder / "s");
    fill_disk_at(5 << 20);
    Result<BlobId> refused = store->put_file(fd.get(), 12 << 20, {});
    good = good && !refused && refused.error().code == ErrorCode::unavailable;
    good = good && bytes_on_disk(folder / "s") == before;
    store->abandon_puts();
    auto other = opened(folder / "s");
    good = good && other->put("next") && other->commit() && segments_in(folder / "s").size() == 1;
    return good;
  }));
  EXPECT_TRUE(opened(folder / "s")->get(blob_id_of("next")));
}

TEST(Store, AFailedRollbackWaitsForSpaceAndBlocksNoWriter) {
  Folder folder;
  EXPECT_TRUE(in_a_child([&] {
    auto store = opened(folder / "s");
    bool good = store->put("kept") && store->commit();
    // The first of three records fits, the second only in part.
    fill_disk_at(100000);
    for (unsigned seed : {1u, 2u, 3u}) good = good && store->put(noise(70000, seed));
    store->abandon_puts();
    good = good && bytes_on_disk(folder / "s") < 75000 && !store->commit();
    store->abandon_puts();
    fill_disk_at(RLIM_INFINITY);
    auto other = opened(folder / "s");
    good = good && other->put("between") && other->commit();
    good = good && store->put("last") && store->commit() && segments_in(folder / "s").size() == 1;
    return good;
  }));
  auto store = opened(folder / "s");
  for (unsigned seed : {1u, 2u, 3u}) EXPECT_TRUE(store->get(blob_id_of(noise(70000, seed)))) << seed;
  for (const char* bytes : {"kept", "between", "last"}) EXPECT_TRUE(store->get(blob_id_of(bytes))) << bytes;
}

// A collector needs this space to increment the generation on a full disk.
TEST(Store, TheFirstPutReservesSpaceForTheGeneration) {
  Folder folder;
  ASSERT_TRUE(opened(folder / "s")->put("x"));
  EXPECT_EQ(std::filesystem::file_size(folder / "s/generation"), 8u);
  std::filesystem::resize_file(folder / "s/generation", 0);
  ASSERT_TRUE(opened(folder / "s")->lock_generation());
  EXPECT_EQ(std::filesystem::file_size(folder / "s/generation"), 8u);
}

}  // namespace
}  // namespace snapgen::core
