#pragma once
// Converts between the schema's list of permissions and the bits in core::Permissions.
#include <cstddef>
#include <vector>

#include "schemas/bridge/command_name.h"
#include "schemas/bridge/permission.h"
#include "tools/bridge/pairing.h"

namespace snapgen::tools::bridge {

constexpr std::size_t permissions_count = 8;

constexpr core::Permissions permission_bit(BridgePermission permission) {
  return core::Permissions{1} << static_cast<unsigned>(permission);
}

inline std::vector<BridgePermission> permissions_in(core::Permissions permissions) {
  std::vector<BridgePermission> out;
  for (std::size_t i = 0; i != permissions_count; ++i) {
    const auto each = static_cast<BridgePermission>(i);
    if ((permissions & permission_bit(each)) != 0) out.push_back(each);
  }
  return out;
}

// All permissions except execute_scripts, which allows arbitrary code.
constexpr core::Permissions default_permissions =
    ((core::Permissions{1} << permissions_count) - 1) & ~permission_bit(BridgePermission::execute_scripts);

// Returns the permission that a command needs.
constexpr BridgePermission permission_for(CommandName command) {
  switch (command) {
    case CommandName::create_blocks: return BridgePermission::create_blocks;
    case CommandName::create_custom_block: return BridgePermission::create_custom_block;
    case CommandName::delete_blocks: return BridgePermission::delete_blocks;
    case CommandName::execute_script: return BridgePermission::execute_scripts;
    case CommandName::export_project: return BridgePermission::export_project;
    case CommandName::highlight_blocks: return BridgePermission::highlight_blocks;
    case CommandName::inspect_state: return BridgePermission::inspect_state;
    case CommandName::read_project: break;
  }
  return BridgePermission::read_project;
}

}  // namespace snapgen::tools::bridge
