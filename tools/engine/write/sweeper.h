#pragma once
// Sweeper: finishes changes after they were answered: makes durable what they have done, which their journals
// could still make once more, and removes what they replaced. To sync many files, and to free what a large or
// long written file held, may take the file system longer than everything else about a change.
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tools/engine/files/root.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/staging_folder.h"

namespace snapgen::core {

// A change all of whose steps are done.
struct Unfinished {
  std::string transaction;
  std::vector<Step> steps;
  SnapshotFiles undo;
};

// Thread-safe. Its destructor waits until everything is finished.
class Sweeper {
 public:
  explicit Sweeper(const Root& root) : root_(root) {}  // Which must outlive this.
  Sweeper(Sweeper&&) = delete;
  ~Sweeper() = default;

  // If the disk fails, the change stays to be recovered by the next one. Where there is no thread to be had,
  // it is finished when this returns.
  void finish(StagingFolder folder, Unfinished change);

  // Until all that was given before is durable; what was replaced may be on its way out.
  void wait();

 private:
  struct Work {
    StagingFolder folder;
    Unfinished change;
  };
  void run();

  const Root& root_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::vector<Work> pending_;
  std::size_t unfinished_ = 0;  // Of those that were given: not durable yet.
  bool running_ = false;
  std::jthread thread_;  // Last: it uses the others until it is joined.
};

}  // namespace snapgen::core
