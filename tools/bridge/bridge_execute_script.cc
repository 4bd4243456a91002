#include "schemas/bridge/bridge_execute_script.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {

Task<BridgeExecuteScriptOutput> bridge_execute_script(App& app, mcp::Call& call,
                                                      const BridgeExecuteScriptInput& in) {
  ExecuteScriptCommand command;
  command.payload = {.javascript_code = in.javascript_code,
                     .return_result = in.return_result,
                     .sandbox_mode = in.sandbox_mode};
  return bridge::run_command<BridgeExecuteScriptOutput, ExecuteScriptDone>(
      app, call, in, CommandName::execute_script, std::move(command), in.require_confirmation);
}

}  // namespace snapgen::tools
