#pragma once
// Call: one tools/call in progress, as its handler sees it.
#include <stop_token>
#include <utility>

#include "runtime/mcp/context.h"
#include "runtime/mcp/tool.h"

namespace snapgen::mcp {

class Call : public Context {
 public:
  Call(Loop& loop, const Tool& tool, Revision revision, std::stop_token stop)
      : Context(loop, revision, std::move(stop)), tool_(tool) {}

  const Tool& tool() const { return tool_; }

 private:
  const Tool& tool_;
};

}  // namespace snapgen::mcp
