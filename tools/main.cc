// snapgen-server, snap, snapback: wires port, loop, app and transports.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "runtime/async/loop.h"
#include "runtime/mcp/server.h"
#include "runtime/streamable/endpoint.h"
#include "runtime/streamable/place.h"
#include "runtime/transport/line_channel.h"
#include "runtime/transport/stdio.h"
#include "runtime/uv/process.h"
#include "runtime/uv/uv_port.h"
#include "schemas/tools.h"
#include "tools/app.h"
#include "tools/bridge_door.h"
#include "tools/bridge_resources.h"
#include "tools/cli/command_line.h"
#include "tools/cli/store_command.h"
#include "tools/cli/wire_command.h"
#include "tools/guard/former_names.h"
#include "tools/guard/guarded_tools.h"
#include "tools/guard/tier.h"
#include "tools/programs/program_tools.h"
#include "tools/prompts/server_prompts.h"
#include "tools/resources/server_resources.h"
#include "tools/settings.h"
#include "tools/workspace.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view server_name = "snapgen-server";

constexpr std::string_view instructions =
    "Reads of the work tree answer with a lease_id and a fingerprint. Pass the lease_id to the next reads: "
    "as long as they "
    "succeed, all of them speak of one and the same state. STALE_LEASE means that somebody changed the work "
    "tree; read "
    "again without lease_id. snapshot_create keeps a state for good; pass its id as snapshot_id to read it "
    "later.";

// What the workspace's own settings say, read once. None: they have faults, which are logged; the server
// starts all the same, without what they would have said.
std::optional<Settings> settings_at_start(const Result<std::string>& workspace, const Log& log) {
  if (!workspace) return Settings();
  Result<Settings> settings = read_settings(*workspace);
  if (settings) return *std::move(settings);
  log.write(Severity::warning, settings.error().message);
  return std::nullopt;
}

// The folder of tools without C++ that the settings name, if they do.
std::optional<std::string> tools_folder(const Result<std::string>& workspace,
                                        const std::optional<Settings>& settings) {
  if (!workspace || !settings || !settings->tools) return std::nullopt;
  const std::string& folder = *settings->tools;
  return folder.starts_with('/') ? folder : *workspace + "/" + folder;
}

// What SNAPBACK_TIER says, else the settings. Errors: invalid_argument (no such tier).
Result<Tier> tier_at_start(const std::optional<Settings>& settings) {
  if (const char* named = std::getenv("SNAPBACK_TIER"); named && *named) {
    const std::optional<Tier> tier = tier_named(named);
    if (tier) return *tier;
    return Error(ErrorCode::invalid_argument, "SNAPBACK_TIER is free, pro or enterprise.");
  }
  return settings ? static_cast<Tier>(settings->tier) : Tier::free;
}

// Settings with faults may forbid what nobody can read there: nothing is written then. Errors:
// invalid_argument.
Result<core::WriteRules> write_rules_at_start(const std::optional<Settings>& settings) {
  if (!settings) return core::WriteRules::of({}, {"*"});
  return write_rules_of(*settings);
}

// None: there is no workspace, or nobody knows what is to be kept of it.
std::optional<core::Retention> retention_at_start(const Result<std::string>& workspace,
                                                  const std::optional<Settings>& settings) {
  if (!workspace || !settings) return std::nullopt;
  return retention_of(*settings);
}

// The compiled tools, and those of --tools or of the settings beside them, which `programs` owns. Errors:
// those of a folder that the command line names; a folder of the settings is left out, and why is logged.
Result<mcp::ToolSet*> all_tools(Tools& compiled, const CommandLine& command_line,
                                const Result<std::string>& workspace, const std::optional<Settings>& settings,
                                const Log& log, std::unique_ptr<ProgramTools>& programs) {
  const std::optional<std::string> folder =
      command_line.tools ? command_line.tools : tools_folder(workspace, settings);
  if (!folder) return &compiled;
  Result<std::unique_ptr<ProgramTools>> loaded = ProgramTools::load(compiled, *folder, workspace);
  if (!loaded && command_line.tools) return Error(ErrorCode::invalid_argument, loaded.error().message);
  if (!loaded) log.write(Severity::error, loaded.error().message);
  if (!loaded) return &compiled;
  programs = *std::move(loaded);
  return programs.get();
}

// MCP over HTTP, with what it stands on.
struct HttpDoor {
  std::unique_ptr<Acceptor> acceptor;
  std::unique_ptr<streamable::Endpoint> endpoint;
  http::ServerLimits limits;
  std::string url;
};

