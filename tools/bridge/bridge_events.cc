#include "schemas/bridge/bridge_events.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {
namespace {

// WaitAlarm ends a handler's wait for an event after some time, by setting the event.
struct WaitAlarm final : Alarm {
  WaitAlarm(Loop& loop, Event& event, Millis time) : port(loop.port()), event(event) {
    if (time.count() > 0) port.start(*this, time);
  }
  WaitAlarm(WaitAlarm&&) = delete;
  ~WaitAlarm() { port.cancel(*this); }
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
  const WaitAlarm alarm(call.loop(), hub.event_arrived(), Millis(in.wait_ms));
  while (page.events.empty() && !alarm.is_over()) {
    hub.event_arrived().reset();
    Result<Unit> done = co_await hub.event_arrived().wait(call.stop());
    if (!done) co_return done.error();
    page = hub.events(in);
  }
  BridgeEventsOutput output(std::move(page));
  co_return output;
}

}  // namespace snapgen::tools
