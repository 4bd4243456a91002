#pragma once
// The Unix sockets through which processes share the watch of a tree. Each process that offers its watch has
// one in the folder of the tree in the store.
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/fd.h"

namespace snapgen::core {

// Owns a listening socket and its file, which the destructor removes.
class OfferSocket {
 public:
  // Also removes the sockets of processes that ended. Returns nullopt if the folder is missing or does not
  // allow it.
  static std::optional<OfferSocket> open(const std::string& folder);
  OfferSocket(OfferSocket&&) = default;
  OfferSocket& operator=(OfferSocket&&) = delete;
  ~OfferSocket();

  int fd() const { return socket_.get(); }

 private:
  OfferSocket(Fd folder, Fd socket, std::string name)
      : folder_(std::move(folder)), socket_(std::move(socket)), name_(std::move(name)) {}

  Fd folder_;
  Fd socket_;
  std::string name_;
};

// Connects to the processes that offer a watch in `folder`, one after the other, in random order. Removes
// sockets of processes that ended.
class OfferedWatches {
 public:
  explicit OfferedWatches(const std::string& folder);

  std::size_t size() const { return names_.size(); }

  // Returns an empty Fd if no further process of this user can be connected.
  Fd connect_next();

 private:
  Fd folder_;
  std::vector<std::string> names_;
};

// Waits until no other process is about to watch the tree, at most ten seconds. The result is a lock, which
// ends when it is closed; empty if the folder is missing or cannot be locked.
Fd wait_for_turn(const std::string& folder, const std::stop_token& stop);

// Returns whether the process at the other end belongs to this user.
bool is_own_user(int socket);

}  // namespace snapgen::core
