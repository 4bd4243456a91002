#pragma once
// Lines of audit.jsonl: deletions, restores and acknowledgements, from all tool families.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/operations/restore.h"

namespace snapgen::core {

std::string new_audit_id();

// The members of an event, in the order of their keys. Texts are redacted.
class AuditMembers {
 public:
  AuditMembers& add(std::string_view key, std::string_view text);
  AuditMembers& add(std::string_view key, std::int64_t number);
  AuditMembers& add(std::string_view key, const std::vector<std::string>& texts);
  const std::string& json() const { return json_; }  // Begins with a comma unless it is empty.

 private:
  std::string json_;
};

// Returns one line.
std::string audit_line(std::string_view event, std::string_view id, const AuditMembers& members);

// Returns a function that makes the line of a restore of this snapshot, for RestoreQuery::note. The process
// that finishes the restore writes the line.
std::function<std::string(const RestoreAnswer&)> restore_line(std::string snapshot_id);

// The line of a garbage collection: how many snapshots it deleted, and the first of them. `hexes`: the digits
// of their ids.
std::string collection_line(const std::vector<std::string>& hexes, std::int64_t bytes_freed);

}  // namespace snapgen::core
