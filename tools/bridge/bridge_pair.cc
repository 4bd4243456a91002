#include "schemas/bridge/bridge_pair.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {
namespace {

Result<BridgePairOutput> pair(const App& app, const BridgePairInput& in) {
  Result<bridge::Hub*> hub = bridge::hub_of(app);
  if (!hub) return std::move(hub).error();
  core::Permissions permissions = in.permissions ? 0 : bridge::usual_permissions;
  if (in.permissions)
    for (const BridgePermission each : *in.permissions) permissions |= bridge::bit(each);
  Result<core::Pairing> made = (*hub)->pair(permissions);
  if (!made) return std::move(made).error();
  return BridgePairOutput(PairingMade{.code = std::move(made->code),
                                      .token = std::move(made->token),
                                      .url = (*hub)->options().url,
                                      .session_id = std::move(made->session_id),
                                      .permissions = bridge::listed(permissions),
                                      .issued_at = core::iso_time(made->issued_ms),
                                      .expires_at = core::iso_time(made->expires_ms)});
}

}  // namespace

Task<BridgePairOutput> bridge_pair(App& app, mcp::Call&, const BridgePairInput& in) {
  co_return pair(app, in);
}

}  // namespace snapgen::tools