Result<HttpDoor> open_http(const CommandLine& command_line, Loop& loop, mcp::Server& server) {
  Result<Address> address = streamable::parse_place(*command_line.http);
  if (!address) return std::move(address).error();
  const char* token = std::getenv(streamable::token_variable);
  Result<streamable::Access> access = streamable::access_for(*address, token ? token : "");
  if (!access) return std::move(access).error();
  access->origins = command_line.origins;
  Result<std::unique_ptr<Acceptor>> acceptor = loop.port().listen(*address);
  if (!acceptor) return std::move(acceptor).error();
  streamable::EndpointOptions options{.access = *std::move(access)};
  HttpDoor door{.acceptor = *std::move(acceptor)};
  door.url = streamable::url_of(door.acceptor->address(), options.path);
  door.endpoint = std::make_unique<streamable::Endpoint>(loop, server, std::move(options));
  return door;
}

Result<std::unique_ptr<BridgeDoor>> open_bridge(const CommandLine& command_line,
                                                const std::optional<Settings>& settings, Loop& loop, App& app,
                                                mcp::Server& server, std::stop_token stop) {
  DoorOptions options{.place = *command_line.ws, .origins = command_line.origins};
  if (const char* secret = std::getenv("SNAP_MCP_SECRET_KEY")) options.secret = secret;
  if (settings && settings->bridge) {
    options.bridge_origins = settings->bridge->origins.value_or(std::vector<std::string>());
    options.hosts = settings->bridge->hosts.value_or(std::vector<std::string>());
  }
  return BridgeDoor::open(loop, app, server, std::move(options), std::move(stop));
}

// Serves all that there is; the host's end of standard input is the end of everything.
Task<Unit> serve_together(Loop& loop, mcp::Server& server, Channel* channel, HttpDoor* http,
                          BridgeDoor* bridge, ServerResources& resources, std::stop_source stop) {
  Scope doors(loop);
  Task<Unit> announcing = resources.announce(loop, server, stop.get_token());
  doors.spawn(std::move(announcing));
  if (http) {
    Task<Unit> serving =
        streamable::serve(loop, *http->acceptor, *http->endpoint, http->limits, stop.get_token());
    doors.spawn(std::move(serving));
  }
  if (bridge) {
    Task<Unit> serving = bridge->serve();
    doors.spawn(std::move(serving));
  }
  Result<Unit> outcome = Unit{};
  if (channel) {
    Task<Unit> serving = mcp::serve(loop, *channel, server, stop.get_token());
    outcome = co_await std::move(serving);
    stop.request_stop();
  }
  co_await doors.join();
  co_return outcome;
}

