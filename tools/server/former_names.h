#pragma once
// Former names of tools, as old documents and configurations have them, and the tools that replace them. A
// call with such a name fails. The error names the replacement in the first family that the profile lists.
#include <array>

#include "runtime/mcp/catalog.h"

namespace snapgen::tools {

inline constexpr std::array<mcp::RenamedTool, 36> former_tool_names = {{
    // The former snapshot_list of the wire family is not in this table, because a current tool has that name.
    {.name = "begin_task", .successor = "snap with mode start"},
    {.name = "begin_task", .successor = "snapback_session with op start"},
    {.name = "get_context", .successor = "snap with mode context"},
    {.name = "get_context", .successor = "snapback_prepare_workspace"},
    {.name = "quick_check", .successor = "check with mode quick"},
    {.name = "quick_check", .successor = "snapback_validate with mode quick"},
    {.name = "prepare_workspace", .successor = "snap with mode start"},
    {.name = "prepare_workspace", .successor = "snapback_prepare_workspace"},
    {.name = "complete_task", .successor = "snap_end"},
    {.name = "complete_task", .successor = "snapback_session with op end"},
    {.name = "learn", .successor = "snap_learn"},
    {.name = "learn", .successor = "snapback_learn"},
    {.name = "report_violation", .successor = "snap_violation"},
    {.name = "snapshot_restore", .successor = "snap_fix with action restore"},
    {.name = "snapshot_restore", .successor = "snapback_snapshot_restore"},
    {.name = "check_patterns", .successor = "check with mode patterns"},
    {.name = "check_patterns", .successor = "snapback_validate with mode quick"},
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
