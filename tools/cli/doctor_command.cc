#include <algorithm>
#include <utility>

#include "runtime/base/confinement.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/cli/commands.h"
#include "tools/cli/doctor_results.h"
#include "tools/cli/host_health.h"
#include "tools/cli/workspace_health.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"

namespace snapgen::tools {
namespace {

struct DoctorOptions {
  bool starts_all = false;
  bool fixes = false;
};

constexpr std::string_view names[] = {"ok", "warning", "error"};
constexpr Colour has_colours[] = {Colour::green, Colour::yellow, Colour::red};

std::vector<Finding> examined(const Invocation& invocation, const DoctorOptions& options) {
  DoctorResults findings;
  const std::optional<std::string> workspace =
      check_workspace_choice(findings, WorkspaceSources::of_command(invocation.workspace));
  if (workspace) check_workspace(findings, *workspace);
  const int abi = landlock_abi();
  findings.ok("confinement",
              abi == 0 ? "This kernel has no Landlock (ABI 2 or later): the server's writes are not confined."
                       : "The kernel confines what a server writes to its workspace (Landlock, ABI " +
                             std::to_string(abi) + ").");
  check_hosts(findings, workspace, options.starts_all);
  return findings.all();
}

std::int64_t count_of(const std::vector<Finding>& findings, Health health) {
  return std::count_if(findings.begin(), findings.end(),
                       [&](const Finding& each) { return each.health == health; });
}

std::string as_json(std::string_view text) { return json::quoted(core::text_of_bytes(text)); }

Result<int> doctor(const Invocation& invocation, const DoctorOptions& options) {
  std::vector<Finding> findings = examined(invocation, options);
  std::vector<std::string> fixed, unfixed;
  if (options.fixes) {
    for (const Finding& each : findings) {
      if (!each.fix) continue;
      Result<std::string> repaired = each.fix();
      if (repaired)
        fixed.push_back(*std::move(repaired));
      else
        unfixed.push_back(repaired.error().message);
    }
    if (!fixed.empty()) findings = examined(invocation, options);
  }
  const std::int64_t errors = count_of(findings, Health::error),
                     warnings = count_of(findings, Health::warning);
  std::string json, text;
  for (const std::string& each : fixed)
    text += invocation.out.paint(Colour::green, "fixed") + "  " + printable(each) + "\n";
  for (const std::string& each : unfixed)
    text += invocation.out.paint(Colour::red, "not fixed") + "  " + printable(each) + "\n";
  for (const Finding& each : findings) {
    const auto health = static_cast<std::size_t>(each.health);
    json += (json.empty() ? "{\"area\":" : ",{\"area\":") + as_json(each.area) +
            ",\"fix\":" + as_json(each.advice) + ",\"fixable\":" + (each.fix ? "true" : "false") +
            ",\"health\":" + as_json(names[health]) + ",\"text\":" + as_json(each.text) + "}";
    // The columns are not formatted with Rows, because fixes have separate lines and nothing may be
    // truncated.
    std::string name(names[health]), area = each.area;
    name.resize(9, ' ');
    area.resize(std::max<std::size_t>(area.size(), 13), ' ');
    text += invocation.out.paint(has_colours[health], name) + invocation.out.paint(Colour::bold, area) +
            printable(each.text) + "\n";
    if (!each.advice.empty())
      text += std::string(22, ' ') + invocation.out.paint(Colour::cyan, printable(each.advice)) + "\n";
  }
  const auto array_of = [](const std::vector<std::string>& sentences) {
    std::string out;
    for (const std::string& each : sentences) out += (out.empty() ? "" : ",") + as_json(each);
    return "[" + out + "]";
  };
  text += errors + warnings == 0 ? std::string("All is well.\n")
                                 : core::count_with_noun(errors, "error") + ", " +
                                       core::count_with_noun(warnings, "warning") + ".\n";
  return print_answer(invocation,
                      "{\"errors\":" + std::to_string(errors) + ",\"findings\":[" + json +
                          "],\"fixed\":" + array_of(fixed) + ",\"not_fixed\":" + array_of(unfixed) +
                          ",\"warnings\":" + std::to_string(warnings) + "}",
                      text, errors > 0 ? exit_failed_or_found : exit_done);
}

}  // namespace

void add_doctor_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "doctor",
       .description =
           "Check everything that the server and its hosts need: workspace, git, permissions, disk "
           "space, settings, store, watches, logs, the hosts' files, and a real start of the server. "
           "Each finding says what to do. Without --fix nothing is changed.",
       .examples = {{"snap doctor", ""},
                    {"snap doctor --fix", "apply the safe fixes"},
                    {"snap doctor --json | jq .errors", ""}},
       .exit_codes = "0 no error was found; 1 there are errors; 2 the command line is wrong."},
      [options](const Invocation& parsed) { return doctor(parsed, *options); });
  command.add_flag(
      "--start", options->starts_all,
      "Start every server that a host's file lists under the server's names, not only this program.");
  command.add_flag("--fix", options->fixes,
                   "Apply the safe fixes: give the owner access to the server's folders, hide them from git, "
                   "correct the server's entry in a host's file here, remove old logs.");
}

}  // namespace snapgen::tools
