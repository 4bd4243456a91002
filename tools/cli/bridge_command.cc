#include <array>
#include <utility>

#include "runtime/base/environment.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "schemas/bridge/bridge_pair.h"
#include "schemas/bridge/bridge_status.h"
#include "tools/cli/bridge_client.h"
#include "tools/cli/commands.h"
#include "tools/engine/base/utc.h"

namespace snapgen::tools {
namespace {

struct BridgeOptions {
  std::string at = std::string(default_bridge_address);
  std::vector<std::string> permissions;
};

constexpr std::array all_permissions = {
    BridgePermission::create_blocks,  BridgePermission::create_custom_block,
    BridgePermission::delete_blocks,  BridgePermission::execute_scripts,
    BridgePermission::export_project, BridgePermission::highlight_blocks,
    BridgePermission::inspect_state,  BridgePermission::read_project};

// Calls a tool of the running server and returns its answer.
Result<std::string> printed(const BridgeOptions& options, std::string_view tool, std::string_view arguments) {
  BridgeAddress address = TRY(bridge_address_of(options.at));
  BridgeClient client =
      TRY(BridgeClient::connect(address, environment_variable(bearer_token_variable).value_or("")));
  return client.call(tool, arguments);
}

template <class Output>
Result<Output> understood(const std::string& text, void (*read_output)(json::Reader&, Output&)) {
  Output out;
  json::Reader in(text);
  read_output(in, out);
  in.end();
  if (!in.ok())
    return Error(
        ErrorCode::unavailable,
        "The answer of the server cannot be parsed, because the server has another version than this "
        "command. Use the same version of both.");
  return out;
}

std::string permission_list(const std::vector<BridgePermission>& permissions) {
  std::string out;
  for (const BridgePermission each : permissions) out += (out.empty() ? "" : ", ") + std::string(text(each));
  return out;
}

std::string moment(const std::string& iso, const Terminal& terminal) {
  const std::optional<std::int64_t> ms = core::ms_of_iso_time(iso);
  return ms ? time_text(*ms, terminal) : iso;
}

std::string bridge_status_text(const BridgeStatus& state, const Terminal& out) {
  std::string text = facts_text({{"bridge", state.url}}, out);
  AlignedRows browsers, pairings, commands;
  for (const BrowserState& each : state.browsers)
    browsers.add({{.text = each.session_id, .colour = Colour::bold},
                  {.text = each.connected ? "connected" : "disconnected",
                   .colour = each.connected ? Colour::green : Colour::yellow},
                  {.text = each.client_info.browser.value_or("")},
                  {.text = std::to_string(each.commands), .is_right_aligned = true},
                  {.text = "commands; may " + permission_list(each.permissions)}});
  for (const OpenPairing& each : state.pairings)
    pairings.add({{.text = each.code.value_or("void"), .colour = Colour::bold},
                  {.text = "until " + moment(each.expires_at, out)},
                  {.text = each.asked_for ? "requested on the page" : "made by a host"},
                  {.text = "may " + permission_list(each.permissions)}});
  for (const PastCommand& each : state.commands)
    commands.add({{.text = moment(each.at, out), .colour = Colour::dim},
                  {.text = each.command},
                  {.text = each.outcome, .colour = each.outcome == "success" ? Colour::green : Colour::red},
                  {.text = std::to_string(static_cast<std::int64_t>(each.round_trip_ms)) + " ms"}});
  const auto part = [&](std::string_view title, const AlignedRows& rows) {
    if (!rows.empty()) text += out.paint(Colour::bold, title) + "\n" + rows.text(out, 2);
  };
  part("browsers", browsers);
  part("pairings waiting for their code", pairings);
  part("last commands", commands);
  if (browsers.empty()) text += "No browser is connected; snap bridge pair makes a code for one.\n";
  return text;
}

Result<int> status(const Invocation& invocation, const BridgeOptions& options) {
  std::string answered = TRY(printed(options, "bridge.status", "{}"));
  BridgeStatusOutput output = TRY(understood<BridgeStatusOutput>(answered, read_bridge_status_output));
  const auto* state = std::get_if<BridgeStatus>(&output);
  return print_answer(invocation, answered, state ? bridge_status_text(*state, invocation.out) : std::string(),
                      state ? exit_done : exit_failed_or_found);
}

Result<int> pair(const Invocation& invocation, const BridgeOptions& options) {
  std::string permissions;
  for (const std::string& each : options.permissions)
    permissions += (permissions.empty() ? "" : ",") + json::quoted(each);
  std::string answered = TRY(printed(options, "bridge.pair",
                                     permissions.empty() ? "{}" : "{\"permissions\":[" + permissions + "]}"));
  BridgePairOutput output = TRY(understood<BridgePairOutput>(answered, read_bridge_pair_output));
  const auto* made = std::get_if<PairingMade>(&output);
  if (!made) return print_answer(invocation, answered, "", exit_failed_or_found);
  // The user types the code into the browser. The token, which is for programs, is only in the output of
  // --json.
  std::string text = facts_text({{"code", made->code},
                                 {"valid until", moment(made->expires_at, invocation.out)},
                                 {"connects to", made->url},
                                 {"may", permission_list(made->permissions)}},
                                invocation.out);
  text += "Enter the code in the extension, in the browser where Snap! is open. It can be used once.\n";
  return print_answer(invocation, answered, text);
}

void add_place(CLI::App& command, BridgeOptions& options) {
  command.add_option("--at", options.at, "The address of the server's bridge on this machine.")
      ->type_name("[HOST:]PORT")
      ->capture_default_str();
}

}  // namespace

void add_bridge_command(CLI::App& program, Invocation& invocation) {
  CLI::App& bridge =
      add_group(program, "bridge", "Show and use the bridge of a running server (snap mcp --stdio --ws).");
  auto options = std::make_shared<BridgeOptions>();
  CLI::App& asking =
      add_command(bridge, invocation,
                  {.name = "status",
                   .description = "List connected browsers, open pairing codes and the last commands.",
                   .examples = {{"snap bridge status", ""}, {"snap bridge status --at 9000 --json", ""}},
                   .takes_workspace = false},
                  [options](const Invocation& parsed) { return status(parsed, *options); });
  add_place(asking, *options);
  CLI::App& pairing = add_command(
      bridge, invocation,
      {.name = "pair",
       .description =
           "Create a code with which a browser can connect once within five minutes. The code is shown "
           "only here. Without --permission the browser may do everything except run scripts.",
       .examples = {{"snap bridge pair", ""},
                    {"snap bridge pair --permission read_project --permission highlight_blocks", ""}},
       .takes_workspace = false},
      [options](const Invocation& parsed) { return pair(parsed, *options); });
  add_place(pairing, *options);
  std::vector<std::string> names;
  for (const BridgePermission each : all_permissions) names.emplace_back(text(each));
  pairing
      .add_option("--permission", options->permissions,
                  "A permission of the browser; can be given several times.")
      ->check(CLI::IsMember(names))
      ->type_name("NAME");
}

}  // namespace snapgen::tools
