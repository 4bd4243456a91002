#include "schemas/bridge/bridge_status.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {

Task<BridgeStatusOutput> bridge_status(App& app, mcp::Call&, const BridgeStatusInput&) {
  Result<bridge::Hub*> hub = bridge::hub_of(app);
  if (!hub) co_return std::move(hub).error();
  BridgeStatusOutput output((*hub)->status());
  co_return output;
}

}  // namespace snapgen::tools
