// Moments: what changed since the last one, also while no server ran, and in files that git ignores.
#include "tools/engine/store/history/moment.h"

#include <atomic>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/engine/history/history_workspace.h"
#include "tools/engine/operations/gc/gc.h"
#include "tools/engine/operations/write_file.h"

namespace snapgen::core {
namespace {

TEST(TakeMoment, RecordsWhatChanged) {
  HistoryWorkspace work("new; put a 1; put b/c 2; put d 3; save");
  EXPECT_EQ(work.take(), "m0");  // The base.
  EXPECT_EQ(work.take(), "");
  EXPECT_EQ(work.change("put a 11; put new/x 4; rm d; chmod 600 b/c"), "m1");
  EXPECT_EQ(work.changes(1), "~a %b/c -d +new/x");
  EXPECT_EQ(work.take(), "");
  EXPECT_EQ(work.change("ln -s a link; mv new/x y"), "m2");
  EXPECT_EQ(work.changes(2), "+link -new/x +y");
}

TEST(TakeMoment, ContinuesAfterARestart) {
  HistoryWorkspace work("new; put a 1; put b 2; save");
  work.take();
  EXPECT_EQ(work.change("put a 11"), "m1");
  work.restart();
  EXPECT_EQ(work.take(), "");
  work.scratch.run("put b 22");
  work.restart();
  EXPECT_EQ(work.take(MomentCause::begin), "m2");
  EXPECT_EQ(work.changes(2), "~b");
  EXPECT_EQ(work.timeline().find(2)->cause, MomentCause::begin);
}

TEST(TakeMoment, RecordsAnEmptyWorkspace) {
  HistoryWorkspace work("new");
  EXPECT_EQ(work.take(), "m0");
  EXPECT_EQ(work.change("put a 1"), "m1");
  EXPECT_EQ(work.changes(1), "+a");
}

TEST(TakeMoment, RecordsIgnoredFilesInFoldersThatAreNotIgnored) {
  HistoryWorkspace work(
      "new; put .gitignore '.env\nout/\n*.big\n'; put .env KEY=1; put out/x 1; put sub/.env 2; save",
      {.ignored_bytes_max = 100});
  work.take();
  EXPECT_EQ(work.change("put .env KEY=2; put out/x 2; put sub/.env 3; head -c 200 /dev/zero > a.big"), "m1");
  EXPECT_EQ(work.changes(1), "~.env ~sub/.env");
  EXPECT_EQ(work.change("rm .env"), "m2");
  EXPECT_EQ(work.changes(2), "-.env");
  EXPECT_EQ(work.change("head -c 200 /dev/zero > sub/.env"), "m3");  // Too large now.
  EXPECT_EQ(work.changes(3), "!sub/.env");
}

TEST(TakeMoment, RecordsOwnWritesThatWereLostAtOnce) {
  HistoryWorkspace work("new; put a 1; put b 1; save");
  const auto write = [&](const char* path, const char* content) {
    work.wait_for_watch();
    ASSERT_TRUE(write_file(*work.opened, {},
                           {.path = path, .content = content, .executable = {}, .expected = {}}, {}));
  };
  write("new/design", "an hour of work");
  write("b", "0");
  work.scratch.run("rm -r new");
  EXPECT_EQ(work.take(), "m2") << "also before the first state";
  EXPECT_EQ(work.changes(1) + ", " + work.changes(2), "+new/design@, ~b@ -new/design");
  write("a", "2");
  write("b", "2");
  EXPECT_EQ(work.change("git checkout -q a"), "m4");
  EXPECT_EQ(work.changes(3) + " " + work.changes(4), "~a@ ~a ~b@");
  ASSERT_TRUE(work.rewind("m2"));
  ASSERT_TRUE(work.rewind("m4", std::vector<std::string>{"a"}));
  EXPECT_EQ(work.scratch.answer("cat new/design a").output, "an hour of work2");
}

TEST(TakeMoment, RecordsEachOwnChangeOfAFile) {
  HistoryWorkspace work("new; put a 1; save");
  work.take();
  for (const char* content : {"2", "3", "4"})
    ASSERT_TRUE(write_file(*work.opened, {},
                           {.path = "a", .content = content, .executable = {}, .expected = {}}, {}));
  EXPECT_EQ(work.take(), "m3");
  EXPECT_EQ(work.changes(1) + " " + work.changes(2) + " " + work.changes(3), "~a@ ~a@ ~a@");
  ASSERT_TRUE(work.rewind("m2"));
  EXPECT_EQ(work.scratch.answer("cat a").output, "2");
}

TEST(TakeMoment, RecordsTheSettings) {
  HistoryWorkspace work(
      "new; put .snapback/.gitignore '*'; put .snapback/config.json '{}'; put .snapback/logs/x 1; save");
  work.take();
  EXPECT_EQ(work.change("git clean -qfdx"), "m1");
  EXPECT_EQ(work.changes(1), "-.snapback/config.json");
}

TEST(TakeMoment, LimitsTheNumberOfIgnoredFiles) {
  HistoryWorkspace work("new; put .gitignore '*.log\n'; put d/deep.log 1; put a.log 1; put b.log 1; save",
                        {.ignored_files_max = 2});
  work.take();
  EXPECT_EQ(work.change("put a.log 2; put b.log 2; put d/deep.log 2"), "m1");
  EXPECT_EQ(work.changes(1), "~a.log ~b.log");
}

TEST(TakeMoment, LeavesOutLargeFiles) {
  HistoryWorkspace work("new; put a 1; save", {.file_bytes_max = 10});
  work.take();
  EXPECT_EQ(work.change("put big 01234567890; put a 01234567890"), "m1");
  EXPECT_EQ(work.changes(1), "!a !big");
  EXPECT_EQ(work.change("put a 2; rm big"), "m2");
  EXPECT_EQ(work.changes(2), "~a -big");
}

TEST(TakeMoment, LeavesOutAFileThatChangesTooMuch) {
  HistoryWorkspace work("new; put a 0; put log 0; save", {.limits = {.bytes_max = 8'000'000}});
  work.take();
  const std::string rewrite = "head -c 100000 /dev/urandom > log";
  for (int i = 1; i <= 11; ++i) EXPECT_EQ(work.change(rewrite), "m" + std::to_string(i));
  EXPECT_EQ(work.change(rewrite), "m12");
  EXPECT_EQ(work.changes(12), "!log");
  EXPECT_EQ(work.change(rewrite), "");
  EXPECT_EQ(work.change(rewrite + "; put a 1"), "m13");
  EXPECT_EQ(work.changes(13), "~a");
  work.restart();
  EXPECT_EQ(work.change(rewrite), "");

  // The list has the time at which it was last recorded.
  const Result<HistoryList> list =
      list_history(work.timeline(), work.opened->blobs(), {.target = "m12"}, 0, {});
  ASSERT_TRUE(list);
  EXPECT_EQ(list->turns[0].moments[0].changes[0].recorded_ms, work.timeline().find(11)->at_ms);

  // A rewind can be undone.
  const std::string before = work.files();
  const Result<WithLease<RewindAnswer>> rewound = work.rewind("m11");
  ASSERT_TRUE(rewound && rewound->value.undo_with);
  EXPECT_NE(work.files(), before);
  ASSERT_TRUE(work.undo({.target = "m" + std::to_string(*rewound->value.undo_with)}));
  EXPECT_EQ(work.files(), before);
}

TEST(TakeMoment, RecordsAFileThatChangedTooMuchWhenItIsQuiet) {
  HistoryWorkspace work("new; put log 0; save", {.limits = {.bytes_max = 8'000'000}});
  work.take();
  const std::string rewrite = "head -c 300000 /dev/urandom > log";
  for (int i = 0; i < 5; ++i) work.change(rewrite);
  EXPECT_EQ(work.changes(5), "!log");
  const Result<TakenMoment> taken = work.taker->take(MomentCause::quiet, MomentPace::normal, {});
  ASSERT_TRUE(taken);
  EXPECT_FALSE(taken->is_new);
  const std::int64_t wait_ms = taken->again_ms - work.opened->now() / 1'000'000;
  EXPECT_GT(wait_ms, 0);
  work.restart();
  work.clock_offset_ns += (wait_ms + 1000) * 1'000'000;
  EXPECT_EQ(work.take(), "m6");
  EXPECT_EQ(work.changes(6), "~log");
}

TEST(TakeMoment, NamesTheChangesOfThisProcess) {
  HistoryWorkspace work("new; put a 1; put b 1; put c 1; save");
  work.take();
  ASSERT_TRUE(
      write_file(*work.opened, {}, {.path = "a", .content = "2", .executable = {}, .expected = {}}, {}));
  ASSERT_TRUE(
      write_file(*work.opened, {}, {.path = "c", .content = "2", .executable = {}, .expected = {}}, {}));
  EXPECT_EQ(work.change("put b 2; put c 3"), "m2");
  EXPECT_EQ(work.changes(1) + ", " + work.changes(2), "~c@, ~a@ ~b ~c");
}

TEST(TakeMoment, NamesTheChangesOfThisProcessWhileItTakesMoments) {
  constexpr int writes = 60;
  HistoryWorkspace work("new; for i in $(seq 1 50); do put f$i 0; done; put a 0; save");
  work.take();
  std::atomic<bool> is_done = false;
  std::jthread writer([&] {
    for (int i = 1; i <= writes; ++i) {
      ASSERT_TRUE(write_file(*work.opened, {},
                             {.path = "a", .content = std::to_string(i), .executable = {}, .expected = {}},
                             {}));
      if (i % 3 == 0) work.scratch.run("git commit -q --allow-empty -m x");  // Moments are taken again then.
    }
    is_done = true;
  });
  while (!is_done) ASSERT_TRUE(work.taker->take(MomentCause::quiet, MomentPace::normal, {}));
  writer.join();
  work.take();
  std::string by_others;
  int changes = 0;
  for (const auto& moment : work.timeline().moments) {
    const Result<std::vector<MomentChange>> made = changes_of(work.opened->blobs(), *moment);
    ASSERT_TRUE(made);
    for (const MomentChange& each : *made) {
      ++changes;
      if (!each.is_by_server) by_others += " m" + std::to_string(moment->number);
    }
  }
  EXPECT_EQ(by_others, "");
  EXPECT_LE(changes, writes) << "no change is invented";
}

TEST(TakeMoment, NamesWhatOthersChangeBehindTheServer) {
  HistoryWorkspace work("new; put a 1; save");
  work.take();
  ASSERT_TRUE(
      write_file(*work.opened, {}, {.path = "a", .content = "2", .executable = {}, .expected = {}}, {}));
  EXPECT_EQ(work.change("chmod 755 a"), "m2");
  EXPECT_EQ(work.changes(1) + ", " + work.changes(2), "~a@, %a");
}

TEST(TakeMoment, TakesEachMomentOnceInSeveralProcesses) {
  HistoryWorkspace work("new; put a 1; save");
  work.take();
  Result<std::unique_ptr<Workspace>> other = Workspace::open(work.scratch.repo(), work.scratch.environment());
  ASSERT_TRUE(other);
  MomentTaker second(**other, {});
  EXPECT_EQ(work.change("put a 2"), "m1");
  const Result<TakenMoment> taken = second.take(MomentCause::quiet, MomentPace::normal, {});
  ASSERT_TRUE(taken);
  EXPECT_FALSE(taken->is_new);
  EXPECT_EQ(taken->number, 1U);
  work.scratch.run("put a 3");
  work.wait_for_watch();
  EXPECT_TRUE(second.take(MomentCause::quiet, MomentPace::normal, {})->is_new);
  EXPECT_EQ(work.take(), "");
  EXPECT_EQ(work.change("put a 4"), "m3");
}

TEST(TakeMoment, RecordsManyChangesInBlobs) {
  HistoryWorkspace work("new; for i in $(seq 1 700); do echo $i > f$i; done; save");
  work.take();
  EXPECT_EQ(work.change("for i in $(seq 1 700); do echo x$i > f$i; done"), "m1");
  const std::shared_ptr<const Moment> moment = work.timeline().find(1);
  EXPECT_TRUE(moment->changes.empty());
  EXPECT_EQ(moment->change_count, 700);
  const Result<std::vector<MomentChange>> changes = changes_of(work.opened->blobs(), *moment);
  ASSERT_TRUE(changes);
  EXPECT_EQ(changes->size(), 700U);
  work.restart();
  EXPECT_EQ(work.change("rm f1"), "m2");
  EXPECT_EQ(work.changes(2), "-f1");
}

TEST(TakeMoment, SkipsUnreadableFiles) {
  if (::geteuid() == 0) GTEST_SKIP() << "root can read every file";
  HistoryWorkspace work("new; put a 1; put b 1; save");
  work.take();
  EXPECT_EQ(work.change("put a 2; put secret 1; chmod 0 secret"), "m1");
  EXPECT_EQ(work.changes(1), "~a !secret");
}

TEST(TakeMoment, RecordsThePositionOfTheRepository) {
  HistoryWorkspace work("new; put a 1; save");
  work.take();
  work.change("put a 2");
  EXPECT_EQ(work.timeline().find(1)->position.branch, "refs/heads/main");
  const std::string head = work.timeline().find(1)->position.head;
  EXPECT_EQ(head, work.scratch.truth().head_oid);
  work.change("git checkout -q -b other; put b 1; save");
  EXPECT_EQ(work.timeline().find(2)->position.branch, "refs/heads/other");
  EXPECT_EQ(work.timeline().find(2)->position.head, work.scratch.truth().head_oid);
}

TEST(TakeMoment, WorksWithoutGitAndInAFolderOfARepository) {
  HistoryWorkspace work("put a 1");
  work.take();
  EXPECT_EQ(work.change("put a 2; put b 1"), "m1");
  EXPECT_EQ(work.changes(1), "~a +b");
}

TEST(TakeMoment, OutlivesAGarbageCollection) {
  HistoryWorkspace work("new; put a 1; put .gitignore .env; put .env 1; save");
  work.take();
  work.change("put a 2; put .env 2");
  work.change("put a 3; rm .env");
  const CollectQuery query{
      .retention = {.keep_days = 0, .keep_count = 1, .undo_days = 1, .history = HistoryLimits{}}};
  ASSERT_TRUE(collect_garbage(*work.opened, query, {}));
  work.restart();
  const Result<WithLease<RewindAnswer>> done = work.rewind("m2");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(work.scratch.answer("cat a .env").output, "22");
  EXPECT_TRUE(work.rewind("m1"));
  EXPECT_EQ(work.scratch.answer("cat a .env").output, "11");
}

TEST(TakeMoment, RecordsNothingWhileThePauseLasts) {
  HistoryWorkspace work("new; put a 1; put b 1; save");
  work.take();
  EXPECT_FALSE(work.taker->log().paused_since_ms());
  ASSERT_TRUE(work.taker->log().pause());
  ASSERT_TRUE(work.taker->log().pause());
  EXPECT_TRUE(work.taker->log().paused_since_ms());
  EXPECT_EQ(work.change("put a 2"), "");
  work.restart();
  EXPECT_EQ(work.change("put a 3"), "");
  EXPECT_TRUE(work.timeline().moments.empty());
  ASSERT_TRUE(work.taker->log().resume());
  ASSERT_TRUE(work.taker->log().resume());
  EXPECT_EQ(work.change("put b 2"), "m1");
  EXPECT_EQ(work.changes(1), "~a ~b");
}

TEST(TakeMoment, BeginsAgainWhenTheStoreWasDeleted) {
  HistoryWorkspace work("new; put a 1; save");
  work.take();
  EXPECT_EQ(work.change("put a 2"), "m1");
  work.scratch.run("rm -rf .git/snapgen");
  EXPECT_EQ(work.change("put a 3"), "m0");
  EXPECT_EQ(work.change("put a 4"), "m1");
}

TEST(TakeMoment, StoresEverythingAgainWhenTheStoreWasDeleted) {
  HistoryWorkspace work("new; put a 1; put b 1; save");
  work.take();
  work.change("put a 2");
  work.scratch.run("rm -rf .git/snapgen");
  EXPECT_EQ(work.change("put a 3"), "m0");
  EXPECT_EQ(work.change("rm b"), "m1");
  const Result<WithLease<RewindAnswer>> done = work.rewind("m1");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(work.scratch.answer("cat a b").output, "31");
}

TEST(TakeMoment, LeavesOutTheLargestFilesThatExceedTheLimit) {
  HistoryWorkspace work("new; put a 1; save", {.limits = {.bytes_max = 4 << 20}});
  work.take();
  EXPECT_EQ(work.change("head -c 3000000 /dev/urandom > x; head -c 2000000 /dev/urandom > y; put a 2"), "m1");
  EXPECT_EQ(work.changes(1), "~a !x +y");
  const Result<WithLease<RewindAnswer>> done = work.rewind("m1", std::vector<std::string>{"a"});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(work.scratch.answer("cat a").output, "1");
}

TEST(TakeMoment, RecordsAFolderThatBecomesASymlink) {
  HistoryWorkspace work("new; put src/x 1; put other/x 2; save");
  work.take();
  EXPECT_EQ(work.change("rm -r src; ln -s other src"), "m1");
  EXPECT_EQ(work.changes(1), "+src -src/x");
  work.change("put other/x 3");
  ASSERT_TRUE(work.rewind("m2"));
  EXPECT_EQ(work.scratch.answer("readlink src; cat src/x").output, "other\n2");
}

TEST(TakeMoment, DoesNotTakeAnIgnoredFileForANewOne) {
  HistoryWorkspace work("new; put .gitignore '*.db'; head -c 100000 /dev/zero > x.db; save");
  work.take();
  EXPECT_EQ(work.change("put .gitignore ''; head -c 90000 /dev/zero > x.db"), "m1");
  ASSERT_TRUE(work.rewind("m1"));
  EXPECT_EQ(work.scratch.answer("cat .gitignore; wc -c < x.db").output, "*.db90000\n");
}

TEST(TakeMoment, StopsACollectionThatCannotReadTheLog) {
  HistoryWorkspace work("new; put a 1; save");
  work.take();
  work.change("put a 2");
  work.scratch.run("truncate -s 300M .git/snapgen/trees/*/history/log");
  EXPECT_FALSE(collect_garbage(*work.opened, {}, {}));
}

TEST(TakeMoment, BeginsAgainAfterDamage) {
  HistoryWorkspace work("new; put a 1; save");
  work.take();
  work.change("put a 2");
  work.scratch.run("rm .git/snapgen/blobs/*");
  work.restart();
  EXPECT_EQ(work.take(), "m1");  // A base with the same number: nothing is known about changes.
  EXPECT_EQ(work.change("put a 3"), "m2");
  EXPECT_TRUE(work.rewind("m2"));
  EXPECT_EQ(work.scratch.answer("cat a").output, "2");
}

TEST(MergedMoment, HasTheFirstAndTheLastState) {
  const HistoryFile one{.blob = blob_id_of("1"), .mode = S_IFREG | 0644};
  const HistoryFile two{.blob = blob_id_of("2"), .mode = S_IFREG | 0644};
  const Moment earlier{.number = 3,
                       .first_number = 2,
                       .began_ms = 5,
                       .at_ms = 10,
                       .new_bytes = 4,
                       .changes = {{.path = "a", .before = one, .after = two, .is_by_server = true},
                                   {.path = "b", .before = {}, .after = one},
                                   {.path = "c", .before = one, .after = {}}}};
  const Moment later{
      .number = 4,
      .first_number = 4,
      .began_ms = 10,
      .at_ms = 20,
      .new_bytes = 2,
      .changes = {{.path = "a", .before = two, .after = one}, {.path = "b", .before = one, .after = two}}};
  const Moment merged = merged_moment(earlier, later);
  EXPECT_EQ(merged.first_number, 2U);
  EXPECT_EQ(merged.number, 4U);
  EXPECT_EQ(merged.began_ms, 5);
  EXPECT_EQ(merged.new_bytes, 6);
  ASSERT_EQ(merged.changes.size(), 2U);
  EXPECT_EQ(merged.changes[0], (MomentChange{.path = "b", .before = {}, .after = two}));
  EXPECT_EQ(merged.changes[1], (MomentChange{.path = "c", .before = one, .after = {}}));
}

TEST(MomentLine, IsReadAsItWasWritten) {
  Moment moment{.number = 7,
                .first_number = 5,
                .began_ms = 1,
                .at_ms = 2,
                .cause = MomentCause::request,
                .position = {.head = "abc",
                             .branch = "refs/heads/é",
                             .branches = blob_id_of("3"),
                             .index = blob_id_of("4")},
                .new_bytes = 12,
                .changes = {{.path = "a \xff", .before = {}, .after = HistoryFile{.blob = {}, .mode = 0}},
                            {.path = "b\"\n",
                             .before = HistoryFile{.blob = blob_id_of("x"), .mode = S_IFREG | 0600},
                             .after = {},
                             .is_by_server = true}},
                .change_blobs = {},
                .change_count = 2};
  EXPECT_EQ(parse_moment(encoded_moment(moment)), moment);
  moment.changes[0].after =
      left_out_for_changes(HistoryFile{.blob = blob_id_of("y"), .mode = S_IFREG | 0644});
  EXPECT_TRUE(moment.changes[0].after->changes_too_much());
  EXPECT_EQ(parse_moment(encoded_moment(moment)), moment);
  moment.changes.clear();
  moment.change_blobs = {blob_id_of("1"), blob_id_of("2")};
  EXPECT_EQ(parse_moment(encoded_moment(moment)), moment);
  // Lines of earlier versions have the tree of the index.
  const std::optional<Moment> earlier = parse_moment(
      R"({"moment":1,"first":1,"began_ms":1,"at_ms":2,"cause":"quiet","head":"a","index":"b","changes":[]})");
  ASSERT_TRUE(earlier);
  EXPECT_EQ(earlier->position.head, "a");
  EXPECT_FALSE(earlier->position.is_complete());
  for (const std::string_view wrong :
       {"", "{}", "{\"moment\":1}", "[1]", "{\"moment\":1,\"first\":2,\"cause\":\"quiet\"}"})
    EXPECT_FALSE(parse_moment(wrong)) << wrong;
}

}  // namespace
}  // namespace snapgen::core
