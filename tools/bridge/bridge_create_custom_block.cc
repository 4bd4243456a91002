#include "schemas/bridge/bridge_create_custom_block.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {

Task<BridgeCreateCustomBlockOutput> bridge_create_custom_block(App& app, mcp::Call& call,
                                                               const BridgeCreateCustomBlockInput& in) {
  CreateCustomBlockCommand command;
  command.payload = {.block_name = in.block_name,
                     .category = in.category,
                     .kind = in.kind,
                     .parameters = in.parameters,
                     .definition = in.definition,
                     .scope = in.scope};
  std::optional<Error> too_large = bridge::check_block_count(json::to_json(command.payload.definition));
  if (too_large) return bridge::error_task<BridgeCreateCustomBlockOutput>(*std::move(too_large));
  return bridge::run_command<BridgeCreateCustomBlockOutput, CreateCustomBlockDone>(
      app, call, in, CommandName::create_custom_block, std::move(command), in.require_confirmation);
}

}  // namespace snapgen::tools
