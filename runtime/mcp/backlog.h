#pragma once
// Backlog: requests that came while their session worked on as many as it may. They wait here and not in the
// channel, so that what comes behind them is heard: answers that the calls in progress wait for, and
// notifications/cancelled.
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/mcp/outbox.h"
#include "runtime/mcp/revision.h"
#include "runtime/transport/channel.h"

namespace snapgen::mcp {

class Backlog {
 public:
  struct Entry {
    std::string text;
    std::string id;  // See comparable_id().
    Revision revision;
    std::shared_ptr<Batch> batch;
    RequestStream request_stream;
  };

  explicit Backlog(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  Backlog(Backlog&&) = delete;

  // False: there is no room for it.
  bool add(Entry entry);
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  bool has(std::string_view id) const;
  // The one that came first.
  Entry take();
  // The one of this id, if it is here.
  std::optional<Entry> take(std::string_view id);
  void clear();

 private:
  using Entries = std::list<Entry>;
  Entry take(Entries::iterator at);

  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  Entries entries_;  // In the order in which they came.
  std::unordered_map<std::string_view, Entries::iterator> by_id_;
};

}  // namespace snapgen::mcp
