#include <algorithm>
#include <filesystem>
#include <random>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "runtime/json/details.h"
#include "tests/engine/contents.h"
#include "tests/engine/store/store_folder.h"
#include "tests/soak/soak.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/blobs/segment.h"

namespace snapgen::core {
namespace {

TEST(Store, ContentsAreReadBackUnchanged) {
  Folder folder;
  std::vector<std::string> contents;
  for (std::size_t size : {0, 1, 63, 64, 65, 1000, 16384, 16385, 300000, 1500000}) {
    contents.push_back(noise(size, 1));
    contents.push_back(prose(size, 2));
    contents.push_back(std::string(size, '\0'));
  }
  std::vector<BlobId> ids;
  {
    auto store = opened(folder / "s");
    for (const std::string& content : contents) {
      Result<BlobId> id = store->put(content);
      ASSERT_TRUE(id) << id.error().message;
      EXPECT_EQ(id->text(), "sha256:" + sha256_hex(content));
      ids.push_back(*id);
      Result<std::string> back = store->get(*id);
      ASSERT_TRUE(back) << back.error().message;
      EXPECT_EQ(*back, content);
    }
    ASSERT_TRUE(store->commit());
  }
  auto store = opened(folder / "s");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_TRUE(store->contains(ids[i]));
    EXPECT_EQ(store->size_of(ids[i]), contents[i].size());
    Result<std::string> back = store->get(ids[i]);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, contents[i]);
  }
  Result<std::string> none = store->get(blob_id_of("never put"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::not_found);
  EXPECT_FALSE(store->contains(blob_id_of("never put")));
}

TEST(Store, StoresEqualContentsOnceAndCompressesText) {
  Folder folder;
  std::string text = prose(100000, 3);
  auto store = opened(folder / "s");
  ASSERT_TRUE(store->put(text));
  ASSERT_TRUE(store->commit());
  std::uint64_t once = bytes_on_disk(folder / "s");
  EXPECT_LT(once, text.size() / 2);
  ASSERT_TRUE(store->put(text));
  ASSERT_TRUE(store->commit());
  auto later = opened(folder / "s");
  ASSERT_TRUE(later->put(text));
  ASSERT_TRUE(later->commit());
  EXPECT_EQ(bytes_on_disk(folder / "s"), once);
}

// Contents whose compressed size is a few megabytes, contents with more, and incompressible ones.
TEST(Store, StoresLargeFilesInPieces) {
  Folder folder;
  std::string repeated;
  for (std::string once = prose(100'000, 4); repeated.size() < 12 << 20;) repeated += once;
  for (const std::string& content : {repeated, prose(20 << 20, 5), noise(9 << 20, 6)}) {
    folder.write("large", content);
    Fd fd(::open((folder / "large").c_str(), O_RDONLY));
    auto store = opened(folder / "s");
    Result<BlobId> id = store->put_file(fd.get(), content.size(), {});
    ASSERT_TRUE(id) << id.error().message;
    EXPECT_EQ(*id, blob_id_of(content));
    ASSERT_TRUE(store->put("after it"));
    ASSERT_TRUE(store->commit());

    auto later = opened(folder / "s");
    Result<std::unique_ptr<ByteSource>> source = later->open(*id);
    ASSERT_TRUE(source) << source.error().message;
    std::string back;
    while (true) {
      Result<std::string_view> piece = (*source)->next();
      ASSERT_TRUE(piece) << piece.error().message;
      EXPECT_LE(piece->size(), piece_bytes);
      if (piece->empty()) break;
      back += *piece;
    }
    EXPECT_TRUE(back == content);
    Result<std::string> whole = later->get(*id);
    ASSERT_TRUE(whole);
    EXPECT_TRUE(*whole == content);
    EXPECT_TRUE(later->get(blob_id_of("after it")));
  }
}

TEST(Store, BatchesStoreTheSameAsSinglePuts) {
  Folder folder;
  std::vector<std::string> contents{"", "twice", noise(1000, 1), "twice", prose(700'000, 2)};
  for (unsigned i = 0; i < 100; ++i) contents.push_back(prose(37 * i, i));
  std::vector<std::string_view> views(contents.begin(), contents.end());
  auto store = opened(folder / "s");
  ASSERT_TRUE(store->put("twice"));
  Result<std::vector<BlobId>> ids = store->put_each(views, CompressionEffort::quick);
  ASSERT_TRUE(ids) << ids.error().message;
  ASSERT_EQ(ids->size(), contents.size());
  ASSERT_TRUE(store->commit());
  std::uint64_t once = bytes_on_disk(folder / "s");
  ASSERT_TRUE(store->put_each(views, CompressionEffort::quick));
  ASSERT_TRUE(store->commit());
  EXPECT_EQ(bytes_on_disk(folder / "s"), once);
  auto later = opened(folder / "s");
  for (std::size_t i = 0; i < contents.size(); ++i) {
    EXPECT_EQ((*ids)[i], blob_id_of(contents[i]));
    Result<std::string> back = later->get((*ids)[i]);
    ASSERT_TRUE(back) << i;
    EXPECT_TRUE(*back == contents[i]) << i;
  }
  Result<std::vector<BlobId>> none = store->put_each({}, CompressionEffort::quick);
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
}

TEST(Store, AFileThatShrinksDuringAPutIsAnErrorWithoutTrace) {
  Folder folder;
  folder.write("large", prose(9 << 20, 5));
  Fd fd(::open((folder / "large").c_str(), O_RDONLY));
  auto store = opened(folder / "s");
  Result<BlobId> id = store->put_file(fd.get(), 10 << 20, {});
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().code, ErrorCode::repo_changed);
  ASSERT_TRUE(store->put("next"));
  ASSERT_TRUE(store->commit());
  EXPECT_TRUE(opened(folder / "s")->get(blob_id_of("next")));
}

// Wherever a crash truncates the file, the records before that point are complete and the store remains
// usable.
TEST(Store, ATruncatedSegmentKeepsCompleteRecords) {
  Folder folder;
  std::vector<std::string> contents;
  std::vector<std::uint64_t> ends;
  for (unsigned i = 0; i < 4; ++i) contents.push_back(prose(100 + 40 * i, i));
  {
    auto store = opened(folder / "s");
    for (const std::string& content : contents) {
      ASSERT_TRUE(store->put(content));
      ASSERT_TRUE(store->commit());
      ends.push_back(bytes_on_disk(folder / "s"));
    }
  }
  std::string segment = segments_in(folder / "s").front();
  std::string whole = folder.read("s/" + std::filesystem::path(segment).filename().string());
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    // The sample has every eighth length, and the lengths near the ends of the records.
    const bool is_near_end = std::any_of(
        ends.begin(), ends.end(), [&](std::uint64_t end) { return length + 2 >= end && length <= end + 2; });
    if (!is_soak() && length % 8 != 0 && !is_near_end) continue;
    std::filesystem::remove_all(folder / "cut");
    folder.write("cut/" + std::filesystem::path(segment).filename().string(), whole.substr(0, length));
    auto store = opened(folder / "cut");
    for (std::size_t i = 0; i < contents.size(); ++i) {
      BlobId id = blob_id_of(contents[i]);
      EXPECT_EQ(bool(store->get(id)), ends[i] <= length) << length;
      EXPECT_EQ(store->contains(id), ends[i] <= length) << length;
    }
    for (const std::string& content : contents) ASSERT_TRUE(store->put(content));
    ASSERT_TRUE(store->commit());
    auto later = opened(folder / "cut");
    for (const std::string& content : contents) {
      Result<std::string> back = later->get(blob_id_of(content));
      ASSERT_TRUE(back) << length << ": " << back.error().cause;
      EXPECT_EQ(*back, content);
    }
  }
}

// After a crash of the machine, a record's header may be on disk without its content.
TEST(Store, ABlobLostInACrashIsStoredAgain) {
  Folder folder;
  std::string content = noise(5000, 7);
  {
    auto store = opened(folder / "s");
    ASSERT_TRUE(store->put(content));
    ASSERT_TRUE(store->commit());
  }
  Fd fd(::open(segments_in(folder / "s").front().c_str(), O_WRONLY));
  ASSERT_TRUE(write_at(fd.get(), std::string(1000, '\0'), segment_header_bytes + record_header_bytes + 2000));
  auto store = opened(folder / "s");
  EXPECT_FALSE(store->contains(blob_id_of(content)));
  ASSERT_TRUE(store->put(content));
  ASSERT_TRUE(store->commit());
  Result<std::string> back = opened(folder / "s")->get(blob_id_of(content));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, content);
}

TEST(Store, ADamagedBlobIsAnErrorThatNamesIt) {
  Folder folder;
  std::string content = prose(5000, 8);
  std::string large = noise(9 << 20, 9);
  folder.write("large", large);
  {
    auto store = opened(folder / "s");
    Fd fd(::open((folder / "large").c_str(), O_RDONLY));
    ASSERT_TRUE(store->put(content));
    ASSERT_TRUE(store->put_file(fd.get(), large.size(), {}));
    ASSERT_TRUE(store->commit());
  }
  std::string segment = segments_in(folder / "s").front();
  for (std::uint64_t offset :
       {segment_header_bytes + 10, segment_header_bytes + record_header_bytes + 100, std::size_t{4 << 20}}) {
    auto store = opened(folder / "s");  // the store knows the locations of the blobs from before the damage
    ASSERT_TRUE(store->get(blob_id_of(content)));
    Fd fd(::open(segment.c_str(), O_RDWR));
    char byte;
    ASSERT_TRUE(read_at(fd.get(), &byte, 1, offset));
    ASSERT_TRUE(write_at(fd.get(), std::string(1, static_cast<char>(byte ^ 1)), offset));
    BlobId id = blob_id_of(offset > (1 << 20) ? large : content);
    Result<std::string> got = store->get(id);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::internal);
    EXPECT_NE(got.error().message.find(id.text()), std::string::npos) << got.error().message;
    EXPECT_EQ(json::object_text(got.error().details), "{\"blob\":\"" + id.text() + "\"}");
    if (offset > (1 << 20)) {
      Result<std::unique_ptr<ByteSource>> source = store->open(id);
      ASSERT_TRUE(source);
      bool failed = false;
      for (int i = 0; i < 100 && !failed; ++i) {
        Result<std::string_view> piece = (*source)->next();
        failed = !piece;
        if (piece && piece->empty()) break;
      }
      EXPECT_TRUE(failed);
    }
    ASSERT_TRUE(write_at(fd.get(), std::string(1, byte), offset));
  }
}

TEST(Store, NeverReturnsDamagedContent) {
  Folder folder;
  const std::string content = prose(3000, 8);
  const std::string_view one[] = {content};
  {
    auto store = opened(folder / "s");
    ASSERT_TRUE(store->put_each(one, CompressionEffort::quick));
    ASSERT_TRUE(store->commit());
  }
  const std::string segment = segments_in(folder / "s").front();
  const std::uint64_t size = std::filesystem::file_size(segment);
  ASSERT_LT(size, content.size());
  auto store = opened(folder / "s");
  ASSERT_EQ(*store->get(blob_id_of(content)), content);
  Fd fd(::open(segment.c_str(), O_RDWR));
  for (std::uint64_t offset = segment_header_bytes; offset < size; ++offset) {
    char byte;
    ASSERT_TRUE(read_at(fd.get(), &byte, 1, offset));
    ASSERT_TRUE(write_at(fd.get(), std::string(1, static_cast<char>(byte ^ 0x10)), offset));
    Result<std::string> got = store->get(blob_id_of(content));
    ASSERT_FALSE(got) << offset;
    EXPECT_EQ(json::object_text(got.error().details), "{\"blob\":\"" + blob_id_of(content).text() + "\"}");
    ASSERT_TRUE(write_at(fd.get(), std::string(1, byte), offset));
  }
  EXPECT_EQ(*store->get(blob_id_of(content)), content);
}

TEST(Store, RebuildsALostOrDamagedIndex) {
  Folder folder;
  constexpr int count = 3000;
  {
    auto store = opened(folder / "s");
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(store->put("blob " + std::to_string(i)));
      if (i % 700 == 0) {
        ASSERT_TRUE(store->commit());
      }
    }
    ASSERT_TRUE(store->commit());
  }
  std::string index = segments_in(folder / "s").front();
  index.replace(index.size() - 3, 3, "idx");
  ASSERT_TRUE(std::filesystem::exists(index));
  auto all_there = [&] {
    auto store = opened(folder / "s");
    for (int i = 0; i < count; ++i) {
      std::string content = "blob " + std::to_string(i);
      Result<std::string> back = store->get(blob_id_of(content));
      if (!back || *back != content || !store->contains(blob_id_of(content))) return false;
    }
    return true;
  };
  EXPECT_TRUE(all_there());
  std::string good = *read_whole_file(index, 1 << 20);
  for (std::size_t length : {std::size_t{0}, std::size_t{20}, good.size() - 1}) {
    std::filesystem::resize_file(index, length);
    EXPECT_TRUE(all_there()) << length;
    ASSERT_TRUE(replace_file(folder / "s", std::filesystem::path(index).filename().string(), good,
                             Durability::process_crash));
  }
  std::filesystem::remove(index);
  EXPECT_TRUE(all_there());
}

