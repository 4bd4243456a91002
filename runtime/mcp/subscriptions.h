#pragma once
// Subscriptions are the changes that the clients of one connection subscribed to. Modern clients open
// subscriptions/listen requests with filters, and every notification names its request. Legacy clients get
// list changes without subscribing, and changes of the resources that they subscribed to.
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

enum class ListKind : std::uint8_t { tools, prompts, resources };

class Subscriptions {
 public:
  // `changed` is called whenever the result of collect_watched_uris() changes.
  Subscriptions(Outbox& outbox, std::function<void()> changed)
      : outbox_(outbox), on_change_(std::move(changed)) {}

  // Opens and acknowledges a subscription. `granted` is the part of the filter that the server announces.
  void open(const ReplyTo& reply_to, SubscriptionFilter granted);
  bool has(std::string_view id) const;
  // Removes a subscription that the client cancelled. Returns false if it does not exist.
  bool cancel(std::string_view id);
  bool cancel(RequestStream request_stream);
  std::size_t size() const { return subscriptions_.size(); }
  // Ends all subscriptions and answers their requests. `frame` is a result's text up to the members of
  // `_meta`.
  void end_all(std::string_view frame);

  void watch_resource(std::string uri);
  void unwatch_resource(const std::string& uri);
  std::size_t watched_count() const { return watched_uris_.size(); }
  // Adds the URIs of the resources that this connection's clients subscribed to.
  void collect_watched_uris(std::set<std::string>& uris) const;

  // Notifies the client of a changed list. A legacy client (`legacy`) is notified without a subscription.
  void announce_list_changed(ListKind change, bool legacy);
  void announce_resource_changed(std::string_view uri);
  // Notifies the subscribers of a task's change. `members` are those of the task as JSON (DetailedTask).
  void announce_task_changed(std::string_view id, std::string_view members);

 private:
  struct OpenSubscription {
    std::string id;
    RequestStream request_stream = 0;
    SubscriptionFilter filter;
  };

  // Ends the subscriptions that `ends` selects, and returns their number.
  template <class F>
  std::size_t end_if(F ends);
  void notify(const OpenSubscription& subscription, std::string_view method, std::string_view members);

  Outbox& outbox_;
  std::function<void()> on_change_;
  std::vector<OpenSubscription> subscriptions_;
  std::set<std::string, std::less<>> watched_uris_;
};

}  // namespace snapgen::mcp
