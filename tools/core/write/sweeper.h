#pragma once
// Sweeper: removes what changes have replaced, after they were answered. To free what a large or long written
// file held may take the file system longer than everything else about a change.
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tools/core/path/fd.h"

namespace snapgen::core {

// Thread-safe. Its destructor waits until everything is removed.
class Sweeper {
 public:
  Sweeper() = default;
  Sweeper(Sweeper&&) = delete;
  ~Sweeper() = default;

  // Nobody needs the files `names` of `folder` any more. The handle is copied.
  void remove(int folder, std::vector<std::string> names);

 private:
  struct Leftovers {
    Fd folder;
    std::vector<std::string> names;
  };
  void run();

  std::mutex mutex_;
  std::vector<Leftovers> pending_;
  bool running_ = false;
  std::jthread thread_;  // Last: it uses the others until it is joined.
};

}  // namespace snapgen::core
