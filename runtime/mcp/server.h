#pragma once
// Server has what all connections of a server share: tools, resources, prompts and options. A main() without
// error checks (see tests/fixture/main.cc):
//
//   Result<Stdio> stdio = Stdio::take();
//   Result<std::unique_ptr<UvPort>> port = UvPort::create();
//   Result<std::unique_ptr<Stream>> stream = (*port)->open(stdio->in(), stdio->out());
//   Tools tools(app);
//   mcp::Server server({.info = {.name = "example", .version = "1.0.0"}, .tools = &tools});
//   Loop loop(**port);
//   LineChannel channel(loop, **stream);
//   Result<Unit> served = loop.run(mcp::serve(loop, channel, server));
//
// The server must outlive its connections. It is used on the loop's thread only.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/mcp/catalog.h"
#include "runtime/mcp/context.h"
#include "runtime/mcp/limits.h"
#include "runtime/mcp/prompt_set.h"
#include "runtime/mcp/resource_set.h"
#include "runtime/mcp/revision.h"
#include "runtime/mcp/subscriptions.h"
#include "runtime/mcp/tool.h"
#include "runtime/transport/channel.h"
#include "schemas/mcp/implementation.h"

namespace snapgen::mcp {

class Tasks;

// The lists whose changes the server announces.
struct AnnouncedLists {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
};

struct Options {
  std::string profile;                 // Shows only this profile's tools; empty: all.
  Spelling spelling = Spelling::safe;  // How tools/list spells names; calls may use either spelling.
  std::size_t page_size = 0;           // Entries per page of a list; 0 for all.
  AnnouncedLists announced;
  bool logging = true;                  // Whether handlers send log messages.
  LogLevel log_level = LogLevel::info;  // For legacy clients that have set no level.
  std::int64_t ttl_ms = 0;              // How long clients may cache lists and resources.
  // Whether a list request for an undeclared feature gets an empty list. Some legacy clients send such
  // requests, and disconnect on an error.
  bool answers_undeclared_lists = true;
  std::span<const RenamedTool> renamed;  // The former names of tools.
  // Returns what a client with this name sees of each outputSchema. Without this, it is
  // OutputSchemaDetail::brief.
  std::function<OutputSchemaForm(std::string_view client_name)> output_schema_form;
  Limits limits;
};

class Server {
 public:
  struct Parts {
    Implementation info;
    std::string instructions;  // How to use the server, written for the model.
    ToolSet* tools = nullptr;
    ResourceSet* resources = nullptr;
    PromptSet* prompts = nullptr;
    Options options;
  };

  explicit Server(Parts parts);
  Server(Server&&) = delete;
  ~Server();

  // These notify the subscribed clients. Changes of lists that are not in Options::announced are ignored.
  void announce_tools_changed() { announce_list_changed(ListKind::tools, options().announced.tools); }
  void announce_prompts_changed() { announce_list_changed(ListKind::prompts, options().announced.prompts); }
  void announce_resources_changed() {
    announce_list_changed(ListKind::resources, options().announced.resources);
  }
  void announce_resource_changed(std::string_view uri);

  // Returns how many requests were in progress or queued when their connection ended.
  std::size_t unanswered_count() const { return unanswered_count_; }

  // Returns a shown tool by either spelling, or null.
  const Tool* tool(std::string_view name) const { return catalog_.find(name); }
  // Returns the name as tools/list spells it; empty if the tool is unknown.
  std::string_view listed_name(std::string_view name) const {
    const Tool* found = tool(name);
    return found ? shown_name(*found) : std::string_view();
  }

  // These return the shown tools in the order of tools/list, and a tool's name as tools/list spells it.
  std::span<const Tool* const> tools() const { return catalog_.shown_tools(); }
  std::string_view shown_name(const Tool& tool) const { return catalog_.shown_name(tool); }
  const Implementation& info() const { return parts_.info; }
  const Options& options() const { return parts_.options; }

 private:
  friend class Session;

  void announce_list_changed(ListKind change, bool is_announced);

  // Creates tasks_ for the first connection, if a tool can run as a task.
  void ensure_tasks(Loop& loop);

  // Passes the set of subscribed resources to the ResourceSet after it has changed.
  void report_subscribed();

  bool has_skills() const { return parts_.resources && parts_.resources->has_skills(); }

  std::string_view result_prefix(Revision revision) const {
    return is_modern(revision) ? std::string_view(modern_result_prefix_)
                               : ",\"jsonrpc\":\"2.0\",\"result\":{";
  }

  Parts parts_;
  Catalog catalog_;
  std::size_t unanswered_count_ = 0;
  std::string capabilities_;  // This and the following texts are JSON.
  std::string implementation_;
  std::string modern_result_prefix_;     // The text of an answer from the id to the result's own members.
  std::string subscription_end_prefix_;  // The same up to `_meta`'s members, to end a subscription.
  std::string input_required_prefix_;    // The same, for a result that asks the client.
  std::string cache_hint_members_;       // The members that make a result cacheable.
  std::string discover_members_;         // Members of the server/discover result.
  std::string supported_revisions_;      // The revisions that a modern request may name.
  bool has_tasks_ = false;               // Whether a tool may run as a task.
  std::unique_ptr<Tasks> tasks_;         // Null while there are no connections.
  std::vector<class Session*> sessions_;
};

// Serves one connection until the peer closes it or `stop` is requested. It then stops all calls in progress,
// waits for them, and sends the remaining output.
Task<Unit> serve(Loop& loop, Channel& channel, Server& server, std::stop_token stop = {});
// Serves the stateless requests of any number of clients, each on a separate request stream.
Task<Unit> serve_stateless(Loop& loop, Channel& channel, Server& server, std::stop_token stop = {});

}  // namespace snapgen::mcp
