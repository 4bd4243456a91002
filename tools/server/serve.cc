#include "tools/server/serve.h"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <memory>
#include <stop_token>
#include <string_view>
#include <utility>

#include "runtime/async/loop.h"
#include "runtime/base/confinement.h"
#include "runtime/base/environment.h"
#include "runtime/mcp/server.h"
#include "runtime/streamable/cors.h"
#include "runtime/streamable/endpoint.h"
#include "runtime/streamable/guard.h"
#include "runtime/transport/line_channel.h"
#include "runtime/transport/stdio.h"
#include "runtime/uv/uv_port.h"
#include "tools/engine/base/phrase.h"
#include "tools/server/listeners/bridge_listener.h"
#include "tools/server/prompts/server_prompts.h"
#include "tools/server/resources/bridge_resources.h"
#include "tools/server/resources/server_resources.h"
#include "tools/server/trees/reach.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view server_name = "snapgen-server";

// Returns how many connections a listener may have. All listeners together have half of the process's file
// descriptors; calls need the others.
std::size_t peers_of_each_listener(const ServeOptions& serving, UvPort& port) {
  constexpr std::size_t files_wanted = 16'384;
  const std::size_t listeners = (serving.http_address ? 1U : 0U) + (serving.bridge_address ? 1U : 0U);
  if (listeners == 0) return 0;
  return port.raise_file_limit(files_wanted) / 2 / listeners;
}

// HttpListener serves MCP over HTTP, with the objects that it needs.
struct HttpListener {
  std::unique_ptr<Acceptor> acceptor;
  std::unique_ptr<streamable::Endpoint> endpoint;
  http::ServerLimits limits;
  std::string url;
};

std::string bearer_token() { return environment_variable(streamable::token_variable).value_or(""); }

Result<HttpListener> open_http(const ServeOptions& serving, Loop& loop, mcp::Server& server,
                               std::size_t peers) {
  Address address = TRY(streamable::parse_address(*serving.http_address));
  streamable::AccessRules access = TRY(streamable::access_rules_for(address, bearer_token()));
  access.origins = serving.origins;
  std::unique_ptr<Acceptor> acceptor = TRY(loop.port().listen(address));
  streamable::EndpointOptions options{.access = std::move(access)};
  HttpListener listener{.acceptor = std::move(acceptor)};
  listener.limits.connections_max = std::min(listener.limits.connections_max, peers);
  listener.url = streamable::url_of(listener.acceptor->address(), options.path);
  listener.endpoint = std::make_unique<streamable::Endpoint>(loop, server, std::move(options));
  return listener;
}

Result<std::unique_ptr<BridgeListener>> open_bridge(const ServeOptions& serving, const Settings& settings,
                                                    Loop& loop, App& app, mcp::Server& server,
                                                    std::size_t peers, std::stop_token stop) {
  BridgeListenerOptions options{.address = *serving.bridge_address,
                                .origins = serving.origins,
                                .bearer_token = bearer_token(),
                                .sockets_max = peers};
  options.token_secret = environment_variable("SNAP_MCP_SECRET_KEY").value_or("");
  if (settings.bridge) {
    options.bridge_origins = settings.bridge->origins.value_or(std::vector<std::string>());
    options.allowed_hosts = settings.bridge->hosts.value_or(std::vector<std::string>());
    options.keep_alive_interval_ms = settings.bridge->keep_alive_interval_ms;
  }
  return BridgeListener::open(loop, app, server, std::move(options), std::move(stop));
}

Reach::Enforcement bound_of(const ServeOptions& serving) {
  if (!serving.confined) return Reach::Enforcement::none;
  return serving.http_address || serving.bridge_address ? Reach::Enforcement::always
                                                        : Reach::Enforcement::kernel;
}

// Returns the folders that the server may serve, if they are known at the start; nullopt if the first call
// decides.
std::optional<std::vector<std::string>> folders_at_start(const ServeOptions& serving, Assembly& assembly) {
  const Result<std::string>& workspace = assembly.app().workspace_folder();
  const bool listens = serving.http_address || serving.bridge_address;
  if (!listens && serving.confined && !assembly.workspace_sources().is_explicit()) return std::nullopt;
  if (workspace) return std::vector{*workspace};
  // A server that is started in a folder with several projects serves all of them.
  if (listens && !assembly.workspace_sources().is_explicit() &&
      assembly.workspace_sources().may_contain_projects())
    return std::vector{assembly.workspace_sources().current_folder};
  return std::vector<std::string>();
}

// Returns whether the process can be confined. Programs (checks, and tools without C++) must not be confined,
// so a thread that starts before the confinement launches them.
bool prepare_confinement(const ServeOptions& serving, const Log& log, UvPort& port) {
  if (!serving.confined || landlock_abi() == 0) return false;
  const Result<Unit> outside = port.launch_from_helper_thread();
  if (!outside)
    log.write(Severity::warning, "Not confined: " + outside.error().message + " " + outside.error().cause);
  return static_cast<bool>(outside);
}