TEST(Store, TwoStoresOnOneFolderShareBlobs) {
  Folder folder;
  auto one = opened(folder / "s");
  auto two = opened(folder / "s");
  ASSERT_TRUE(one->put("from one"));
  ASSERT_TRUE(two->put("from two"));
  ASSERT_TRUE(one->commit());
  ASSERT_TRUE(two->commit());
  EXPECT_EQ(segments_in(folder / "s").size(), 2u) << "each process writes into a separate segment";
  EXPECT_TRUE(one->get(blob_id_of("from two")));
  EXPECT_TRUE(two->get(blob_id_of("from one")));
  std::uint64_t before = bytes_on_disk(folder / "s");
  ASSERT_TRUE(one->put("from two"));
  ASSERT_TRUE(one->commit());
  EXPECT_EQ(bytes_on_disk(folder / "s"), before);
  one.reset();
  two.reset();
  auto three = opened(folder / "s");
  ASSERT_TRUE(three->put("from three"));
  ASSERT_TRUE(three->commit());
  EXPECT_EQ(segments_in(folder / "s").size(), 2u) << "a segment without a writer is continued";
}

TEST(Store, ThreadsCanPutConcurrently) {
  Folder folder;
  auto store = opened(folder / "s");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 400; ++i) {
        std::string content = prose(500, static_cast<unsigned>(i + 100 * t));  // The threads share most of
                                                                               // these contents.
        Result<BlobId> id = store->put(content);
        Result<std::string> back = id ? store->get(*id) : Result<std::string>(id.error());
        EXPECT_TRUE(back && *back == content);
        if (i % 50 == 0) {
          EXPECT_TRUE(store->commit());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(store->commit());
  std::uint64_t before = bytes_on_disk(folder / "s");
  for (unsigned i = 0; i < 700; ++i) ASSERT_TRUE(store->put(prose(500, i)));
  ASSERT_TRUE(store->commit());
  EXPECT_EQ(bytes_on_disk(folder / "s"), before);
}

// Child processes put, commit and report their commits, and are killed at random moments.
TEST(Store, CommittedBlobsSurviveAKill) {
  Folder folder;
  std::mt19937 random(11);
  for (int round = 0; round < 12; ++round) {
    int channel[2];
    ASSERT_EQ(::pipe(channel), 0);
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto store = opened(folder / "s");
      for (unsigned i = 0;; ++i) {
        BlobId id = *store->put(prose(3000, static_cast<unsigned>(round) * 100000 + i));
        if (i % 3 != 2) continue;
        if (!store->commit()) ::_exit(1);
        if (::write(channel[1], &id, sizeof id) != sizeof id) ::_exit(1);
      }
    }
    ::close(channel[1]);
    std::vector<BlobId> committed;
    BlobId id;
    unsigned enough = 1 + random() % 60;
    while (committed.size() < enough && ::read(channel[0], &id, sizeof id) == sizeof id)
      committed.push_back(id);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while (::read(channel[0], &id, sizeof id) == sizeof id) committed.push_back(id);
    ::close(channel[0]);
    EXPECT_GE(committed.size(), enough);
    auto store = opened(folder / "s");
    for (const BlobId& one : committed) EXPECT_TRUE(store->get(one));
  }
}

