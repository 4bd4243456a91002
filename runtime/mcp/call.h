#pragma once
// Call: one tools/call in progress, as its handler sees it.
#include <stop_token>
#include <utility>

#include "runtime/base/result.h"
#include "runtime/mcp/answer_renderer.h"
#include "runtime/mcp/context.h"
#include "runtime/mcp/tool.h"

namespace snapgen::mcp {

class ErrorRewriter {
 public:
  // Returns the error that the client gets in place of `error`.
  virtual Error rewrite(Error error) = 0;
  // Reports an error that is a part of a successful answer.
  virtual void note(const Error&) {}

 protected:
  ~ErrorRewriter() = default;
};

class Call : public Context {
 public:
  Call(Loop& loop, const Tool& tool, Revision revision, std::stop_token stop)
      : Context(loop, revision, std::move(stop)), tool_(tool) {}

  const Tool& tool() const { return tool_; }

  // `rewriter` must outlive the call or be removed earlier (null removes it).
  void set_error_rewriter(ErrorRewriter* rewriter) { error_rewriter_ = rewriter; }
  // Returns the error as the client sees it. Every tool calls this with its handler's error.
  Error client_error(Error error) {
    has_failed_ = true;
    return error_rewriter_ ? error_rewriter_->rewrite(std::move(error)) : error;
  }
  bool has_failed() const { return has_failed_; }
  // Reports an error that is a part of the answer, for the log. The call has not failed.
  void note_error(const Error& error) const {
    if (error_rewriter_) error_rewriter_->note(error);
  }

  // Returns the renderer of the answer, which writes canonical JSON unless set_renderer() has set another
  // one.
  AnswerRenderer& renderer() { return renderer_ ? *renderer_ : json_renderer_; }
  // `renderer` must outlive the call or be removed earlier (null removes it).
  void set_renderer(AnswerRenderer* renderer) { renderer_ = renderer; }

 private:
  const Tool& tool_;
  JsonRenderer json_renderer_;
  AnswerRenderer* renderer_ = nullptr;
  ErrorRewriter* error_rewriter_ = nullptr;
  bool has_failed_ = false;
};

}  // namespace snapgen::mcp
