#pragma once
// HostCall: one call of a tool, given and answered as the host's row in the host table says.
//
//   HostCall host(traits, tool, arguments);
//   ... the tool is called with host.arguments() ...
//   host.shape(result);
//
// A host that is not in the table gets what the tool answers, unchanged.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/mcp/tool.h"
#include "tools/server/answers/host_table.h"

namespace snapgen::tools {

// What --answers says: the form of every answer, or the one of each host's row.
enum class AnswerChoice : std::uint8_t { by_host, json, text };
std::optional<AnswerChoice> answer_choice_named(std::string_view name);  // auto, json, text

// The row of the host whose client gives this name, with the form that was chosen.
HostTraits traits_for(std::string_view client, AnswerChoice choice);
// How much of outputSchema the host is shown.
mcp::OutputSchemas output_schemas_for(const HostTraits& host);

class HostCall {
 public:
  // `tool` outlives the call. `arguments`: one JSON object, which need not be valid.
  HostCall(const HostTraits& host, const mcp::Tool& tool, std::string_view arguments);

  // Without what the host adds, and with the default length of this host where the call names none. Valid as
  // long as the text that the constructor was given, and this.
  std::string_view arguments() const { return changed_ ? std::string_view(*changed_) : given_; }

  // Gives members of a CallToolResult, which begin at `begin`, the form and length for the host.
  void shape(std::string& result, std::size_t begin) const;

 private:
  bool changes_answers() const { return host_.answers == AnswerForm::text || host_.shown_bytes != 0; }
  void change_arguments();

  HostTraits host_;
  const mcp::Tool& tool_;
  std::string_view given_;
  std::optional<std::string> changed_;
  std::int64_t start_line_ = 1;
  std::string lease_id_;        // Of the call; empty: it gives none.
  bool has_max_bytes_ = false;  // The call names a length itself.
};

}  // namespace snapgen::tools
