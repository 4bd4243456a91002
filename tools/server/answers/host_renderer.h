#pragma once
// HostRenderer: writes the answer of a tool call in the form and length that the host shows, according to the
// host table. The answer for a host outside of the table is canonical JSON.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/mcp/answer_renderer.h"
#include "runtime/mcp/tool.h"
#include "tools/hosts/host_table.h"

namespace snapgen::tools {

// The value of --answers: one form for all answers, or the form in each host's row.
enum class AnswerChoice : std::uint8_t { by_host, json, text };
std::optional<AnswerChoice> answer_choice_named(std::string_view name);  // `name` is auto, json or text.

// Returns the row of the host with this client name, changed to the chosen form.
HostTraits traits_for(std::string_view client, AnswerChoice choice);
// Returns what the host receives of each outputSchema.
mcp::OutputSchemaForm output_schema_form_for(const HostTraits& host);

class HostRenderer final : public mcp::AnswerRenderer {
 public:
  // `tool` must outlive the renderer.
  HostRenderer(const HostTraits& host, const mcp::Tool& tool) : host_(host), tool_(tool) {}

  std::string_view added_argument() const override { return host_.added_argument; }
  std::optional<std::size_t> shown_bytes_max() const override;
  void append_output(const mcp::TypedAnswer& answer, std::string& result) override;
  void append_structured(std::string_view structured, std::string& result) override;
  void append_error(const Error& error, mcp::ErrorWriter write_error, std::string& result) override;

 private:
  bool shows_text() const { return host_.answer_form == AnswerForm::text; }
  std::string text_of_output(const mcp::TypedAnswer& answer) const;
  void append_json(const mcp::TypedAnswer& answer, std::string& result) const;

  const HostTraits host_;
  const mcp::Tool& tool_;
};

}  // namespace snapgen::tools
