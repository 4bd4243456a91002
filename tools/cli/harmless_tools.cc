#include "tools/cli/harmless_tools.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "runtime/json/tree.h"
#include "runtime/mcp/tool.h"
#include "tools/app/settings.h"
#include "tools/cli/caller.h"
#include "tools/server/assembly.h"

namespace snapgen::tools {
namespace {

HarmlessTools harmless_among(const mcp::ToolSet& tools, const std::string& profile, bool allows_discard) {
  HarmlessTools names;
  const auto found = std::ranges::find(tools.profiles(), profile, &mcp::Profile::name);
  if (found == tools.profiles().end()) return names;
  for (const std::uint16_t index : found->tools) {
    const mcp::Tool& tool = tools.all()[index];
    const std::string listing(tool.listing[static_cast<std::size_t>(mcp::ListingForm::v2025_06_18)][0]);
    const json::Tree tree(listing);
    const json::Value annotations = tree.root().find("annotations");
    if (!annotations.exists()) continue;
    // If the listing has no hint, its value is the default of the MCP specification.
    const auto has = [&](std::string_view hint, bool usual) {
      const json::Value value = annotations.find(hint);
      return value.exists() && value.kind() == json::Kind::boolean ? value.boolean() : usual;
    };
    if (has("openWorldHint", true)) continue;
    // If the user's settings allow discard, this argument destroys without a question.
    const json::Value properties = tree.root().find("inputSchema").find("properties");
    const bool can_destroy = allows_discard && properties.exists() && properties.find("discard").exists();
    if (has("readOnlyHint", false))
      names.read_only.emplace_back(tool.safe_name);
    else if (has("destructiveHint", true) && !can_destroy)
      names.undoable.emplace_back(tool.safe_name);
  }
  return names;
}

}  // namespace

Result<HarmlessTools> harmless_tools(const Invocation& invocation, const std::string& profile) {
  std::unique_ptr<Assembly> assembly = TRY(make_assembly(invocation, profile));
  const Result<UserSettings> user = read_user_settings();
  return harmless_among(assembly->tools(), profile, !user || user->allow_discard.value_or(false));
}

}  // namespace snapgen::tools
