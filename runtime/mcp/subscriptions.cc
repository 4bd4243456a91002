#include "runtime/mcp/subscriptions.h"

#include <algorithm>

#include "runtime/json/writer.h"
#include "runtime/mcp/pending_request.h"

namespace snapgen::mcp {

namespace {

std::string_view notification(ListKind change) {
  switch (change) {
    case ListKind::tools: return "notifications/tools/list_changed";
    case ListKind::prompts: return "notifications/prompts/list_changed";
    case ListKind::resources: break;
  }
  return "notifications/resources/list_changed";
}

bool wants(const SubscriptionFilter& filter, ListKind change) {
  switch (change) {
    case ListKind::tools: return filter.tools_list_changed.value_or(false);
    case ListKind::prompts: return filter.prompts_list_changed.value_or(false);
    case ListKind::resources: break;
  }
  return filter.resources_list_changed.value_or(false);
}

std::string uri_member(std::string_view uri) { return "\"uri\":" + json::quoted(uri); }

}  // namespace

void Subscriptions::open(const ReplyTo& reply_to, SubscriptionFilter granted) {
  OpenSubscription& opened =
      subscriptions_.emplace_back(OpenSubscription{.id = comparable_id(reply_to.id),
                                                   .request_stream = reply_to.request_stream,
                                                   .filter = std::move(granted)});
  std::string members = "\"notifications\":";
  json::Writer writer(members);
  write(writer, opened.filter);
  notify(opened, "notifications/subscriptions/acknowledged", members);
  if (opened.filter.resource_subscriptions) on_change_();
}

bool Subscriptions::has(std::string_view id) const {
  if (subscriptions_.empty()) return false;
  return std::ranges::find(subscriptions_, comparable_id(id), &OpenSubscription::id) != subscriptions_.end();
}

template <class F>
std::size_t Subscriptions::end_if(F ends) {
  const std::size_t ended = std::erase_if(subscriptions_, ends);
  if (ended != 0) on_change_();
  return ended;
}

bool Subscriptions::cancel(std::string_view id) {
  if (subscriptions_.empty()) return false;
  const std::string wanted = comparable_id(id);
  return end_if([&](const OpenSubscription& open) { return open.id == wanted; }) != 0;
}

bool Subscriptions::cancel(RequestStream request_stream) {
  return end_if([&](const OpenSubscription& open) { return open.request_stream == request_stream; }) != 0;
}

void Subscriptions::watch_resource(std::string uri) {
  if (watched_uris_.insert(std::move(uri)).second) on_change_();
}

void Subscriptions::unwatch_resource(const std::string& uri) {
  if (watched_uris_.erase(uri) != 0) on_change_();
}

void Subscriptions::collect_watched_uris(std::set<std::string>& uris) const {
  uris.insert(watched_uris_.begin(), watched_uris_.end());
  for (const OpenSubscription& open : subscriptions_) {
    const auto& named = open.filter.resource_subscriptions;
    if (named) uris.insert(named->begin(), named->end());
  }
}

void Subscriptions::end_all(std::string_view frame) {
  for (const OpenSubscription& open : std::exchange(subscriptions_, {})) {
    const std::string members =
        "\"io.modelcontextprotocol/subscriptionId\":" + open.id + "},\"resultType\":\"complete\"";
    const std::string cancelled = "{\"requestId\":" + open.id + "}";
    // On a request stream the answer must be the last message.
    if (open.request_stream != 0)
      outbox_.send_notification("notifications/cancelled", cancelled, open.request_stream);
    outbox_.send_result({.id = open.id, .request_stream = open.request_stream}, frame, members);
    if (open.request_stream == 0) outbox_.send_notification("notifications/cancelled", cancelled);
  }
}

void Subscriptions::announce_list_changed(ListKind change, bool legacy) {
  if (legacy) outbox_.send_notification(notification(change), {});
  for (const OpenSubscription& open : subscriptions_)
    if (wants(open.filter, change)) notify(open, notification(change), {});
}

void Subscriptions::announce_resource_changed(std::string_view uri) {
  constexpr std::string_view method = "notifications/resources/updated";
  if (watched_uris_.contains(uri)) outbox_.send_notification(method, "{" + uri_member(uri) + "}");
  for (const OpenSubscription& open : subscriptions_) {
    const auto& uris = open.filter.resource_subscriptions;
    if (uris && std::ranges::find(*uris, uri) != uris->end()) notify(open, method, uri_member(uri));
  }
}

void Subscriptions::announce_task_changed(std::string_view id, std::string_view members) {
  for (const OpenSubscription& open : subscriptions_) {
    const auto& ids = open.filter.task_ids;
    if (ids && std::ranges::find(*ids, id) != ids->end()) notify(open, "notifications/tasks", members);
  }
}

void Subscriptions::notify(const OpenSubscription& subscription, std::string_view method,
                           std::string_view members) {
  std::string params = "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" + subscription.id + "}";
  if (!members.empty()) params.append(",").append(members);
  outbox_.send_notification(method, params + "}", subscription.request_stream);
}

}  // namespace snapgen::mcp
