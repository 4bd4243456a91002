#pragma once
// Server: what one server offers, to any number of connections. What stands in a server's main, but for the
// checks (tests/fixture/main.cc has them):
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
// It outlives its connections, on the loop's thread.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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
#include "runtime/mcp/tool.h"
#include "runtime/transport/channel.h"
#include "schemas/mcp/implementation.h"

namespace snapgen::mcp {

class Tasks;

// Lists whose changes the server announces.
struct Announced {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
};

struct Options {
  std::string profile;                 // See has_profile(); empty: every tool.
  Spelling spelling = Spelling::safe;  // How tools/list spells names; both are understood.
  std::size_t page_size = 0;           // Entries on one page of a list; 0: all.
  Announced announced;
  bool logging = true;                  // Whether handlers send log messages.
  LogLevel log_level = LogLevel::info;  // For legacy clients that set none.
  std::int64_t ttl_ms = 0;              // How long clients may keep lists and resources.
  bool shared_cache = false;            // Whether a cache may show them to everybody.
  // Some legacy hosts ask for lists that the server does not declare, and drop it if there is an error.
  bool empty_lists = true;
  std::span<const Renamed> renamed;  // Former names of tools.
  // How much a client with this name is shown of outputSchema. None: as OutputSchemas::brief.
  std::function<OutputSchemas(std::string_view client_name)> output_schemas;
  Limits limits;
};

class Server {
 public:
  struct Parts {
    Implementation info;
    std::string instructions;  // How to use the server, for the model to read.
    ToolSet* tools = nullptr;
    ResourceSet* resources = nullptr;
    PromptSet* prompts = nullptr;
    Options options;
  };

  explicit Server(Parts parts);
  Server(Server&&) = delete;
  ~Server();

  // Tell every client that wants to hear of it. Does nothing for a list that is not among Options::announced.
  void tools_changed();
  void prompts_changed();
  void resources_changed();
  void resource_changed(std::string_view uri);

  // Requests that were still worked on, or waited, when their connection ended.
  std::size_t unanswered() const { return unanswered_; }

  // A tool that is shown, by either spelling; null if there is none.
  const Tool* tool(std::string_view name) const { return catalog_.find(name); }
  // As tools/list spells it; empty if there is none.
  std::string_view listed_name(std::string_view name) const {
    const Tool* found = tool(name);
    return found ? shown_name(*found) : std::string_view();
  }

  // All that are shown, in the list's order, and a tool's name as the list has it.
  std::span<const Tool* const> tools() const { return catalog_.shown(); }
  std::string_view shown_name(const Tool& tool) const { return catalog_.shown_name(tool); }
  const Implementation& info() const { return parts_.info; }
  const Options& options() const { return parts_.options; }

  // Shows the tools of another profile, and announces the change. False: there is no such profile.
  bool show_profile(std::string_view profile);

 private:
  friend class Session;

  // A connection begins: there are tasks from now on, if there is a tool for them.
  void keep_tasks(Loop& loop);

  // Somebody wants to hear of other resources than before.
  void tell_subscribed();

  std::string_view frame(Revision revision) const {
    return is_modern(revision) ? std::string_view(modern_frame_) : ",\"jsonrpc\":\"2.0\",\"result\":{";
  }

  Parts parts_;
  Catalog catalog_;
  std::size_t unanswered_ = 0;
  std::string capabilities_;  // Every text here is JSON.
  std::string implementation_;
  std::string modern_frame_;      // What follows the id in an answer, up to the result's own members.
  std::string closing_frame_;     // The same up to the members of `_meta`, for the end of a subscription.
  std::string asking_frame_;      // The same up to the members of a result that asks the client.
  std::string cacheable_;         // Members that a result has if it may be kept.
  std::string discovered_;        // Members of the result of server/discover.
  std::string supported_;         // What a modern request may name.
  bool has_tasks_ = false;        // Some tool may run as a task.
  std::unique_ptr<Tasks> tasks_;  // While there are connections.
  std::vector<class Session*> sessions_;
};

// Serves one connection until the peer is gone or `stop` is requested. Then every call in progress is stopped
// and waited for, and what is unsent is sent.
Task<Unit> serve(Loop& loop, Channel& channel, Server& server, std::stop_token stop = {});
// Serves the stateless requests of any number of clients, each on a request stream of its own.
Task<Unit> serve_stateless(Loop& loop, Channel& channel, Server& server, std::stop_token stop = {});

}  // namespace snapgen::mcp
