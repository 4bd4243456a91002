#pragma once
// Subscriptions: who on one connection wants to hear of which changes.
//
// Modern clients open subscriptions/listen requests, each with a filter; every notification names the request
// it belongs to. Legacy clients hear of changed lists unasked, and of the resources they subscribed to.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/mcp/outbox.h"
#include "schemas/mcp/subscription_filter.h"

namespace snapgen::mcp {

enum class Change : std::uint8_t { tools, prompts, resources };

class Subscriptions {
 public:
  // `changed` is called whenever add_resources() has another answer.
  Subscriptions(Outbox& outbox, std::function<void()> changed)
      : outbox_(outbox), changed_(std::move(changed)) {}

  // `granted` is what the server announces of what was asked for. Says so to the client.
  void open(const ReplyTo& reply_to, SubscriptionFilter granted);
  bool has(std::string_view id) const;
  // The client gave it up. False: there is none of this id.
  bool cancel(std::string_view id);
  bool cancel(RequestStream request_stream);
  std::size_t size() const { return open_.size(); }
  // Ends all, with an answer to each request. `frame` is that of a modern result, up to its `_meta` members.
  void end_all(std::string_view frame);

  void watch(std::string uri);
  void unwatch(const std::string& uri);
  std::size_t watched() const { return watched_.size(); }
  // Those that somebody here wants to hear of.
  void add_resources(std::set<std::string>& uris) const;

  // `legacy`: the client is one that hears of lists unasked.
  void list_changed(Change change, bool legacy);
  void resource_changed(std::string_view uri);
  // `members`: of a DetailedTask.
  void task_changed(std::string_view id, std::string_view members);

 private:
  struct Open {
    std::string id;
    RequestStream request_stream = 0;
    SubscriptionFilter filter;
  };

  // Ends those that `ends` picks. How many there were.
  template <class F>
  std::size_t end_if(F ends);
  void notify(const Open& subscription, std::string_view method, std::string_view members);

  Outbox& outbox_;
  std::function<void()> changed_;
  std::vector<Open> open_;
  std::set<std::string, std::less<>> watched_;
};

}  // namespace snapgen::mcp
