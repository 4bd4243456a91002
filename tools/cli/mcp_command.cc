#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <unistd.h>

#include "tools/cli/commands.h"
#include "tools/cli/help.h"
#include "tools/server/serve.h"

namespace snapgen::tools {
namespace {

constexpr const char* bridge_place = "127.0.0.1:8765";
constexpr const char* http_port = "7331";

struct ServingOptions {
  ServeOptions serving;
  std::string tool_names;
  std::string answers;
  std::string log_level = "warning";
  bool unconfined = false;
  std::string port = http_port;  // The value of --port in `snap mcp http`.
};

// The transport if the command line names none: standard input and output, or at a terminal nothing, so that
// the help is printed.
enum class Implied : std::uint8_t { nothing, stdio };
Implied implied_here() { return ::isatty(0) == 1 ? Implied::nothing : Implied::stdio; }

Result<int> serve_as(const Invocation& invocation, const CLI::App& command, const ServingOptions& options,
                     Implied implied) {
  ServeOptions serving = options.serving;
  if (serving.bridge_address && serving.bridge_address->empty()) serving.bridge_address = bridge_place;
  if (!serving.stdio && !serving.http_address && !serving.bridge_address && implied == Implied::stdio)
    serving.stdio = true;
  if (!serving.stdio && !serving.http_address && !serving.bridge_address) {
    TRY(invocation.error_output.print(command.help()));
    return exit_wrong_usage;
  }
  serving.workspace = invocation.workspace;
  serving.confined = !options.unconfined;
  if (!options.tool_names.empty()) serving.dotted_names = options.tool_names == "dotted";
  if (!options.answers.empty()) serving.answer_choice = answer_choice_named(options.answers);
  serving.log_level = *severity_named(options.log_level);
  return serve(std::move(serving));
}

void add_transports(CLI::App& command, ServingOptions& options) {
  command.add_flag("--stdio", options.serving.stdio, "Speak MCP on standard input and output.");
  command
      .add_option("--http", options.serving.http_address,
                  "Speak MCP over HTTP at /mcp on this address: a port (0: any), or an address and a port. "
                  "If other machines can reach it, clients need the bearer token in SNAPGEN_HTTP_TOKEN.")
      ->type_name("[HOST:]PORT");
  command
      .add_option(
          "--ws", options.serving.bridge_address,
          "Listen on this address for browsers of the bridge, and for programs that speak MCP over WebSocket "
          "(subprotocol mcp): a port, or an address and a port; the default is 127.0.0.1:8765.")
      ->expected(0, 1)
      ->type_name("[[HOST:]PORT]");
}

void add_the_rest(CLI::App& command, Invocation& invocation, ServingOptions& options) {
  command
      .add_option("--allow-origin", options.serving.origins,
                  "A web origin whose pages may connect over HTTP or WebSocket: a scheme, a host and "
                  "optionally a port, such as https://example.org")
      ->type_name("ORIGIN");
  add_workspace_option(command, invocation);
  command
      .add_option(
          "--profile", options.serving.profile,
          "Which tools are listed: first (the few to begin with), full, or the name of a family or profile. "
          "Default: \"profile\" in .snapback/config.json, or all tools, those of the bridge only with "
          "--ws.")
      ->type_name("NAME");
  command
      .add_option("--answers", options.answers,
                  "The form of answers: auto follows the host's name, json is structured content, text is "
                  "text for models. Default: \"answers\" in .snapback/config.json, or auto.")
      ->check(CLI::IsMember({"auto", "json", "text"}))
      ->type_name("auto|json|text");
  command
      .add_option("--tool-names", options.tool_names,
                  "How tools are listed: snapshot_create (safe), or snapshot.create (dotted). Default: "
                  "\"tool_names\" in .snapback/config.json, or safe.")
      ->check(CLI::IsMember({"safe", "dotted"}))
      ->type_name("safe|dotted");
  command
      .add_option(
          "--tools", options.serving.tools_folder,
          "A folder of tools without C++: FAMILY/x.json whose x-snapgen.run names a program. Default: "
          "\"tools\" in .snapback/config.json, or none.")
      ->type_name("DIR");
  command.add_flag(
      "--no-confine", options.unconfined,
      "Let this process write outside of the workspace. Without it the kernel (Landlock) forbids "
      "that, to the server and to git, but not to the programs of checks and of tools without C++.");
  command.add_option("--log-level", options.log_level, "The lowest level that is logged to standard error.")
      ->check(CLI::IsMember({"error", "warning", "info", "debug"}))
      ->type_name("LEVEL")
      ->capture_default_str();
}

}  // namespace

void add_serve_options(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<ServingOptions>();
  add_transports(program, *options);
  add_the_rest(program, invocation, *options);
  program.footer(footer_of({.name = "",
                            .description = "",
                            .examples = {{"snapgen-server --stdio", "for a host that starts it"},
                                         {"snapgen-server --http 8080", "at http://127.0.0.1:8080/mcp"}},
                            .exit_codes = "0 the host is done; 1 it failed; 2 the command line is wrong."}));
  program.callback([&program, &invocation, options] {
    invocation.run = [&program, options](const Invocation& parsed) {
      return serve_as(parsed, program, *options, Implied::nothing);
    };
  });
}

void add_mcp_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<ServingOptions>();
  const CommandText text = {
      .name = "mcp",
      .description =
          "Serve MCP to AI hosts, as snapgen-server does. Without a transport: on standard input and output.",
      .examples = {{"snap mcp --stdio", "for a host that starts it"},
                   {"snap mcp http --port 8080", "at http://127.0.0.1:8080/mcp"},
                   {"snap mcp --stdio --ws", "and the bridge for browsers"}},
      .exit_codes = "0 the host is done; 1 it failed; 2 the command line is wrong.",
      .takes_workspace = false,
      .takes_json = false};
  CLI::App& mcp = add_command(program, invocation, text, nullptr);
  add_transports(mcp, *options);
  add_the_rest(mcp, invocation, *options);
  mcp.callback([&mcp, &invocation, options] {
    // The subcommand `http` has a separate callback.
    if (!mcp.get_subcommands().empty()) return;
    invocation.run = [&mcp, options](const Invocation& parsed) {
      return serve_as(parsed, mcp, *options, implied_here());
    };
  });
  CommandText about_http = text;
  about_http.name = "http";
  about_http.description = "Speak MCP over HTTP, at /mcp.";
  about_http.examples = {{"snap mcp http --port 0", "any port; the URL is printed"}};
  CLI::App& http = add_command(mcp, invocation, about_http, [&mcp, options](const Invocation& parsed) {
    options->serving.http_address = options->port;
    return serve_as(parsed, mcp, *options, Implied::nothing);
  });
  http.add_option("--port", options->port, "A port (0: any), or an address and a port.")
      ->type_name("[HOST:]PORT")
      ->capture_default_str();
  add_the_rest(http, invocation, *options);
}

}  // namespace snapgen::tools
