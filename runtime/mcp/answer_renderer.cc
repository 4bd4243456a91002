#include "runtime/mcp/answer_renderer.h"

#include "runtime/mcp/render.h"

namespace snapgen::mcp {

void AnswerRenderer::append_output(const TypedAnswer& answer, std::string& result) {
  append_text_and_structured(result, answer.json(), answer.summary(), answer.links());
}

void AnswerRenderer::append_structured(std::string_view structured, std::string& result) {
  append_text_and_structured(result, structured);
}

void AnswerRenderer::append_text(std::string_view text, std::string& result) {
  append_text_block(result, text);
}

void AnswerRenderer::append_content(const Content& content, std::string& result) {
  mcp::append_content(result, content);
}

void AnswerRenderer::append_error(const Error& error, ErrorWriter write_error, std::string& result) {
  std::string text;
  write_error(text, error);
  mcp::append_error(result, text);
}

void ToolSet::append_unfinished_result(const Tool& tool, std::string_view, const Error& error,
                                       std::string& result) const {
  JsonRenderer().append_error(error, error_writer(tool), result);
}

}  // namespace snapgen::mcp
