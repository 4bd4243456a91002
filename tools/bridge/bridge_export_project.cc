#include "schemas/bridge/bridge_export_project.h"

#include "tools/bridge/common.h"

namespace snapgen::tools {

Task<BridgeExportProjectOutput> bridge_export_project(App& app, mcp::Call& call,
                                                      const BridgeExportProjectInput& in) {
  ExportProjectCommand command;
  command.payload = {.format = in.format, .include_media = in.include_media, .compress = in.compress};
  return bridge::run_command<BridgeExportProjectOutput, ExportProjectDone>(
      app, call, in, CommandName::export_project, std::move(command), in.require_confirmation);
}

}  // namespace snapgen::tools
