#include "tools/cli/init_command.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "runtime/json/writer.h"
#include "tools/cli/hosts/host_file.h"
#include "tools/cli/hosts/own_program.h"
#include "tools/core/encoding.h"
#include "tools/core/git/text_diff.h"
#include "tools/core/path/path.h"
#include "tools/core/plain_text.h"
#include "tools/core/store/durable.h"
#include "tools/core/substrate.h"
#include "tools/workspace.h"

namespace snapgen::tools {
namespace {

struct InitOptions {
  std::vector<std::string> hosts;
  bool yes = false;
};

constexpr std::string_view settings_file = "config.json";
constexpr std::string_view first_settings = "{\n  \"tier\": \"free\"\n}\n";

// What shall stand in one file.
struct HostChange {
  Host host;
  std::string before, after;
  std::string diff;  // As `diff -u` prints it.
};

struct Outcome {
  std::string workspace;
  std::vector<std::string> made, unchanged, refused;
  std::string diff;
};

// The workspace that is there, or the folder that shall be one: the named one, or the current one.
Result<std::string> folder_for(const Chosen& chosen) {
  const WorkspaceRequest request = WorkspaceRequest::of_process(chosen.workspace);
  Result<std::string> found = resolve_workspace(request);
  if (found) return found;
  const std::string folder = request.argument   ? *request.argument
                             : request.variable ? *request.variable
                                                : request.current_folder;
  char real[PATH_MAX];
  struct ::stat st{};
  if (::realpath(folder.c_str(), real) != nullptr && ::stat(real, &st) == 0 && S_ISDIR(st.st_mode))
    return std::string(real);
  return Error(ErrorCode::not_found, "There is no folder " + core::path_in_sentence(folder) + ".");
}

Result<std::string> diff_of(std::string_view file, std::string_view before, std::string_view after) {
  constexpr std::uint32_t context = 3;
  constexpr std::size_t bytes_max = std::size_t{1} << 20;
  Result<core::TextDiff> diff = core::diff_texts(before, after, context, bytes_max);
  if (!diff) return std::move(diff).error();
  const std::string name(file);
  return (before.empty() ? std::string("--- /dev/null\n") : "--- a/" + name + "\n") + "+++ b/" + name + "\n" +
         diff->text;
}

// None: it says it already. Errors: it cannot be changed safely.
Result<std::optional<HostChange>> change_for(Host host, const std::string& workspace, const OurEntry& entry) {
  HostChange change{.host = host};
  Result<std::string> text = read_host_file(path_of(host, workspace, {}));
  if (!text && text.error().code != ErrorCode::not_found) return std::move(text).error();
  if (text) change.before = *std::move(text);
  Result<std::string> after = with_our_entry(change.before, host, entry);
  if (!after) return std::move(after).error();
  if (*after == change.before) return std::optional<HostChange>();
  change.after = *std::move(after);
  Result<std::string> diff = diff_of(form_of(host).file, change.before, change.after);
  if (!diff) return std::move(diff).error();
  change.diff = *std::move(diff);
  return std::optional(std::move(change));
}

std::string coloured_preview(const Chosen& chosen, std::string_view diff) {
  std::string out;
  std::string_view line;
  while (core::next_line(diff, line)) {
    const bool is_name = line.starts_with("---") || line.starts_with("+++");
    const Colour colour = is_name                  ? Colour::bold
                          : line.starts_with('+')  ? Colour::green
                          : line.starts_with('-')  ? Colour::red
                          : line.starts_with("@@") ? Colour::cyan
                                                   : Colour::plain;
    out += chosen.out.paint(colour, chosen.out.is_terminal ? printable(line) : std::string(line)) + "\n";
  }
  return out;
}

// `.snapback/` with its first settings.
Result<Unit> make_workspace(const std::string& folder, Outcome& outcome) {
  Result<Unit> made = core::make_snapback_folder(folder);
  if (!made) return made;
  const std::string state = folder + "/.snapback", name = ".snapback/" + std::string(settings_file);
  struct ::stat st{};
  if (::lstat(state.c_str(), &st) != 0 || !S_ISDIR(st.st_mode))
    return Error(ErrorCode::permission_denied, ".snapback is not a folder; nothing is written through it.");
  if (::lstat((folder + "/" + name).c_str(), &st) == 0) {
    outcome.unchanged.push_back(name);
    return Unit{};
  }
  outcome.made.push_back(name);
  return core::replace_file(state, settings_file, first_settings, core::Durability::machine);
}

// What is printed, and may be pasted, where a file is not changed.
std::string by_hand(Host host, const OurEntry& entry, const Error& why) {
  const HostForm& form = form_of(host);
  return std::string(form.file) + " is left as it is: " + why.message + "\nPut this into it:\n" +
         pasted(host, entry);
}

std::string outcome_json(const Outcome& outcome) {
  const auto list = [](const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& each : names) out += (out.empty() ? "" : ",") + json::quoted(each);
    return "[" + out + "]";
  };
  return "{\"diff\":" + json::quoted(core::text_of_bytes(outcome.diff)) +
         ",\"refused\":" + list(outcome.refused) + ",\"unchanged\":" + list(outcome.unchanged) +
         ",\"workspace\":" + json::quoted(core::text_of_bytes(outcome.workspace)) +
         ",\"written\":" + list(outcome.made) + "}";
}

Result<int> init(const Chosen& chosen, const InitOptions& options) {
  Result<std::string> folder = folder_for(chosen);
  if (!folder) return std::move(folder).error();
  Outcome outcome{.workspace = *folder};
  const std::string program = own_program();
  if (program.empty() && !options.hosts.empty())
    return Error(ErrorCode::unavailable, "The system does not tell where this program is.");
  Result<Unit> made = make_workspace(*folder, outcome);
  if (!made) return std::move(made).error();
  const bool asks = !options.yes && !chosen.json && chosen.out.is_terminal && ::isatty(0) == 1;
  std::string text;
  for (const std::string& name : options.hosts) {
    const Host host = *host_named(name);
    const std::string file(form_of(host).file);
    const OurEntry entry = entry_for(host, program);
    Result<std::optional<HostChange>> change = change_for(host, *folder, entry);
    if (change && !*change) {
      outcome.unchanged.push_back(file);
      continue;
    }
    if (!change) {
      outcome.refused.push_back(file);
      text += by_hand(host, entry, change.error());
      continue;
    }
    outcome.diff += (*change)->diff;
    if (!chosen.json) {
      Result<Unit> shown = chosen.out.print(coloured_preview(chosen, (*change)->diff));
      if (!shown) return std::move(shown).error();
    }
    const bool goes_on = options.yes || (asks && agreed(chosen, "Write " + file + "?"));
    Result<Unit> written = Unit{};
    if (goes_on) {
      written = write_host_file(host, *folder, (*change)->after);
    } else {
      written = Error(ErrorCode::invalid_argument,
                      asks ? "you did not say yes." : "say --yes to have this written.");
    }
    (written ? outcome.made : outcome.refused).push_back(file);
    if (!written)
      text += goes_on ? by_hand(host, entry, written.error())
                      : file + " is left as it is: " + written.error().message + "\n";
  }
  for (const std::string& each : outcome.made)
    text += chosen.out.paint(Colour::green, "written") + "    " + printable(each) + "\n";
  for (const std::string& each : outcome.unchanged) text += "unchanged  " + printable(each) + "\n";
  text += "The workspace is " + printable(*folder) + ".\n";
  return answer(chosen, outcome_json(outcome), text, outcome.refused.empty() ? done : failed_or_found);
}

}  // namespace

void add_init(CLI::App& program, Chosen& chosen) {
  auto options = std::make_shared<InitOptions>();
  CLI::App& command =
      add_command(program, chosen,
                  {.name = "init",
                   .what = "Make .snapback/ with its settings in the workspace, or in the current folder if "
                           "there is none, hidden from "
                           "git. With --host, name this server in that host's file, too: the change is shown "
                           "first, and everything "
                           "else in the file stays as it is.",
                   .examples = {{"snap init", ""},
                                {"snap init --host claude", "writes .mcp.json, after asking"},
                                {"snap init --host cursor --host vscode --yes", ""}},
                   .exit_codes = "0 done; 1 a file was left as it is; 2 the command line is wrong."},
                  [options](const Chosen& said) { return init(said, *options); });
  command
      .add_option("--host", options->hosts,
                  "claude (.mcp.json), cursor (.cursor/mcp.json) or vscode (.vscode/mcp.json); may be said "
                  "several times.")
      ->check(CLI::IsMember({"claude", "cursor", "vscode"}))
      ->type_name("HOST");
  command.add_flag("-y,--yes", options->yes, "Write without asking.");
}

}  // namespace snapgen::tools
