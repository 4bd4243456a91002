#include "tools/guard/audit.h"

#include "runtime/json/writer.h"
#include "tools/core/log/redact.h"
#include "tools/core/random.h"
#include "tools/core/utc.h"

namespace snapgen::tools {

std::string new_audit_id() { return "audit_" + core::random_name(12); }

std::string audit_line(std::string_view event, std::string_view id, const std::string& members) {
  return "{\"at\":" + json::quoted(core::iso_time(core::now_ms())) + ",\"event\":" + json::quoted(event) +
         ",\"id\":" + json::quoted(id) + core::redact(members) + "}";
}

void audit_soon(App& app, std::string_view event, const std::string& members) {
  app.book.add(core::LogPage::audit, audit_line(event, new_audit_id(), members), core::LogFolder::if_there);
}

}  // namespace snapgen::tools
