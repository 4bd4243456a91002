#include "tools/instructions.h"

#include <algorithm>
#include <array>
#include <set>

namespace snapgen::tools {
namespace {

constexpr std::size_t named_max = 2;

// Said where all the tools that it names are shown.
struct Advice {
  std::array<std::string_view, named_max> names;  // or empty
  std::string_view text;                          // In the safe spelling.
};

constexpr Advice advices[] = {
    {{"snapshot.file"},
     "Reads of the work tree answer with a lease_id and a fingerprint. Pass the lease_id to the next reads: "
     "as "
     "long as they succeed, all of them speak of one and the same state. STALE_LEASE means that somebody "
     "changed the work tree; read again without lease_id."},
    {{"snapshot.create"},
     "snapshot_create keeps a state for good; pass its id as snapshot_id to read it later."},
    {{"snap"}, "snap, mode start, begins a task and keeps a snapshot of the files as they are."},
    {{"snap", "snap_end"}, "snap_end ends it."},
    {{"check"}, "check looks for what is wrong with the files."},
    {{"snap_fix"}, "snap_fix lists snapshots, shows what differs, and restores."},
    {{"snapback.prepare_workspace"},
     "Begin with snapback_prepare_workspace; what an answer has in next_actions can be called as it stands."},
    {{"snap", "snapback.prepare_workspace"},
     "The snapback tools do the work of the snap tools in another form: keep to one of the two."},
    {{"bridge.pair"},
     "bridge_pair gives a code that the user enters in the browser; its session_id is what the other bridge "
     "tools need."},
};

// As the list has the names.
std::string spelled(const Advice& advice, mcp::Spelling spelling) {
  std::string text(advice.text);
  if (spelling == mcp::Spelling::safe) return text;
  for (const std::string_view name : advice.names) {
    std::string safe(name);
    std::replace(safe.begin(), safe.end(), '.', '_');
    if (safe == name) continue;
    for (std::size_t at = text.find(safe); at != std::string::npos; at = text.find(safe, at + name.size()))
      text.replace(at, safe.size(), name);
  }
  return text;
}

}  // namespace

std::string instructions_of(const mcp::ToolSet& tools, std::string_view profile, mcp::Spelling spelling) {
  std::set<std::string_view> shown;
  for (const mcp::Profile& one : tools.profiles()) {
    if (one.name != profile) continue;
    for (const std::uint16_t index : one.tools) shown.insert(tools.all()[index].name);
  }
  std::string text;
  for (const Advice& advice : advices) {
    const bool all_shown = std::all_of(advice.names.begin(), advice.names.end(), [&](std::string_view name) {
      return name.empty() || shown.contains(name);
    });
    if (!all_shown) continue;
    if (!text.empty()) text += ' ';
    text += spelled(advice, spelling);
  }
  return text;
}

}  // namespace snapgen::tools
