#pragma once
// WatchServer lets other processes of the user read the events of a WatchLog (watch_messages.h). It answers
// on a thread of its own, so that a client never waits for this process's other work.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/base/fd.h"
#include "tools/engine/watch/watch_log.h"
#include "tools/engine/watch/watch_messages.h"
#include "tools/engine/watch/watch_socket.h"

namespace snapgen::core {

class WatchServer {
 public:
  // Offers `log`, which watches all folders of the tree at `root`, through a socket in `folder`. The server
  // must be destroyed before the log. Its thread calls `after_read` when it may have read events from the
  // kernel's queue. Returns null if a socket or a thread cannot be created.
  static std::unique_ptr<WatchServer> start(WatchLog& log, const std::string& folder, const std::string& root,
                                            std::function<void()> after_read);
  WatchServer(WatchServer&&) = delete;
  ~WatchServer();

 private:
  struct Client {
    Fd socket;
    std::unique_ptr<WatchLog::Reader> reader;  // Null before its `hello`.
    std::vector<std::string> folders;          // The folders to send; from the last to the first.
    bool is_notified = false;                  // A notice was sent since its last `next`.
  };

  WatchServer(WatchLog& log, OfferSocket socket, watch_messages::Tree tree, Fd stop,
              std::function<void()> after_read)
      : log_(log),
        socket_(std::move(socket)),
        tree_(std::move(tree)),
        stop_(std::move(stop)),
        after_read_(std::move(after_read)) {}
  void run();
  bool accept_clients();
  bool respond(Client& client);
  std::string response(Client& client, const watch_messages::Message& request);
  static std::string next_folders(Client& client);
  std::string next_events(Client& client);
  bool notify(Client& client);

  WatchLog& log_;
  OfferSocket socket_;
  watch_messages::Tree tree_;
  Fd stop_;  // Readable when the thread must end.
  std::function<void()> after_read_;
  std::vector<Client> clients_;  // Used by thread_ only.
  std::vector<char> buffer_;     // The same.
  std::jthread thread_;
};

}  // namespace snapgen::core
