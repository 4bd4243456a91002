#include "tools/app/restore_tools.h"

#include <utility>

#include "runtime/json/writer.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view restoring_tool = "snapback.snapshot_restore";

}  // namespace

std::string name_of_restore_tool(const App& app) {
  for (const std::string_view each : {restoring_tool, std::string_view("snap_fix")}) {
    const std::string name = callable_name(app, each);
    if (!name.empty()) return name;
  }
  return "`snap snapshot restore` on the command line";
}

std::string name_of_path_restore_tool(const App& app) {
  const std::string name = callable_name(app, restoring_tool);
  return name.empty() ? "`snap snapshot restore ID PATH` on the command line" : name + " with files";
}

void propose_restore(NextActions& actions, std::string_view id, double priority, std::string reason,
                     std::string condition) {
  if (!callable_name(actions.app(), restoring_tool).empty())
    actions.add(restoring_tool, "{\"snapshot_id\":" + json::quoted(id) + "}", priority, std::move(reason),
                std::move(condition));
  else
    actions.add("snap_fix", "{\"action\":\"restore\",\"id\":" + json::quoted(id) + "}", priority,
                std::move(reason), std::move(condition));
}

}  // namespace snapgen::tools
