#pragma once
// HostCall: adapts one tool call and its answer to the host, according to the host table.
//
//   HostCall host(traits, tool, arguments);
//   ... the tool is called with host.arguments() ...
//   host.shape_result(result, begin);
//
// For a host outside of the table the answer is unchanged. The text of a reading tool is a header line, and
// then contents, matches or paths, unchanged. If something does not fit, the answer says how to continue.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/mcp/tool.h"
#include "tools/server/answers/host_table.h"

namespace snapgen::tools {

// The value of --answers: one form for all answers, or the form in each host's row.
enum class AnswerChoice : std::uint8_t { by_host, json, text };
std::optional<AnswerChoice> answer_choice_named(std::string_view name);  // `name` is auto, json or text.

// Returns the row of the host with this client name, changed to the chosen form.
HostTraits traits_for(std::string_view client, AnswerChoice choice);
// Returns what the host receives of each outputSchema.
mcp::OutputSchemaForm output_schema_form_for(const HostTraits& host);

class HostCall {
 public:
  // `tool` and the text of `arguments` must outlive the call. `arguments` is one JSON object, which may be
  // invalid.
  HostCall(const HostTraits& host, const mcp::Tool& tool, std::string_view arguments);

  // Returns the arguments without those that the host adds, and with the host's default length if the call
  // sets none. Valid as long as the constructor's text and this object.
  std::string_view arguments() const {
    return changed_arguments_ ? std::string_view(*changed_arguments_) : given_arguments_;
  }

  // Converts a CallToolResult, whose members begin at `begin` in `result`, to the host's form and length.
  void shape_result(std::string& result, std::size_t begin) const;

 private:
  bool changes_answers() const {
    return host_.answer_form == AnswerForm::text || host_.shown_bytes_max != 0 ||
           !host_.omitted_members.empty();
  }
  void change_arguments();

  HostTraits host_;
  const mcp::Tool& tool_;
  std::string_view given_arguments_;
  std::optional<std::string> changed_arguments_;
  std::int64_t start_line_ = 1;
  std::string lease_id_;        // The lease that the call passed, or empty.
  bool has_max_bytes_ = false;  // The call sets a maximum length.
};

}  // namespace snapgen::tools
