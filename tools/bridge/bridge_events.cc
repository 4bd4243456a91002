#include "schemas/bridge/bridge_events.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {
namespace {

// Patience sets the event that a handler waits for, after a time.
struct Patience final : Alarm {
  Patience(Loop& loop, Event& event, Millis time) : port(loop.port()), event(event) {
    if (time.count() > 0) port.start(*this, time);
  }
  Patience(Patience&&) = delete;
  ~Patience() { port.cancel(*this); }
  void ring() override { event.set(); }
  bool is_over() const { return !is_set(); }
  Port& port;
  Event& event;
};

}  // namespace

Task<BridgeEventsOutput> bridge_events(App& app, mcp::Call& call, const BridgeEventsInput& in) {
  Result<bridge::Hub*> found = bridge::hub_of(app);
  if (!found) co_return std::move(found).error();
  bridge::Hub& hub = **found;
  EventPage page = hub.events(in);
  const Patience patience(call.loop(), hub.event_came(), Millis(in.wait_ms));
  while (page.events.empty() && !patience.is_over()) {
    hub.event_came().reset();
    Result<Unit> came = co_await hub.event_came().wait(call.stop());
    if (!came) co_return came.error();
    page = hub.events(in);
  }
  BridgeEventsOutput output(std::move(page));
  co_return output;
}

}  // namespace snapgen::tools
