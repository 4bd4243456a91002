#pragma once
// Reports the undo snapshot of a call, which contains the content that the call replaced.
#include <optional>
#include <string>
#include <utility>

#include "tools/engine/operations/undo.h"
#include "tools/work/log/audit_line.h"

namespace snapgen::tools {

inline std::optional<std::string> undo_snapshot_id_of(const std::optional<core::UndoSnapshot>& undo) {
  if (!undo) return std::nullopt;
  return undo->snapshot_id;
}

// Adds the undo snapshot to the members of an audit line.
inline core::AuditMembers with_undo(core::AuditMembers members,
                                    const std::optional<core::UndoSnapshot>& undo) {
  if (undo) members.add("undo", undo->snapshot_id);
  return members;
}

}  // namespace snapgen::tools
