#include "schemas/bridge/bridge_highlight_blocks.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {

Task<BridgeHighlightBlocksOutput> bridge_highlight_blocks(App& app, mcp::Call& call,
                                                          const BridgeHighlightBlocksInput& in) {
  HighlightBlocksCommand command;
  command.payload = {
      .block_ids = in.block_ids, .highlight_style = in.highlight_style, .show_tooltip = in.show_tooltip};
  return bridge::run_command<BridgeHighlightBlocksOutput, HighlightBlocksDone>(
      app, call, in, CommandName::highlight_blocks, std::move(command), in.require_confirmation);
}

}  // namespace snapgen::tools
