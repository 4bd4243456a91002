#pragma once
// WatchClient reads the changes of a tree from the watch of another process (watch_server.h). Each drain()
// makes that process read the kernel's queue, so it includes every change made before the call.
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/fd.h"
#include "tools/engine/watch/mount_changes.h"
#include "tools/engine/watch/watch_messages.h"
#include "tools/engine/watch/watch_source.h"

namespace snapgen::core {

class WatchClient final : public WatchSource {
 public:
  // Connects to a process that offers a watch of `root` in `folder`. Returns null if there is none.
  static std::unique_ptr<WatchClient> connect(const std::string& folder, const std::string& root);

  // The number of watches that were offered when this client connected.
  std::size_t offer_count() const { return offer_count_; }

  WatchAddition add(std::string_view folder) override;
  bool drain(const std::function<void(const FolderEvent&)>& take) override;
  const std::string& loss_reason() const override { return loss_reason_; }
  std::size_t size() const override { return folders_.size(); }
  int fd() const override { return socket_.get(); }
  bool is_own() const override { return false; }
  bool offer(const std::string&, const std::string&) override { return false; }
  Fd release_fd() override { return {}; }

 private:
  WatchClient(Fd socket, MountChanges mounts, std::size_t offer_count);
  bool subscribe(const watch_messages::Tree& tree);
  std::optional<watch_messages::Message> ask(const std::string& request, watch_messages::Kind wanted);
  bool lose(std::string_view reason);
  void forget(const std::string& folder);

  Fd socket_;
  MountChanges mounts_;
  std::size_t offer_count_;
  // The folders that the other process watches, up to the last event that this client has read. The process
  // removes a folder only together with an event, so this set is exact after each event.
  std::set<std::string, std::less<>> folders_;
  std::vector<char> buffer_;  // The last response.
  std::string loss_reason_;   // Empty while changes can be detected.
};

}  // namespace snapgen::core
