#include "tools/work/log/audit_line.h"

#include <utility>

#include "runtime/json/writer.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/random.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/base/utc.h"
#include "tools/work/task/restore_words.h"

namespace snapgen::core {

std::string new_audit_id() { return "audit_" + random_name(12); }

AuditMembers& AuditMembers::add(std::string_view key, std::string_view text) {
  json_ += "," + json::quoted(key) + ":" + json::quoted(redact(text));
  return *this;
}

AuditMembers& AuditMembers::add(std::string_view key, std::int64_t number) {
  json_ += "," + json::quoted(key) + ":" + std::to_string(number);
  return *this;
}

AuditMembers& AuditMembers::add(std::string_view key, const std::vector<std::string>& texts) {
  json_ += "," + json::quoted(key) + ":" + json_list(texts, redact);
  return *this;
}

std::string audit_line(std::string_view event, std::string_view id, const AuditMembers& members) {
  return "{\"at\":" + json::quoted(iso_time(now_ms())) + ",\"event\":" + json::quoted(event) +
         ",\"id\":" + json::quoted(id) + members.json() + "}";
}

std::function<std::string(const RestoreAnswer&)> restore_line_maker(std::string snapshot_id) {
  return [id = std::move(snapshot_id)](const RestoreAnswer& restored) {
    AuditMembers members;
    if (const std::size_t deleted = deleted_paths(restored).size(); deleted > 0)
      members.add("deleted", static_cast<std::int64_t>(deleted));
    members.add("files", static_cast<std::int64_t>(restored.changes.size()));
    if (restored.safety_snapshot_id) members.add("safety_snapshot_id", *restored.safety_snapshot_id);
    return audit_line("restore", new_audit_id(), members.add("snapshot_id", id));
  };
}

std::string garbage_collection_line(const std::vector<std::string>& hexes, std::int64_t bytes_freed) {
  constexpr std::size_t named_max = 100;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < hexes.size() && i < named_max; ++i) ids.push_back("sha256:" + hexes[i]);
  return audit_line("collection", new_audit_id(),
                    AuditMembers()
                        .add("bytes_freed", bytes_freed)
                        .add("snapshot_ids", ids)
                        .add("snapshots_removed", static_cast<std::int64_t>(hexes.size())));
}

}  // namespace snapgen::core
