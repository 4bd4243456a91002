#pragma once
// HistoryWorkspace: a workspace whose moments a test takes, with short forms of the operations on them.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/history/history_query.h"
#include "tools/engine/operations/history/rewind.h"
#include "tools/engine/operations/history/take_moment.h"

namespace snapgen::core {

class HistoryWorkspace : public TestWorkspace {
 public:
  explicit HistoryWorkspace(std::string_view script = "new; save", HistoryOptions options = {})
      : TestWorkspace(script), options_(options) {
    restart();
  }

  // Forgets what is in memory, as a restart of the server does.
  void restart() {
    taker.reset();
    reopen();
    taker = std::make_unique<MomentTaker>(*opened, options_);
  }

  // Takes a moment. Returns its name, such as "m1"; "" if nothing has changed, or the error.
  std::string take(MomentCause cause = MomentCause::quiet) {
    wait_for_watch();
    const Result<TakenMoment> taken = taker->take(cause, MomentPace::normal, {});
    if (!taken) return taken.error().message;
    return taken->is_new ? "m" + std::to_string(taken->number) : std::string();
  }
  // Runs a script and takes a moment.
  std::string change(std::string_view script) {
    scratch.run(script);
    return take();
  }

  Timeline timeline() {
    Result<Timeline> read = taker->log().read();
    EXPECT_TRUE(read);
    return read ? *std::move(read) : Timeline();
  }
  // Returns the paths of a moment's changes with their kinds, such as "+a ~b -c", and "@" after those of this
  // process.
  std::string changes(std::uint64_t number) {
    const std::shared_ptr<const Moment> moment = timeline().find(number);
    if (!moment) return "none";
    const Result<std::vector<MomentChange>> found = changes_of(opened->blobs(), *moment);
    if (!found) return found.error().message;
    std::string text;
    for (const MomentChange& each : *found) {
      constexpr std::string_view signs = "+~%-!";
      text += text.empty() ? "" : " ";
      text += signs[static_cast<std::size_t>(kind_of(each))] + each.path + (each.is_by_server ? "@" : "");
    }
    return text;
  }

  Result<WithLease<RewindAnswer>> rewind(std::string target,
                                         std::optional<std::vector<std::string>> paths = {},
                                         bool dry_run = false) {
    wait_for_watch();
    return core::rewind(*opened, *taker,
                        {.target = std::move(target), .paths = std::move(paths), .dry_run = dry_run}, {});
  }
  Result<WithLease<UndoMomentAnswer>> undo(UndoMomentQuery query) {
    wait_for_watch();
    return undo_moment(*opened, *taker, query, {});
  }

  // Returns all files except git's and the server's, with their types, permissions and contents.
  std::string files() const {
    return scratch
        .answer(
            "find . \\( -name .git -o -name .snapback \\) -prune -o \\( -type f -o -type l \\) -print | "
            "LC_ALL=C sort "
            "| while read -r p; do printf '%s ' \"$p\"; stat -c '%A' \"$p\" | tr '\\n' ' '; "
            "if [ -L \"$p\" ]; then readlink \"$p\"; else od -An -c \"$p\" | tr -d '\\n '; echo; fi; done")
        .output;
  }

  std::unique_ptr<MomentTaker> taker;

 private:
  HistoryOptions options_;
};

}  // namespace snapgen::core
