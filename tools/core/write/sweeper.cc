#include "tools/core/write/sweeper.h"

#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace snapgen::core {

void Sweeper::remove(int folder, std::vector<std::string> names) {
  Fd copy(::fcntl(folder, F_DUPFD_CLOEXEC, 0));
  if (!copy) return;  // They stay until the next start.
  std::lock_guard lock(mutex_);
  pending_.push_back({.folder = std::move(copy), .names = std::move(names)});
  if (std::exchange(running_, true)) return;
  thread_ = std::jthread([this] { run(); });
}

void Sweeper::run() {
  while (true) {
    std::vector<Leftovers> taken;
    {
      std::lock_guard lock(mutex_);
      taken = std::exchange(pending_, {});
      if (taken.empty()) {
        running_ = false;
        return;
      }
    }
    for (const Leftovers& leftovers : taken) {
      for (const std::string& name : leftovers.names) ::unlinkat(leftovers.folder.get(), name.c_str(), 0);
    }
  }
}

}  // namespace snapgen::core
