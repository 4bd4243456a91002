#pragma once
// ResourceSet: the resources a server offers, if it does.
//
// Lists are asked for whenever a client asks; keep them cheap. read() is a coroutine as a tool's handler is.
#include <set>
#include <string>
#include <vector>

#include "runtime/async/task.h"
#include "runtime/mcp/context.h"
#include "schemas/mcp/complete_params.h"
#include "schemas/mcp/completion.h"
#include "schemas/mcp/read_resource_result.h"
#include "schemas/mcp/resource.h"
#include "schemas/mcp/resource_template.h"

namespace snapgen::mcp {

class ResourceSet {
 public:
  // In the order in which clients see them, the same every time.
  virtual std::vector<Resource> resources() = 0;
  virtual std::vector<ResourceTemplate> templates() { return {}; }
  // `not_found` if there is no such resource. Never an empty list of contents.
  virtual Task<ReadResourceResult> read(Context& context, std::string uri) = 0;

  // Whether Server::resource_changed will be called.
  virtual bool announces_changes() const { return false; }
  // A client is about to subscribe to resources. It cannot be asked anything here.
  virtual void subscribing(Context& context) { static_cast<void>(context); }
  // Each time the set of resources changes whose changes somebody wants to hear of, known ones or not.
  virtual void subscribed(const std::set<std::string>& uris) { static_cast<void>(uris); }
  // Whether complete() knows something.
  virtual bool completes() const { return false; }
  // `asked.ref` names a template. `not_found` if there is no such template.
  virtual Task<Completion> complete(Context& context, const CompleteParams& asked);

 protected:
  ~ResourceSet() = default;
};

}  // namespace snapgen::mcp
