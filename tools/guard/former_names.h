#pragma once
// Names of tools that documents and old configurations still have, and what took their place. They are not
// served: an error for one of them says where to go.
#include <array>

#include "runtime/mcp/catalog.h"

namespace snapgen::tools {

inline constexpr std::array<mcp::Renamed, 19> former_names = {{
    {.name = "snapback.assess_risk", .successor = "snapback_analyze with type risk"},
    {.name = "snapback.validate_recommendation", .successor = "snapback_analyze with type package"},
    {.name = "snapback.check_patterns", .successor = "snapback_validate with mode quick"},
    {.name = "snapback.validate_code", .successor = "snapback_validate with mode comprehensive"},
    {.name = "snapback.create_snapshot", .successor = "snapback_snapshot_create"},
    {.name = "snapback.list_snapshots", .successor = "snapback_snapshot_list"},
    {.name = "snapback.restore_snapshot", .successor = "snapback_snapshot_restore"},
    {.name = "snapback.get_workspace_vitals", .successor = "snapback_prepare_workspace"},
    {.name = "snapback.get_context", .successor = "snapback_prepare_workspace"},
    {.name = "snapback.start_session", .successor = "snapback_session with op start"},
    {.name = "snapback.record_learning", .successor = "snapback_learn"},
    {.name = "snapback.meta_list_tools", .successor = "snapback_meta"},
    {.name = "ctx_init", .successor = "snapback_context with op init"},
    {.name = "ctx_build", .successor = "snapback_context with op build"},
    {.name = "ctx_validate", .successor = "snapback_context with op validate"},
    {.name = "ctx_status", .successor = "snapback_context with op status"},
    {.name = "ctx_constraint", .successor = "snapback_context with op constraint"},
    {.name = "ctx_check", .successor = "snapback_context with op check"},
    {.name = "ctx_blockers", .successor = "snapback_context with op blockers"},
}};

}  // namespace snapgen::tools
