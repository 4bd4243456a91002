#pragma once
// Backlog queues requests that arrive while their session already handles Limits::requests_in_flight_max
// others. They do not wait in the channel, so that the session still reads the messages behind them: answers
// to questions of running calls, and notifications/cancelled.
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
    std::string id;  // In the form of comparable_id().
    Revision revision;
    std::shared_ptr<Batch> batch;
    RequestStream request_stream;
  };

  explicit Backlog(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  Backlog(Backlog&&) = delete;

  // Adds an entry, or returns false if the backlog would exceed `bytes_max`.
  bool add(Entry entry);
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  bool has(std::string_view id) const;
  // Removes and returns the oldest entry. The backlog must not be empty.
  Entry take();
  // Removes and returns the entry with this id, or nullopt.
  std::optional<Entry> take(std::string_view id);
  void clear();

 private:
  using Entries = std::list<Entry>;
  Entry take(Entries::iterator at);

  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  Entries entries_;  // In the order of their arrival.
  std::unordered_map<std::string_view, Entries::iterator> by_id_;
};

}  // namespace snapgen::mcp
