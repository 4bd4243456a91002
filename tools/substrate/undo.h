#pragma once
// How the writing tools of this family report the snapshot of what a call replaced.
#include <optional>
#include <string>
#include <utility>

#include "tools/engine/operations/undo.h"
#include "tools/work/log/audit_line.h"

namespace snapgen::tools {

inline std::optional<std::string> undo_of(const std::optional<core::Undo>& undo) {
  if (!undo) return std::nullopt;
  return undo->snapshot_id;
}

// The members of an audit line, with the snapshot if there is one.
inline core::AuditMembers with_undo(core::AuditMembers members, const std::optional<core::Undo>& undo) {
  if (undo) members.add("undo", undo->snapshot_id);
  return members;
}

}  // namespace snapgen::tools
