#pragma once
// ResourceSet is the interface for a server's resources. resources() and templates() are called for every
// list request, so they must be cheap.
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
#include "schemas/mcp/skill.h"

namespace snapgen::mcp {

class ResourceSet {
 public:
  // Returns the resources in the order that clients see. The order must not change between calls.
  virtual std::vector<Resource> resources() = 0;
  virtual std::vector<ResourceTemplate> templates() { return {}; }
  // Returns a resource with at least one content. Errors: not_found (no such resource).
  virtual Task<ReadResourceResult> read(Context& context, std::string uri) = 0;

  // Whether there are skills. The server then declares the extension io.modelcontextprotocol/skills to modern
  // clients.
  virtual bool has_skills() const { return false; }
  // Returns the skills, whose files must be resources.
  virtual std::vector<Skill> skills() { return {}; }

  // Whether Server::announce_resource_changed() will be called.
  virtual bool announces_changes() const { return false; }
  // Called before a client subscribes to resources. The client cannot be asked anything here.
  virtual void on_subscribe(Context& context) { static_cast<void>(context); }
  // Called with all subscribed URIs, known or not, whenever that set changes.
  virtual void on_subscriptions_changed(const std::set<std::string>& uris) { static_cast<void>(uris); }
  virtual bool has_completions() const { return false; }
  // Completes a variable of the template that `asked.ref` names. Errors: not_found (no such template).
  virtual Task<Completion> complete(Context&, const CompleteParams&) { co_return Completion{}; }

 protected:
  ~ResourceSet() = default;
};

}  // namespace snapgen::mcp
