#include "schemas/bridge/bridge_read_project.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {

Task<BridgeReadProjectOutput> bridge_read_project(App& app, mcp::Call& call,
                                                  const BridgeReadProjectInput& in) {
  ReadProjectCommand command;
  command.payload = {.include = in.include, .detail_level = in.detail_level};
  return bridge::run_command<BridgeReadProjectOutput, ReadProjectDone>(
      app, call, in, CommandName::read_project, std::move(command), in.require_confirmation);
}

}  // namespace snapgen::tools
