#include "tools/cli/command_line.h"

#include <iostream>
#include <string_view>

#include <CLI/CLI.hpp>

namespace snapgen::tools {
namespace {

constexpr const char* about =
    "Serves a workspace to AI hosts over MCP: snapshots, coherent reads under leases, and safe writes.";

constexpr const char* bridge_place = "127.0.0.1:8765";

constexpr const char* workspace_help =
    "The workspace. Without it: SNAPBACK_WORKSPACE_ROOT, or the nearest folder from here upwards that holds "
    ".git, "
    ".snapback or package.json.";

std::string name_of(std::string_view program) {
  std::size_t slash = program.rfind('/');
  return std::string(slash == std::string_view::npos ? program : program.substr(slash + 1));
}

void add_serving(CLI::App& command, CommandLine& out, std::string& spelling, std::string& log_level) {
  command.add_flag("--stdio", out.stdio, "Speak MCP on standard input and output.");
  command
      .add_option("--http", out.http,
                  "Speak MCP over HTTP here, at /mcp: a port (0: any), or an address and a port. Where other "
                  "machines "
                  "reach it, clients need the bearer token that SNAPGEN_HTTP_TOKEN holds.")
      ->type_name("[HOST:]PORT");
  command
      .add_option("--ws", out.ws,
                  "Let browsers connect to the bridge here, and programs to MCP over WebSocket (subprotocol "
                  "mcp): a port, or an "
                  "address and a port; 127.0.0.1:8765 if none is said.")
      ->expected(0, 1)
      ->type_name("[[HOST:]PORT]");
  command
      .add_option("--allow-origin", out.origins,
                  "A web origin that may ask over HTTP or WebSocket, besides this machine's and extensions: "
                  "https://example.org")
      ->type_name("ORIGIN");
  command.add_option("--workspace", out.workspace, workspace_help)->type_name("DIR");
  command
      .add_option(
          "--profile", out.profile,
          "Which tools are listed: full, or the name of a family or profile. Without it: \"profile\" in "
          ".snapback/config.json, or full.")
      ->type_name("NAME");
  command
      .add_option("--tool-names", spelling,
                  "How tools are listed: snapshot_create (safe), or snapshot.create (dotted). Without it: "
                  "\"tool_names\" in .snapback/config.json, or safe.")
      ->check(CLI::IsMember({"safe", "dotted"}));
  command
      .add_option(
          "--tools", out.tools,
          "A folder of tools without C++: FAMILY/x.json whose x-snapgen.run names a program. Without it: "
          "\"tools\" in .snapback/config.json, or none.")
      ->type_name("DIR");
  command.add_option("--log-level", log_level, "What is logged on the standard error.")
      ->check(CLI::IsMember({"error", "warning", "info", "debug"}))
      ->capture_default_str();
}

constexpr const char* exit_codes =
    "Exit codes: 0 done, and the store is sound; 1 it is damaged, or something failed; 2 the command line is "
    "wrong.";

void add_store(CLI::App& program, CommandLine& out, StoreCommand& command) {
  CLI::App* store = program.add_subcommand("store", "Look after the snapshots that are kept.");
  store->require_subcommand(1);
  store->footer(exit_codes);
  auto add = [&, store](const char* name, const char* what, StoreCommand::Action action) {
    CLI::App* added = store->add_subcommand(name, what);
    added->footer(exit_codes);
    added->add_option("--workspace", out.workspace, workspace_help)->type_name("DIR");
    added->add_flag("--json", command.json, "Answer with one line of JSON.");
    added->callback([&out, &command, action] {
      command.action = action;
      out.store = command;
    });
    return added;
  };
  add("stats", "What the store holds, and the room that it takes.", StoreCommand::Action::stats);
  add("verify", "Read and hash every blob and every snapshot, and name what is damaged.",
      StoreCommand::Action::verify);
  CLI::App* gc = add("gc",
                     "Remove the snapshots that need not be kept, and then what nothing needs any more. Kept "
                     "is what is young or among the latest, as .snapback/config.json says under \"store\".",
                     StoreCommand::Action::gc);
  gc->add_flag("--dry-run", command.dry_run, "Say what would go, and change nothing.");
  gc->add_option("--keep-days", command.keep_days,
                 "Keep what is younger; instead of the settings' keep_days.")
      ->check(CLI::Range(0, 36500));
  gc->add_option("--keep-count", command.keep_count,
                 "Keep so many of the latest; instead of the settings' keep_count.")
      ->check(CLI::Range(0, 1000000));
  gc->add_flag("--drop-damaged", command.drop_damaged,
               "Remove snapshots whose manifest cannot be read, too; without it they stop the collection.");
}

void add_wire(CLI::App& program, CommandLine& out, WireCommand& command) {
  CLI::App* wire = program.add_subcommand("wire", "The lines that the snap tools answer with.");
  wire->require_subcommand(1);
  CLI::App* decode = wire->add_subcommand("decode", "Say what a line says, field by field.");
  decode->add_option("LINE", command.line, "An answer, or its first line. Without it: standard input.");
  decode->add_flag("--compact", command.compact, "Its fields have no labels. Without it, both are tried.");
  decode->add_flag("--json", command.json, "Answer with one line of JSON: [[name, value], ...].");
  decode->callback([&] { out.wire = command; });
}

}  // namespace

CommandLine parse_command_line(int count, char** values) {
  CommandLine out;
  std::string spelling;
  std::string log_level = "warning";
  std::string program = count > 0 ? name_of(values[0]) : "snapgen-server";
  CLI::App app(about, program);
  app.set_version_flag("--version", "snapgen " SNAPGEN_VERSION);
  CLI::App* serving = &app;
  if (program != "snapgen-server") {
    serving = app.add_subcommand("mcp", "Serve MCP, as snapgen-server does.");
  }
  add_serving(*serving, out, spelling, log_level);
  StoreCommand store_command;
  WireCommand wire_command;
  if (serving != &app) add_store(app, out, store_command);
  if (serving != &app) add_wire(app, out, wire_command);
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    int code = app.exit(error);
    out.exit_code = code == 0 ? 0 : 2;
    return out;
  }
  if (out.store || out.wire) return out;
  if (out.ws && out.ws->empty()) out.ws = bridge_place;
  if (!out.stdio && !out.http && !out.ws) {
    std::cerr << (serving->parsed() ? serving : &app)->help();
    out.exit_code = 2;
  }
  if (!spelling.empty()) out.dotted_names = spelling == "dotted";
  out.log_level = *severity_of(log_level);
  return out;
}

}  // namespace snapgen::tools
