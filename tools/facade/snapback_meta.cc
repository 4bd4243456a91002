#include "schemas/facade/snapback_meta.h"

#include "runtime/base/enum_cast.h"
#include "runtime/mcp/server.h"
#include "schemas/facade/snapback_prepare_workspace.h"
#include "tools/app/app.h"
#include "tools/app/next_actions.h"
#include "tools/facade/common.h"

namespace snapgen::tools {
namespace {

using Item = SnapbackMetaOutputDataToolsItem;
using ItemTier = SnapbackMetaOutputDataToolsItemTier;

// Returns whether the tool needs a browser, and none can connect.
bool lacks_browser(const App& app, const mcp::Tool& tool) {
  return tool.family == "bridge" && app.shared.bridge == nullptr;
}

Item item_of(const App& app, const mcp::Tool& tool) {
  Item item;
  item.available = tier_allows(app.tier, tool.tier) && !lacks_browser(app, tool);
  if (tool.deadline_ms > 0) item.deadline_ms = tool.deadline_ms;
  item.family = tool.family;
  item.name = app.shared.server->shown_name(tool);
  if (tool.rate_per_minute > 0) item.rate_per_minute = tool.rate_per_minute;
  item.tier = enum_cast<ItemTier>(tier_named(tool.tier).value_or(Tier::free));
  return item;
}

}  // namespace

Task<mcp::Summarized<SnapbackMetaOutput>> snapback_meta(App& app, mcp::Call&, const SnapbackMetaInput& in) {
  SnapbackMetaOutputData data;
  data.restore = name_of_restore_tool(app);
  data.tier = enum_cast<SnapbackMetaOutputDataTier>(app.tier);
  std::size_t available = 0;
  bool lacks = false;
  if (app.shared.server) {
    data.profile = app.shared.server->options().profile;
    data.server_version = app.shared.server->info().version;
    for (const mcp::Tool* each : app.shared.server->tools()) {
      if (in.family && each->family != text(*in.family)) continue;
      data.tools.push_back(item_of(app, *each));
      available += data.tools.back().available ? 1 : 0;
      lacks = lacks || lacks_browser(app, *each);
    }
  }
  if (app.workspace_folder()) data.workspace = *app.workspace_folder();
  NextActions actions(app);
  actions.add(SnapbackPrepareWorkspaceInput{}, 0.9, "Check the state of the workspace before you start.");
  SnapbackMetaOutput output;
  std::string summary = count_with_noun(static_cast<std::int64_t>(data.tools.size()), "tool") + ", " +
                        std::to_string(available) + " of them available in the tier " +
                        std::string(tools::text(app.tier)) + ". Snapshots are restored with " + data.restore +
                        ".";
  if (lacks) summary += " The bridge tools need a server that was started with --ws.";
  output.data = std::move(data);
  output.next_actions = std::move(actions).ranked();
  output.timestamp = core::iso_time(core::now_ms());
  co_return mcp::Summarized<SnapbackMetaOutput>{.output = std::move(output), .summary = std::move(summary)};
}

}  // namespace snapgen::tools
