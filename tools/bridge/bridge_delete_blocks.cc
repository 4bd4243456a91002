#include "schemas/bridge/bridge_delete_blocks.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {

Task<BridgeDeleteBlocksOutput> bridge_delete_blocks(App& app, mcp::Call& call,
                                                    const BridgeDeleteBlocksInput& in) {
  DeleteBlocksCommand command;
  command.payload = {.target_sprite = in.target_sprite, .selection = in.selection, .options = in.options};
  return bridge::run_command<BridgeDeleteBlocksOutput, DeleteBlocksDone>(
      app, call, in, CommandName::delete_blocks, std::move(command),
      in.require_confirmation || (in.options && in.options->confirm_before_delete));
}

}  // namespace snapgen::tools
