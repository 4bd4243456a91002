#include "runtime/json/details.h"

#include "runtime/json/writer.h"

namespace snapgen::json {

std::string object_text(const ErrorDetails& details) {
  if (details.empty()) return {};
  std::string text;
  Writer out(text);
  for (const ErrorDetails::Member& each : details.members()) {
    out.text(text.empty() ? "{" : ",");
    out.string(each.key);
    out.text(":");
    if (each.is_json)
      out.text(each.value);
    else
      out.string(each.value);
  }
  out.text("}");
  return text;
}

}  // namespace snapgen::json