// Errors: invalid_argument (no such profile, tools with faults, no such address); unavailable.
Result<Unit> serve(const CommandLine& command_line, const Stdio* stdio) {
  const Result<std::string> workspace =
      resolve_workspace(WorkspaceRequest::of_process(command_line.workspace));
  const Log log(server_name, command_line.log_level);
  const std::optional<Settings> settings = settings_at_start(workspace, log);
  App app(workspace, log, retention_at_start(workspace, settings));
  Tools compiled(app);
  std::unique_ptr<ProgramTools> programs;
  Result<mcp::ToolSet*> set = all_tools(compiled, command_line, workspace, settings, log, programs);
  if (!set) return set.error();
  Result<Tier> tier = tier_at_start(settings);
  if (!tier) return std::move(tier).error();
  app.tier = *tier;
  Result<core::WriteRules> rules = write_rules_at_start(settings);
  if (!rules) return std::move(rules).error();
  app.write_rules = *std::move(rules);
  const Settings said = settings.value_or(Settings());
  GuardedTools tools(**set, app, said.profiles.value_or(std::map<std::string, ProfileSettings>()));
  for (const std::string& each : tools.faults()) log.write(Severity::warning, each);
  const std::string profile = command_line.profile.value_or(said.profile.value_or("full"));
  auto profiles = tools.profiles();
  auto named = [&](const mcp::Profile& each) { return each.name == profile; };
  if (std::none_of(profiles.begin(), profiles.end(), named)) {
    std::string known;
    for (const mcp::Profile& each : profiles) known += " " + std::string(each.name);
    return Error(ErrorCode::invalid_argument,
                 "There is no profile " + profile + "; there are:" + known + ".");
  }

  Result<std::unique_ptr<UvPort>> port = UvPort::create();
  if (!port) return port.error();
  std::stop_source stop;
  Result<Unit> handling = (*port)->stop_on_signals(stop);
  if (!handling) return handling;
  mcp::Options options;
  options.profile = profile;
  const bool dotted = command_line.dotted_names.value_or(said.tool_names == SettingsToolNames::dotted);
  options.spelling = dotted ? mcp::Spelling::dotted : mcp::Spelling::safe;
  options.renamed = former_names;
  BridgeResources bridge_resources(app);
  ServerResources resources(app, command_line.ws ? &bridge_resources : nullptr);
  ServerPrompts prompts(app);
  mcp::Server server({.info = {.name = std::string(server_name), .version = SNAPGEN_VERSION},
                      .instructions = std::string(instructions),
                      .tools = &tools,
                      .resources = &resources,
                      .prompts = &prompts,
                      .options = options});
  prompts.speak_of(server);
  app.server = &server;
  Loop loop(**port);
  std::unique_ptr<Stream> stream;
  std::unique_ptr<LineChannel> channel;
  std::optional<HttpDoor> http;
  std::unique_ptr<BridgeDoor> bridge;
  if (command_line.http) {
    Result<HttpDoor> opened = open_http(command_line, loop, server);
    if (!opened) return std::move(opened).error();
    http.emplace(*std::move(opened));
    if (!stdio) std::cout << http->url << std::endl;
  }
  if (command_line.ws) {
    Result<std::unique_ptr<BridgeDoor>> opened =
        open_bridge(command_line, settings, loop, app, server, stop.get_token());
    // A host that starts a second server still has all the other tools there.
    const bool may_go_on = stdio && !opened && opened.error().code == ErrorCode::unavailable;
    if (!opened && !may_go_on) return std::move(opened).error();
    if (opened) {
      bridge = *std::move(opened);
      app.log.write(Severity::info, "The bridge is at " + bridge->url());
      if (!stdio) std::cout << bridge->url() << std::endl;
    } else {
      app.no_bridge = opened.error().message;
      app.log.write(Severity::warning, "There is no bridge: " + app.no_bridge);
    }
  }
  if (stdio) {
    Result<std::unique_ptr<Stream>> taken = (*port)->open(stdio->in(), stdio->out());
    if (!taken) return std::move(taken).error();
    stream = *std::move(taken);
    channel = std::make_unique<LineChannel>(loop, *stream);
  }
  return loop.run(
      serve_together(loop, server, channel.get(), http ? &*http : nullptr, bridge.get(), resources, stop));
}

Result<Unit> serve_stdio(const CommandLine& command_line) {
  Result<Stdio> stdio = Stdio::take();
  if (!stdio) return stdio.error();
  return serve(command_line, &*stdio);
}

// `snap store ...`
Result<int> look_after_store(const CommandLine& command_line) {
  Result<std::string> workspace = resolve_workspace(WorkspaceRequest::of_process(command_line.workspace));
  if (!workspace) return std::move(workspace).error();
  Result<Settings> settings = read_settings(*workspace);
  if (!settings) return std::move(settings).error();
  Result<std::unique_ptr<core::Substrate>> substrate = core::Substrate::open(*workspace);
  if (!substrate) return std::move(substrate).error();
  Result<Report> report = run_store_command(**substrate, *command_line.store, retention_of(*settings));
  if (!report) return std::move(report).error();
  std::cout << report->text << std::flush;
  return report->exit_code;
}

int look_after_store_or_say_why(const CommandLine& command_line) {
  Result<int> exit_code = look_after_store(command_line);
  if (exit_code) return *exit_code;
  const Error& error = exit_code.error();
  std::cerr << error.message << "\n";
  if (!error.cause.empty()) std::cerr << "  " << error.cause << "\n";
  return error.code == ErrorCode::invalid_argument ? 2 : 1;
}

int run(int count, char** values) {
  CommandLine command_line = parse_command_line(count, values);
  if (command_line.exit_code) return *command_line.exit_code;
  if (command_line.store) return look_after_store_or_say_why(command_line);
  if (command_line.wire) return run_wire_command(*command_line.wire);
  Log log(server_name, command_line.log_level);
  Result<Unit> served = command_line.stdio ? serve_stdio(command_line) : serve(command_line, nullptr);
  if (served) return 0;
  log.write(Severity::error, served.error().message);
  return served.error().code == ErrorCode::invalid_argument ? 2 : 1;
}

}  // namespace
}  // namespace snapgen::tools

int main(int count, char** values) {
  snapgen::return_freed_memory();
  const int exit_code = snapgen::tools::run(count, values);
  snapgen::end_pool();
  return exit_code;
}