TEST(Store, AnotherWriterCommitsAbandonedBlobs) {
  Folder folder;
  auto store = opened(folder / "s");
  ASSERT_TRUE(store->put("mine"));
  store->abandon_puts();
  auto other = opened(folder / "s");
  ASSERT_TRUE(other->put("between"));
  ASSERT_TRUE(store->put("also mine"));
  EXPECT_TRUE(store->contains(blob_id_of("mine")));
  ASSERT_TRUE(store->commit());
  ASSERT_TRUE(other->commit());
  for (const char* bytes : {"mine", "between", "also mine"})
    EXPECT_TRUE(opened(folder / "s")->get(blob_id_of(bytes))) << bytes;
}

TEST(Durable, ReplacesFilesAtomicallyAndDeletesAbandonedOnes) {
  Folder folder;
  ASSERT_TRUE(make_folders(folder / "a/b"));
  ASSERT_TRUE(replace_file(folder / "a/b", "f", "one", Durability::machine_crash));
  ASSERT_TRUE(replace_file(folder / "a/b", "f", "two", Durability::process_crash));
  EXPECT_EQ(*read_whole_file(folder / "a/b/f", 1 << 20), "two");
  struct stat st;
  ASSERT_EQ(::stat((folder / "a/b/f").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat((folder / "a/b").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0700u);

  folder.write("a/b/.tmp-old", "left by a crash");
  folder.write("a/b/.tmp-new", "being written");
  timespec old[2] = {{.tv_sec = ::time(nullptr) - 7200, .tv_nsec = 0},
                     {.tv_sec = ::time(nullptr) - 7200, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder / "a/b/.tmp-old").c_str(), old, 0), 0);
  remove_old_temporaries(folder / "a/b");
  EXPECT_FALSE(std::filesystem::exists(folder / "a/b/.tmp-old"));
  EXPECT_TRUE(std::filesystem::exists(folder / "a/b/.tmp-new"));
  EXPECT_TRUE(std::filesystem::exists(folder / "a/b/f"));
}

TEST(Durable, MakesNoFolderOfGit) {
  Folder folder;
  const Result<Unit> made = make_folders(folder / ".git/snapgen/history");
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("/.git was deleted"), std::string::npos) << made.error().message;
  EXPECT_FALSE(std::filesystem::exists(folder / ".git"));
  std::filesystem::create_directory(folder / ".git");
  EXPECT_TRUE(make_folders(folder / ".git/snapgen/history"));
}

