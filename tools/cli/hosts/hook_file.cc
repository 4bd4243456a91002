#include "tools/cli/hosts/hook_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "runtime/json/reader.h"
#include "runtime/json/tree.h"
#include "runtime/json/writer.h"
#include "tools/cli/hosts/hook_assets.h"
#include "tools/cli/hosts/host_file.h"
#include "tools/cli/hosts/jsonc.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view hooks_member = "hooks";
constexpr std::string_view command_word = " hook ";
constexpr std::string_view plugin_begin = "// Written by `snap init";
constexpr std::string_view program_in_plugin = "const program = ";
constexpr std::string_view program_placeholder = "\"@PROGRAM@\"";

// Hosts whose file of servers may have comments have their hooks in the same file.
Comments comments_in_hooks(const HostForm& host) {
  return host.format == FileFormat::jsonc ? Comments::allowed : Comments::refused;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Returns a word of a POSIX shell for any text.
std::string shell_word(std::string word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.,:=@%+-";
  if (word.find_first_not_of(plain) == std::string::npos) return word;
  replace_all(word, "'", "'\\''");
  return "'" + word + "'";
}

// Returns the command of a hook. It succeeds without the program too, because Copilot CLI rejects a tool
// whose hook fails, and most hosts reject it if an older program ends with the exit code 2 of an unknown
// command.
std::string hook_command(const HostForm& host, const std::string& program) {
  return shell_word(program) + std::string(command_word) + std::string(host.name) + " || true";
}

// Returns the program that the command of a hook of ours starts; nullopt for other commands.
std::optional<std::string> program_of_command(std::string_view command) {
  const std::size_t end = command.rfind(command_word);
  if (end == std::string_view::npos) return std::nullopt;
  std::string program(command.substr(0, end));
  if (program.size() > 1 && program.front() == '\'' && program.back() == '\'') {
    program = program.substr(1, program.size() - 2);
    replace_all(program, "'\\''", "'");
  } else if (shell_word(program) != program) {
    return std::nullopt;
  }
  if (!is_our_entry({.name = {}, .command = program})) return std::nullopt;
  return program;
}

bool is_our_command(std::string_view command) { return program_of_command(command).has_value(); }

// Returns the command of a hook; empty if it has none.
std::string_view command_of(json::Value hook) {
  if (hook.kind() != json::Kind::object) return {};
  for (const std::string_view name : {"command", "bash"}) {
    const json::Value command = hook.find(name);
    if (command.exists() && command.kind() == json::Kind::string) return command.text();
  }
  return {};
}

// Returns the commands of an item in the list of an event, which is a hook or a group of hooks.
std::vector<std::string_view> commands_of(json::Value item) {
  if (item.kind() != json::Kind::object) return {};
  const json::Value group = item.find(hooks_member);
  if (!group.exists() || group.kind() != json::Kind::array) return {command_of(item)};
  std::vector<std::string_view> commands;
  for (json::Value hook = group.first_child(); hook.exists(); hook = hook.next_sibling())
    commands.push_back(command_of(hook));
  return commands;
}

// An item in the list of an event, all of whose hooks are ours.
struct OurItem {
  std::string event;
  std::size_t index = 0;      // In the list of the event.
  std::size_t list_size = 0;  // The number of items in that list.
  std::string command;        // The command of its first hook.
};

Result<std::vector<OurItem>> our_items(std::string_view text, const HostForm& host) {
  std::vector<OurItem> found;
  if (is_blank_text(text)) return found;
  const std::string json = TRY(checked_json(text, comments_in_hooks(host)));
  const json::Tree tree(json);
  if (tree.root().kind() != json::Kind::object) return found;
  const json::Value events = tree.root().find(hooks_member);
  if (!events.exists() || events.kind() != json::Kind::object) return found;
  for (json::Value event = events.first_child(); event.exists(); event = event.next_sibling()) {
    if (event.kind() != json::Kind::array) continue;
    std::size_t index = 0;
    for (json::Value item = event.first_child(); item.exists(); item = item.next_sibling(), ++index) {
      const std::vector<std::string_view> commands = commands_of(item);
      if (!commands.empty() && std::ranges::all_of(commands, &is_our_command))
        found.push_back({.event = std::string(event.key()),
                         .index = index,
                         .list_size = event.size(),
                         .command = std::string(commands.front())});
    }
  }
  return found;
}

// Returns the path of an event's list in the file.
std::array<std::string, 2> path_of(std::string_view event) {
  return {std::string(hooks_member), std::string(event)};
}

// Returns the JSON of our item for an event.
std::string item_json(const HostForm& host, const std::string& command) {
  std::string hook = "{" + std::string(host.hooks.before_command) + json::quoted(command) +
                     std::string(host.hooks.after_command) + "}";
  if (host.hooks.layout == HookLayout::groups) return "{\"hooks\": [" + hook + "]}";
  return hook;
}

// Returns the file with a version, which it retains if it has one.
Result<std::string> with_version(const std::string& text, const HostForm& host) {
  const std::array<std::string, 1> path = {"version"};
  if (!is_blank_text(text)) {
    const std::string json = TRY(checked_json(text, comments_in_hooks(host)));
    const json::Tree tree(json);
    if (tree.root().find(path.front()).exists()) return text;
  }
  return with_member(text, path, "1", comments_in_hooks(host));
}

bool is_our_plugin(std::string_view text) { return text.starts_with(plugin_begin); }

std::vector<std::string> program_of_plugin(std::string_view text) {
  const std::size_t at = text.find(program_in_plugin);
  std::string program;
  if (!is_our_plugin(text) || at == std::string_view::npos) return {};
  json::Reader in(text.substr(at + program_in_plugin.size()));
  if (!in.string(program)) return {};
  return {program};
}

Result<std::string> with_our_plugin(std::string_view text, const std::string& program) {
  if (!is_blank_text(text) && !is_our_plugin(text))
    return Error(ErrorCode::invalid_argument, "It is not a plugin that `snap init` wrote. Rename it.");
  std::string plugin(hook_assets::opencode_plugin_js);
  replace_all(plugin, program_placeholder, json::quoted(program));
  return plugin;
}

}  // namespace