// Serves all listeners. `is_of_one_folder`: the workspace was named at the start. The end of standard input
// stops the server.
Task<Unit> serve_together(Loop& loop, ServedTrees& trees, mcp::Server& server, Channel* channel,
                          HttpListener* http, BridgeListener* bridge, ServerResources& resources,
                          bool is_of_one_folder, std::stop_source stop) {
  TaskScope listeners(loop);
  if (is_of_one_folder) {
    Task<Unit> recording = trees.begin_history(loop, stop.get_token());
    listeners.spawn(std::move(recording));
  }
  Task<Unit> tending = trees.release_unused_until_stop(loop, stop.get_token());
  listeners.spawn(std::move(tending));
  Task<Unit> announcing = resources.announce(loop, server, stop.get_token());
  listeners.spawn(std::move(announcing));
  if (http) {
    Task<Unit> answering =
        streamable::serve(loop, *http->acceptor, *http->endpoint, http->limits, stop.get_token());
    listeners.spawn(std::move(answering));
  }
  if (bridge) {
    Task<Unit> serving = bridge->serve();
    listeners.spawn(std::move(serving));
  }
  Result<Unit> outcome = Unit{};
  if (channel) {
    Task<Unit> serving = mcp::serve(loop, *channel, server, stop.get_token());
    outcome = co_await std::move(serving);
    const auto unanswered = static_cast<std::int64_t>(server.unanswered_count());
    if (unanswered != 0 && !stop.stop_requested())
      trees.options().log.write(
          Severity::warning, "Standard input ended before " + core::count_with_noun(unanswered, "request") +
                                 " had been answered, so the unfinished work was cancelled. Keep it open "
                                 "until all responses have arrived.");
    stop.request_stop();
  }
  co_await listeners.join();
  co_return outcome;
}

// Runs the server until it is stopped. Errors: invalid_argument (unknown profile, invalid tools or address);
// unavailable.
Result<Unit> serve_until_stopped(const ServeOptions& serving, const Stdio* stdio) {
  std::unique_ptr<Assembly> made = TRY(Assembly::make(serving));
  Assembly& assembly = *made;
  App& app = assembly.app();
  std::unique_ptr<UvPort> port = TRY(UvPort::create());
  Reach reach(app.log, bound_of(serving), prepare_confinement(serving, app.log, *port));
  if (const std::optional<std::vector<std::string>> folders = folders_at_start(serving, assembly))
    reach.confine_to(*folders);
  assembly.trees().limit_reach(reach);
  std::stop_source stop;
  TRY(port->stop_on_signals(stop));
  BridgeResources bridge_resources(app);
  ServerResources resources(assembly.trees(), assembly.chooser(),
                            serving.bridge_address ? &bridge_resources : nullptr);
  ServerPrompts prompts(assembly.chooser());
  const std::unique_ptr<mcp::Server> shown = assembly.make_server(&resources, &prompts);
  mcp::Server& server = *shown;
  prompts.set_server(server);
  Loop loop(*port);
  std::unique_ptr<Stream> stream;
  std::unique_ptr<LineChannel> channel;
  std::optional<HttpListener> http;
  std::unique_ptr<BridgeListener> bridge;
  const std::size_t peers = peers_of_each_listener(serving, *port);
  if (serving.http_address) {
    HttpListener opened = TRY(open_http(serving, loop, server, peers));
    http.emplace(std::move(opened));
    app.log.write(Severity::info, "MCP over HTTP is at " + http->url);
    if (!stdio) std::cout << http->url << "\n" << std::flush;
  }
  if (serving.bridge_address) {
    Result<std::unique_ptr<BridgeListener>> opened =
        open_bridge(serving, assembly.settings(), loop, app, server, peers, stop.get_token());
    // If another server of the same host has the port, this one continues without the bridge.
    const bool may_go_on = stdio && !opened && opened.error().code == ErrorCode::unavailable;
    if (!opened && !may_go_on) return std::move(opened).error();
    if (opened) {
      bridge = *std::move(opened);
      app.log.write(Severity::info, "The bridge is at " + bridge->url());
      if (!stdio) std::cout << bridge->url() << "\n" << std::flush;
    } else {
      app.shared.no_bridge_reason = opened.error().message;
      app.log.write(Severity::warning, "There is no bridge: " + app.shared.no_bridge_reason);
    }
  }
  if (stdio) {
    stream = TRY(port->open(stdio->in(), stdio->out()));
    channel = std::make_unique<LineChannel>(loop, *stream);
  }
  Result<Unit> served =
      loop.run(serve_together(loop, assembly.trees(), server, channel.get(), http ? &*http : nullptr,
                              bridge.get(), resources, assembly.workspace_sources().is_explicit(), stop));
  assembly.trees().save_leases();
  return served;
}

Result<Unit> serve_stdio(const ServeOptions& serving) {
  Stdio stdio = TRY(Stdio::take());
  return serve_until_stopped(serving, &stdio);
}

}  // namespace

int serve(ServeOptions serving) {
  const Log log(server_name, serving.log_level);
  serving.program = server_name;
  serving.has_bridge = serving.bridge_address.has_value();
  serving.is_server = serving.collects_garbage = true;
  for (std::string& each : serving.origins) {
    Result<std::string> origin = streamable::parse_origin(each);
    if (!origin) {
      log.write(Severity::error, origin.error().message);
      return 2;
    }
    each = *std::move(origin);
  }
  const Result<Unit> served = serving.stdio ? serve_stdio(serving) : serve_until_stopped(serving, nullptr);
  if (served) return 0;
  const std::string& cause = served.error().cause;
  log.write(Severity::error, served.error().message + (cause.empty() ? "" : " " + cause));
  return served.error().code == ErrorCode::invalid_argument ? 2 : 1;
}

}  // namespace snapgen::tools
