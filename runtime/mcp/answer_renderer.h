#pragma once
// AnswerRenderer: writes the answer of one call in the form for its client. The generated code of a tool
// gives it the handler's typed output, so that each answer is written once, in its final form.
//
// The base class writes what the MCP specification requires: canonical JSON as text and as structured
// content. A server can derive a class that writes another form, or only a part, for a client that needs it.
#include <any>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/content.h"
#include "runtime/mcp/tool.h"

namespace snapgen::mcp {

// The input of a call and the output of its handler, whose types are known to the tool's generated code and
// to those who name them. It refers to both, and to the summary and the links.
class TypedAnswer {
 public:
  template <class Input, class Output>
  TypedAnswer(const Input& input, Output& output, std::string_view summary = {},
              const std::vector<ResourceLink>& links = no_links)
      : summary_(summary), links_(links), input_(&input), output_(&output) {
    // Argument-dependent lookup finds the generated writer of the output.
    write_ = [](json::Writer& out, const std::any& value) { write(out, *std::any_cast<Output*>(value)); };
  }

  // These return the input and the output; null if they are of another type. A renderer may change the
  // output.
  template <class Input>
  const Input* input_as() const {
    const auto* const input = std::any_cast<const Input*>(&input_);
    return input ? *input : nullptr;
  }
  template <class Output>
  Output* output_as() const {
    const auto* const output = std::any_cast<Output*>(&output_);
    return output ? *output : nullptr;
  }

  // Returns the output as canonical JSON.
  std::string json() const {
    std::string text;
    json::Writer out(text);
    write_(out, output_);
    return text;
  }

  std::string_view summary() const { return summary_; }  // For readers; may be empty.
  const std::vector<ResourceLink>& links() const { return links_; }

 private:
  inline static const std::vector<ResourceLink> no_links = {};

  std::string_view summary_;
  const std::vector<ResourceLink>& links_;
  std::any input_;   // A pointer to the input.
  std::any output_;  // A pointer to the output.
  void (*write_)(json::Writer& out, const std::any& output);
};

// Each append_ function appends the members of a CallToolResult to `result`, as ToolSet::call() describes.
class AnswerRenderer {
 public:
  AnswerRenderer() = default;
  AnswerRenderer(AnswerRenderer&&) = delete;

  // Returns the name of an argument that the client adds to every call, although the tools do not have it.
  // Readers of arguments skip it. Empty if there is none. Valid as long as the renderer.
  virtual std::string_view added_argument() const { return {}; }
  // Returns the length, in bytes, of the longest answer that the client shows in full. A handler reads no
  // more if the call sets no length. Nullopt if it is unlimited or unknown.
  virtual std::optional<std::size_t> shown_bytes_max() const { return std::nullopt; }

  virtual void append_output(const TypedAnswer& answer, std::string& result);
  // `structured` is canonical JSON from outside of this process, such as the output of a program.
  virtual void append_structured(std::string_view structured, std::string& result);
  virtual void append_text(std::string_view text, std::string& result);
  virtual void append_content(const Content& content, std::string& result);
  // `write_error` writes the error in the form of the tool's family.
  virtual void append_error(const Error& error, ErrorWriter write_error, std::string& result);

 protected:
  ~AnswerRenderer() = default;
};

// Writes canonical JSON, which is the form for clients without a renderer.
class JsonRenderer final : public AnswerRenderer {};

}  // namespace snapgen::mcp
