#include "tools/cli/hosts/host_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>

#include "runtime/json/tree.h"
#include "runtime/json/writer.h"
#include "tools/core/store/durable.h"

namespace snapgen::tools {
namespace {

constexpr std::array<HostForm, 4> forms = {{
    {Host::claude, "claude", "Claude Code", ".mcp.json", "mcpServers", Comments::refused, false, ""},
    {Host::cursor, "cursor", "Cursor", ".cursor/mcp.json", "mcpServers", Comments::refused, false,
     "${workspaceFolder}"},
    {Host::vscode, "vscode", "VS Code", ".vscode/mcp.json", "servers", Comments::allowed, false,
     "${workspaceFolder}"},
    {Host::desktop, "desktop", "Claude Desktop",
#ifdef __APPLE__
     "Library/Application Support/Claude/claude_desktop_config.json",
#else
     ".config/Claude/claude_desktop_config.json",
#endif
     "mcpServers", Comments::refused, true, ""},
}};

constexpr std::uint64_t file_bytes_max = 16 << 20;

constexpr std::array<std::string_view, 3> our_names = {"snap", "snapback", "snapgen-server"};

std::string_view base_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool has(const std::vector<std::string>& words, std::string_view word) {
  const auto is_it = [&](const std::string& each) {
    return each == word || (each.starts_with(word) && each.size() > word.size() && each[word.size()] == '=');
  };
  return std::any_of(words.begin(), words.end(), is_it);
}

Error wrong(std::string_view where, std::string_view what) {
  return Error(ErrorCode::invalid_argument, std::string(where) + " " + std::string(what) + ".");
}

Result<HostServer> server_of(json::Value entry) {
  HostServer server{.name = std::string(entry.key())};
  const std::string where = "The entry " + json::quoted(server.name);
  if (entry.kind() != json::Kind::object) return wrong(where, "is no object");
  for (json::Value each = entry.first(); each.there(); each = each.next()) {
    if (each.key() == "command") {
      if (each.kind() != json::Kind::string) return wrong(where, "has a command that is no string");
      server.command = each.text();
    } else if (each.key() == "args") {
      if (each.kind() != json::Kind::array) return wrong(where, "has args that are no array");
      for (json::Value word = each.first(); word.there(); word = word.next()) {
        if (word.kind() != json::Kind::string) return wrong(where, "has an argument that is no string");
        server.args.emplace_back(word.text());
      }
    } else if (each.key() == "env" && each.kind() == json::Kind::object) {
      for (json::Value one = each.first(); one.there(); one = one.next())
        if (one.kind() == json::Kind::string)
          server.environment.push_back(std::string(one.key()) + "=" + std::string(one.text()));
    } else if (each.key() == "disabled" && each.kind() == json::Kind::boolean) {
      server.is_disabled = each.boolean();
    }
  }
  return server;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& each : words) out += (out.empty() ? "" : ", ") + json::quoted(each);
  return "[" + out + "]";
}

// The members of our entry, in their order: a name, and a value in one line.
std::vector<std::pair<std::string, std::string>> members_of(Host host, const OurEntry& entry) {
  std::vector<std::pair<std::string, std::string>> members;
  if (host == Host::vscode) members.emplace_back("type", "\"stdio\"");
  members.emplace_back("command", json::quoted(entry.command));
  members.emplace_back("args", list_of(entry.args));
  return members;
}

}  // namespace

const HostForm& form_of(Host host) { return forms[static_cast<std::size_t>(host)]; }

std::optional<Host> host_named(std::string_view name) {
  for (const HostForm& each : forms)
    if (each.name == name) return each.host;
  return std::nullopt;
}

std::string path_of(Host host, const std::string& workspace, const std::string& home) {
  const HostForm& form = form_of(host);
  return (form.in_home ? home : workspace) + "/" + std::string(form.file);
}

Result<std::vector<HostServer>> servers_of(std::string_view text, Host host) {
  const HostForm& form = form_of(host);
  Result<std::string> json = checked_json(text, form.comments);
  if (!json) return std::move(json).error();
  const json::Tree tree(*json);
  if (tree.root().kind() != json::Kind::object) return wrong("The file", "is no JSON object");
  std::vector<HostServer> found;
  const json::Value servers = tree.root().find(form.servers);
  if (!servers.there()) return found;
  if (servers.kind() != json::Kind::object) return wrong(json::quoted(form.servers), "is no object");
  for (json::Value each = servers.first(); each.there(); each = each.next()) {
    Result<HostServer> server = server_of(each);
    if (!server) return std::move(server).error();
    found.push_back(*std::move(server));
  }
  return found;
}