Result<std::vector<std::string>> hook_programs(std::string_view text, const HostForm& host) {
  if (host.hooks.layout == HookLayout::plugin) return program_of_plugin(text);
  const std::vector<OurItem> items = TRY(our_items(text, host));
  std::vector<std::string> programs;
  for (const OurItem& item : items) {
    std::string program = *program_of_command(item.command);
    if (std::ranges::find(programs, program) == programs.end()) programs.push_back(std::move(program));
  }
  return programs;
}

Result<std::string> with_our_hooks(std::string_view text, const HostForm& host, const std::string& program) {
  const HookForm& hooks = host.hooks;
  if (hooks.layout == HookLayout::plugin) return with_our_plugin(text, program);
  const std::string command = hook_command(host, program);
  const std::vector<OurItem> items = TRY(our_items(text, host));
  const auto is_there = [&](const HookEvent& event) {
    return std::ranges::any_of(
        items, [&](const OurItem& item) { return item.event == event.name && item.command == command; });
  };
  if (items.size() == hooks.events.size() && std::ranges::all_of(hooks.events, is_there))
    return std::string(text);
  std::string out = TRY(without_our_hooks(text, host));
  if (hooks.layout == HookLayout::list) out = TRY(with_version(out, host));
  for (const HookEvent& event : hooks.events)
    out = TRY(with_item(out, path_of(event.name), item_json(host, command), comments_in_hooks(host)));
  return out;
}

Result<std::string> without_our_hooks(std::string_view text, const HostForm& host) {
  if (host.hooks.layout == HookLayout::plugin) return std::string(is_our_plugin(text) ? "" : text);
  std::string out(text);
  std::vector<OurItem> items = TRY(our_items(out, host));
  while (!items.empty()) {
    const OurItem& item = items.front();
    const std::array<std::string, 2> path = path_of(item.event);
    out = TRY(item.list_size == 1 ? without_member(out, path, comments_in_hooks(host))
                                  : without_item(out, path, item.index, comments_in_hooks(host)));
    items = TRY(our_items(out, host));
  }
  return out;
}

}  // namespace snapgen::tools
