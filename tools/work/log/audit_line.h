#pragma once
// Lines of audit.jsonl: what was destroyed, put back or acknowledged, by whichever family.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/operations/restore.h"

namespace snapgen::core {

std::string new_audit_id();

// What an event says of itself, in the order of the keys. What looks like a secret is left out of each text.
class AuditMembers {
 public:
  AuditMembers& add(std::string_view key, std::string_view text);
  AuditMembers& add(std::string_view key, std::int64_t number);
  AuditMembers& add(std::string_view key, const std::vector<std::string>& texts);
  const std::string& json() const { return json_; }  // Begins with a comma, if there are any.

 private:
  std::string json_;
};

// One line.
std::string audit_line(std::string_view event, std::string_view id, const AuditMembers& members);

// The line of a restore of this snapshot, for RestoreQuery::note, which has it written by whichever process
// ends the restore.
std::function<std::string(const RestoreAnswer&)> restore_line(std::string snapshot_id);

// The line of snapshots that were removed because they need not be kept: how many, and the first of them.
// `hexes`: the digits of their ids.
std::string collection_line(const std::vector<std::string>& hexes, std::int64_t bytes_freed);

}  // namespace snapgen::core
