#include "tools/engine/watch/watch_log.h"

#include <memory>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"

namespace snapgen::core {
namespace {

struct Log {
  explicit Log(std::size_t events_max = 100) {
    scratch.run("mkdir -p a/b c");
    Result<FolderWatches> watches = FolderWatches::open(scratch.repo(), 100);
    Result<MountChanges> mounts = MountChanges::open();
    if (watches && mounts)
      log = std::make_unique<WatchLog>(*std::move(watches), *std::move(mounts), events_max);
  }
  // Returns the names of the events, at most `events_max`; "lost" if the reader is lost.
  std::string read(WatchLog::Reader& reader, std::size_t events_max = 100) const {
    std::string names;
    const bool is_complete = log->read(reader, [&](const FolderEvent& event) {
      if (events_max == 0) return false;
      --events_max;
      names += std::string(event.name) + " ";
      return true;
    });
    return is_complete ? names : "lost";
  }

  Scratch scratch;
  std::unique_ptr<WatchLog> log;
};

TEST(WatchLog, HasAPositionForEachReader) {
  const Log log;
  WatchLog::Reader first(*log.log);
  EXPECT_EQ(log.log->add("").result, AddResult::watched);
  log.scratch.run("mkdir d");
  EXPECT_EQ(log.read(first), "d ");
  WatchLog::Reader second(*log.log);
  log.scratch.run("mkdir e f");
  EXPECT_EQ(log.read(first, 1), "e ");
  EXPECT_FALSE(log.log->has_events_for(second) && log.read(first) != "f ");
  EXPECT_EQ(log.read(second), "e f ");
  EXPECT_FALSE(log.log->has_events_for(second));
  log.scratch.run("mkdir g");
  EXPECT_FALSE(log.log->has_events_for(second)) << "has_events_for() does not read the kernel's queue";
  EXPECT_TRUE(log.log->collect());
  EXPECT_TRUE(log.log->has_events_for(second));
  EXPECT_EQ(log.log->move_to_end(second), std::vector<std::string>{""});
  EXPECT_EQ(log.read(second), "");
  EXPECT_EQ(log.read(first), "g ");
}

TEST(WatchLog, LosesOnlyAReaderThatIsFarBehind) {
  const Log log(2);
  log.log->add("");
  WatchLog::Reader behind(*log.log);
  WatchLog::Reader current(*log.log);
  log.scratch.run("mkdir d e");
  EXPECT_EQ(log.read(current), "d e ");
  log.scratch.run("mkdir f");
  EXPECT_EQ(log.read(current), "f ");
  EXPECT_EQ(log.read(behind), "lost");
  log.scratch.run("mkdir g");
  EXPECT_EQ(log.read(current), "g ");
}

TEST(WatchLog, LosesAllReadersWithTheRoot) {
  const Log log;
  log.log->add("");
  WatchLog::Reader first(*log.log);
  WatchLog::Reader second(*log.log);
  log.scratch.run("rm -rf ../repo; mkdir ../repo");
  EXPECT_EQ(log.read(first), "lost");
  EXPECT_EQ(log.read(second), "lost");
  EXPECT_FALSE(log.log->collect());
}

TEST(WatchLog, WatchesAMovedFolderAgain) {
  const Log log;
  WatchLog::Reader reader(*log.log);
  for (const char* const path : {"", "a", "a/b"}) EXPECT_EQ(log.log->add(path).result, AddResult::watched);
  log.scratch.run("mv a moved");
  EXPECT_EQ(log.log->add("moved").result, AddResult::watched);
  EXPECT_EQ(log.log->add("moved/b").result, AddResult::watched);
  EXPECT_EQ(log.read(reader), "a moved ") << "events that were read while the folder was added are not lost";
}

}  // namespace
}  // namespace snapgen::core