bool is_ours(const HostServer& server) {
  return std::find(our_names.begin(), our_names.end(), base_of(server.command)) != our_names.end();
}

std::string wrong_arguments(const HostServer& server) {
  const bool is_command_line = base_of(server.command) != "snapgen-server";
  if (is_command_line && (server.args.empty() || server.args.front() != "mcp"))
    return "Its first argument has to be \"mcp\".";
  if (!has(server.args, "--stdio")) return "Its arguments lack \"--stdio\", by which hosts speak to it.";
  return {};
}

OurEntry entry_for(Host host, const std::string& program) {
  OurEntry entry{.command = program, .args = {}};
  if (base_of(program) != "snapgen-server") entry.args.emplace_back("mcp");
  entry.args.emplace_back("--stdio");
  const std::string_view folder = form_of(host).folder_variable;
  if (!folder.empty()) {
    entry.args.emplace_back("--workspace");
    entry.args.emplace_back(folder);
  }
  return entry;
}

Result<std::string> with_our_entry(std::string_view text, Host host, const OurEntry& entry) {
  const HostForm& form = form_of(host);
  std::string name(entry_name);
  if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    Result<std::vector<HostServer>> servers = servers_of(text, host);
    if (!servers) return std::move(servers).error();
    const auto ours = std::find_if(servers->begin(), servers->end(), is_ours);
    if (ours != servers->end()) name = ours->name;
    // What it does already may go on, with other flags besides.
    const bool is_right =
        ours != servers->end() && ours->command == entry.command && wrong_arguments(*ours).empty();
    if (is_right) return std::string(text);
  }
  std::string out(text);
  for (const auto& [member, value] : members_of(host, entry)) {
    const std::array<std::string, 3> path = {std::string(form.servers), name, member};
    Result<std::string> changed = with_member(out, path, value, form.comments);
    if (!changed) return changed;
    out = *std::move(changed);
  }
  return out;
}

Result<std::string> read_host_file(const std::string& path) {
  return core::read_whole(path, file_bytes_max, core::Links::followed);
}

Result<Unit> write_host_file(Host host, const std::string& workspace, std::string_view text) {
  namespace fs = std::filesystem;
  constexpr ::mode_t usual_mode = 0644, usual_folder_mode = 0755;
  const HostForm& form = form_of(host);
  if (form.in_home)
    return Error(ErrorCode::invalid_argument, std::string(form.title) + " has its file in the home.");
  const auto failed = [&](std::string_view doing, int number) {
    return Error(ErrorCode::unavailable, std::string(form.file) + " cannot be " + std::string(doing) + ": " +
                                             std::strerror(number) + ".");
  };
  fs::path path = path_of(host, workspace, {});
  const std::string folder = path.parent_path().string();
  if (::mkdir(folder.c_str(), usual_folder_mode) != 0 && errno != EEXIST) return failed("made", errno);
  std::error_code error;
  const fs::path root = fs::canonical(workspace, error);
  if (!error) path = fs::weakly_canonical(path, error);
  if (error) return failed("found", error.value());
  const fs::path inside = path.lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..")
    return Error(ErrorCode::permission_denied, std::string(form.file) + " leads out of the workspace.");
  struct ::stat st{};
  const ::mode_t mode = ::stat(path.c_str(), &st) == 0 ? st.st_mode & 07777 : usual_mode;
  Result<Unit> written = core::replace_file(path.parent_path().string(), path.filename().string(), text,
                                            core::Durability::machine);
  if (!written) return written;
  if (::chmod(path.c_str(), mode) != 0) return failed("given its permissions", errno);
  return Unit{};
}

std::string pasted(Host host, const OurEntry& entry) {
  std::string text =
      "{\n  " + json::quoted(form_of(host).servers) + ": {\n    " + json::quoted(entry_name) + ": {";
  std::string_view between = "\n";
  for (const auto& [member, value] : members_of(host, entry)) {
    text.append(between).append("      ").append(json::quoted(member)).append(": ").append(value);
    between = ",\n";
  }
  return text + "\n    }\n  }\n}\n";
}

}  // namespace snapgen::tools
