#include "schemas/bridge/bridge_pair.h"

#include "tools/app/work_notes.h"
#include "tools/bridge/common.h"

namespace snapgen::tools {
namespace {

Result<BridgePairOutput> pair(App& app, const BridgePairInput& in) {
  bridge::Hub* hub = TRY(bridge::hub_of(app));
  core::Permissions permissions = in.permissions ? 0 : bridge::default_permissions;
  if (in.permissions)
    for (const BridgePermission each : *in.permissions) permissions |= bridge::permission_bit(each);
  core::Pairing made = TRY(hub->pair(permissions));
  std::vector<std::string> names;
  for (const BridgePermission each : bridge::permissions_in(permissions)) names.emplace_back(text(each));
  queue_audit_line(app, "bridge_pairing",
                   core::AuditMembers().add("permissions", names).add("session_id", made.session_id));
  std::string hmac = made.token.substr(made.token.find('.') + 1);
  return BridgePairOutput(PairingMade{.code = std::move(made.code),
                                      .token = std::move(made.token),
                                      .hmac = std::move(hmac),
                                      .url = hub->options().url,
                                      .session_id = std::move(made.session_id),
                                      .permissions = bridge::permissions_in(permissions),
                                      .issued_at = core::iso_time(made.issued_ms),
                                      .expires_at = core::iso_time(made.expires_ms)});
}

}  // namespace

Task<BridgePairOutput> bridge_pair(App& app, mcp::Call&, const BridgePairInput& in) {
  co_return pair(app, in);
}

}  // namespace snapgen::tools
