#pragma once
// BridgeResources: the browsers' state and events as MCP resources with subscriptions.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mcp/resource_set.h"
#include "tools/app/app.h"

namespace snapgen::tools {

// The resource with the last events, as bridge_events returns them. Each event is announced as a change.
inline constexpr std::string_view events_uri = "snapgen://bridge/events";
// The resource with the connected browsers, as bridge_status returns them.
inline constexpr std::string_view status_uri = "snapgen://bridge/status";

class BridgeResources final : public mcp::ResourceSet {
 public:
  // The app must outlive this object. Without a bridge there are no resources.
  explicit BridgeResources(const App& app) : app_(app) {}

  std::vector<mcp::Resource> resources() override;
  Task<mcp::ReadResourceResult> read(mcp::Context& context, std::string uri) override;
  bool announces_changes() const override { return true; }

 private:
  const App& app_;
};

}  // namespace snapgen::tools
