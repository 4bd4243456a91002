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

// The members of an audit event, in the order of their keys. Likely secrets in the texts are removed.
class AuditMembers {
 public:
  AuditMembers& add(std::string_view key, std::string_view text);
  AuditMembers& add(std::string_view key, std::int64_t number);
  AuditMembers& add(std::string_view key, const std::vector<std::string>& texts);
  // Returns the JSON of the members, which begins with a comma unless it is empty.
  const std::string& json() const { return json_; }

 private:
  std::string json_;
};

// Returns one line of audit.jsonl.
std::string audit_line(std::string_view event, std::string_view id, const AuditMembers& members);

// Returns a function that makes the line of a restore of this snapshot, for RestoreQuery::make_note. The
// process that finishes the restore writes the line.
std::function<std::string(const RestoreAnswer&)> restore_line_maker(std::string snapshot_id);

// Returns the line of a garbage collection: how many snapshots it deleted, and the ids of the first ones.
// `hexes` has the digits of their ids.
std::string garbage_collection_line(const std::vector<std::string>& hexes, std::int64_t bytes_freed);

}  // namespace snapgen::core
