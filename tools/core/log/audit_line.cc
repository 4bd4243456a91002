#include "tools/core/log/audit_line.h"

#include <utility>

#include "runtime/json/writer.h"
#include "tools/core/log/redact.h"
#include "tools/core/random.h"
#include "tools/core/utc.h"

namespace snapgen::core {

std::string new_audit_id() { return "audit_" + random_name(12); }

std::string audit_line(std::string_view event, std::string_view id, const std::string& members) {
  return "{\"at\":" + json::quoted(iso_time(now_ms())) + ",\"event\":" + json::quoted(event) +
         ",\"id\":" + json::quoted(id) + redact(members) + "}";
}

std::function<std::string(const RestoreAnswer&)> restore_line(std::string snapshot_id) {
  return [id = std::move(snapshot_id)](const RestoreAnswer& restored) {
    std::string members = ",\"files\":" + std::to_string(restored.changes.size());
    if (restored.safety_snapshot_id)
      members += ",\"safety_snapshot_id\":" + json::quoted(*restored.safety_snapshot_id);
    return audit_line("restore", new_audit_id(), members + ",\"snapshot_id\":" + json::quoted(id));
  };
}

std::string collection_line(const std::vector<std::string>& hexes, std::int64_t bytes_freed) {
  constexpr std::size_t named_max = 100;
  std::string ids;
  for (std::size_t i = 0; i < hexes.size() && i < named_max; ++i)
    ids += (i == 0 ? "" : ",") + json::quoted("sha256:" + hexes[i]);
  return audit_line("collection", new_audit_id(),
                    ",\"bytes_freed\":" + std::to_string(bytes_freed) + ",\"snapshot_ids\":[" + ids +
                        "],\"snapshots_removed\":" + std::to_string(hexes.size()));
}

}  // namespace snapgen::core
