#pragma once
// Call: one tools/call in progress, as its handler sees it.
#include <stop_token>
#include <utility>

#include "runtime/base/result.h"
#include "runtime/mcp/context.h"
#include "runtime/mcp/tool.h"

namespace snapgen::mcp {

class ErrorFilter {
 public:
  // Returns the error that the client gets in place of `error`.
  virtual Error client_error(Error error) = 0;

 protected:
  ~ErrorFilter() = default;
};

class Call : public Context {
 public:
  Call(Loop& loop, const Tool& tool, Revision revision, std::stop_token stop)
      : Context(loop, revision, std::move(stop)), tool_(tool) {}

  const Tool& tool() const { return tool_; }

  // Sets the filter, which must outlive the call or be removed earlier (null removes it).
  void set_error_filter(ErrorFilter* filter) { error_filter_ = filter; }
  // Returns the error as the client sees it. Every tool calls this with its handler's error.
  Error client_error(Error error) {
    has_failed_ = true;
    return error_filter_ ? error_filter_->client_error(std::move(error)) : error;
  }
  bool has_failed() const { return has_failed_; }

 private:
  const Tool& tool_;
  ErrorFilter* error_filter_ = nullptr;
  bool has_failed_ = false;
};

}  // namespace snapgen::mcp
