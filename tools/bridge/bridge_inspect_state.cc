#include "schemas/bridge/bridge_inspect_state.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {

Task<BridgeInspectStateOutput> bridge_inspect_state(App& app, mcp::Call& call,
                                                    const BridgeInspectStateInput& in) {
  InspectStateCommand command;
  command.payload = {.query = in.query};
  return bridge::run_command<BridgeInspectStateOutput, InspectStateDone>(
      app, call, in, CommandName::inspect_state, std::move(command), in.require_confirmation);
}

}  // namespace snapgen::tools