TEST(Durable, LimitsReadsAndFollowsSymlinksOnlyIfAllowed) {
  Folder folder;
  folder.write("f", "12345");
  folder.link("link", "f");
  EXPECT_EQ(*read_whole_file(folder / "f", 5), "12345");
  const Result<std::string> large = read_whole_file(folder / "f", 4);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::too_large);
  EXPECT_EQ(large.error().message, folder / "f" +
                                       " has 5 bytes, and at most 4 are read; make it smaller, or "
                                       "move it away.");
  EXPECT_EQ(read_whole_file(folder / "link", 1 << 20).error().code, ErrorCode::permission_denied);
  EXPECT_EQ(*read_whole_file(folder / "link", 1 << 20, SymlinkPolicy::followed), "12345");
}

TEST(Durable, AReplacementIsInvisibleBeforeTheRename) {
  Folder folder;
  folder.write("f", "one");
  {
    Result<PendingFile> two = PendingFile::write(folder.path(), "f", "two", Durability::machine_crash);
    ASSERT_TRUE(two) << two.error().message;
    EXPECT_EQ(*read_whole_file(folder / "f", 1 << 20), "one");
    Result<PendingFile> three = PendingFile::write(folder.path(), "f", "three", Durability::machine_crash);
    ASSERT_TRUE(three && three->replace_target());
    EXPECT_EQ(*read_whole_file(folder / "f", 1 << 20), "three");
  }
  // A failed replacement leaves no temporary file.
  EXPECT_EQ(*read_whole_file(folder / "f", 1 << 20), "three");
  const std::filesystem::directory_iterator entries(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  EXPECT_FALSE(PendingFile::write(folder / "nowhere", "f", "four", Durability::machine_crash));
}

}  // namespace
}  // namespace snapgen::core
