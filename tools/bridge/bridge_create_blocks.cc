#include "schemas/bridge/bridge_create_blocks.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {

Task<BridgeCreateBlocksOutput> bridge_create_blocks(App& app, mcp::Call& call,
                                                    const BridgeCreateBlocksInput& in) {
  CreateBlocksCommand command;
  command.payload = {
      .target_sprite = in.target_sprite, .scripts = in.scripts, .visual_feedback = in.visual_feedback};
  std::optional<Error> too_large = bridge::check_block_count(json::to_json(command.payload.scripts));
  if (too_large) return bridge::error_task<BridgeCreateBlocksOutput>(*std::move(too_large));
  return bridge::run_command<BridgeCreateBlocksOutput, CreateBlocksDone>(
      app, call, in, CommandName::create_blocks, std::move(command), in.require_confirmation);
}

}  // namespace snapgen::tools
