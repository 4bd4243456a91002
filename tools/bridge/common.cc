#include "tools/bridge/common.h"

#include "runtime/json/tree.h"
#include "tools/app/work_notes.h"

namespace snapgen::tools::bridge {
namespace {

std::int64_t blocks_in(json::Value value) {
  std::int64_t count = 0;
  if (value.kind() == json::Kind::object)
    count += value.find("opcode").exists() || value.find("operation").exists() ? 1 : 0;
  if (value.kind() != json::Kind::object && value.kind() != json::Kind::array) return 0;
  for (json::Value each = value.first_child(); each.exists(); each = each.next_sibling())
    count += blocks_in(each);
  return count;
}

// Returns whether the browser may have begun a command that failed with this error.
bool may_have_run(const Error& error) {
  if (error.code == ErrorCode::cancelled) return true;
  if (error.code == ErrorCode::too_large) return false;  // The command was too large to be sent.
  switch (code_of(error)) {
    case BridgeFailureCode::connection_lost:
    case BridgeFailureCode::execution_timeout:
    case BridgeFailureCode::invalid_response:
    case BridgeFailureCode::javascript_error:
    case BridgeFailureCode::memory_limit: return true;
    default: return false;
  }
}

}  // namespace

Result<Hub*> hub_of(const App& app) {
  if (app.shared.bridge) return app.shared.bridge;
  const std::string why = app.shared.no_bridge_reason.empty() ? "The server was started without --ws."
                                                              : app.shared.no_bridge_reason;
  return failure(BridgeFailureCode::bridge_off, "No browser can connect: " + why, {},
                 {"Ask the user to start the server with --ws."});
}

void audit_command(App& app, const Request& request, const std::string& session_id,
                   const Result<Reply>& reply) {
  constexpr core::Permissions changing = permission_bit(BridgePermission::create_blocks) |
                                         permission_bit(BridgePermission::create_custom_block) |
                                         permission_bit(BridgePermission::delete_blocks) |
                                         permission_bit(BridgePermission::execute_scripts);
  if ((request.permissions & changing) == 0) return;
  std::string outcome = "success";
  if (!reply) {
    const BridgeFailureCode code = code_of(reply.error());
    outcome = reply.error().code == ErrorCode::cancelled ? "CANCELLED" : std::string(text(code));
    if (!may_have_run(reply.error())) return;
  }
  queue_audit_line(app, "bridge",
                   core::AuditMembers()
                       .add("command", request.command)
                       .add("outcome", outcome)
                       .add("session_id", session_id));
}

std::optional<Error> check_block_count(std::string_view text) {
  const json::Tree tree(text);
  const std::int64_t count = tree.is_json() ? blocks_in(tree.root()) : 0;
  const std::int64_t max = BridgeLimits().max_blocks_per_command;
  if (count <= max) return std::nullopt;
  return failure(
      BridgeFailureCode::memory_limit,
      "There are " + std::to_string(count) + " blocks; a command may have " + std::to_string(max) + ".", {},
      {"Create them with several calls."});
}

}  // namespace snapgen::tools::bridge
