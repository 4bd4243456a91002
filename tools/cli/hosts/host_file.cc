#include "tools/cli/hosts/host_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/ascii.h"
#include "runtime/base/environment.h"
#include "runtime/json/tree.h"
#include "runtime/json/writer.h"
#include "tools/cli/hosts/toml_servers.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {
namespace {

constexpr std::uint64_t file_bytes_max = 16 << 20;
constexpr std::string_view server_program = "snapgen-server";
// The begin of the names of files in the home folder.
constexpr std::string_view in_home = "~/";

// Returns whether the program is the command line. Under any other name it is the server.
bool is_command_line(std::string_view program) {
  return core::base_name(program) == "snap" || core::base_name(program) == "snapback";
}

Comments comments_of(const HostForm& form) {
  return form.format == FileFormat::jsonc ? Comments::allowed : Comments::refused;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  const auto is_it = [&](const std::string& each) {
    return each == word || (each.starts_with(word) && each.size() > word.size() && each[word.size()] == '=');
  };
  return std::any_of(words.begin(), words.end(), is_it);
}

Error wrong_entry(std::string_view where, std::string_view what) {
  return Error(ErrorCode::invalid_argument, std::string(where) + " " + std::string(what) + ".");
}

Result<std::vector<std::string>> strings_of(json::Value array, const std::string& where) {
  std::vector<std::string> words;
  for (json::Value word = array.first_child(); word.exists(); word = word.next_sibling()) {
    if (word.kind() != json::Kind::string) return wrong_entry(where, "has an argument that is not a string");
    words.emplace_back(word.text());
  }
  return words;
}

Result<HostServer> server_of(json::Value entry) {
  HostServer server{.name = std::string(entry.key())};
  const std::string where = "The entry " + json::quoted(server.name);
  if (entry.kind() != json::Kind::object) return wrong_entry(where, "is not an object");
  for (json::Value each = entry.first_child(); each.exists(); each = each.next_sibling()) {
    if (each.key() == "command" && each.kind() == json::Kind::array) {
      std::vector<std::string> words = TRY(strings_of(each, where));
      if (words.empty()) return wrong_entry(where, "has an empty command");
      server.command = words.front();
      server.args.assign(words.begin() + 1, words.end());
    } else if (each.key() == "command") {
      if (each.kind() != json::Kind::string) return wrong_entry(where, "has a command that is not a string");
      server.command = each.text();
    } else if (each.key() == "args") {
      if (each.kind() != json::Kind::array) return wrong_entry(where, "has args that are not an array");
      server.args = TRY(strings_of(each, where));
    } else if ((each.key() == "env" || each.key() == "environment") && each.kind() == json::Kind::object) {
      for (json::Value one = each.first_child(); one.exists(); one = one.next_sibling())
        if (one.kind() == json::Kind::string)
          server.environment.push_back(std::string(one.key()) + "=" + std::string(one.text()));
    } else if (each.key() == "disabled" && each.kind() == json::Kind::boolean) {
      server.is_disabled = each.boolean();
    } else if (each.key() == "enabled" && each.kind() == json::Kind::boolean) {
      server.is_disabled = !each.boolean();
    }
  }
  return server;
}

// Adds the servers in the member of `object` with this name.
Result<Unit> add_servers(json::Value object, std::string_view member, std::vector<HostServer>& found) {
  const json::Value servers = object.find(member);
  if (!servers.exists()) return Unit{};
  if (servers.kind() != json::Kind::object) return wrong_entry(json::quoted(member), "is not an object");
  for (json::Value each = servers.first_child(); each.exists(); each = each.next_sibling()) {
    HostServer server = TRY(server_of(each));
    found.push_back(std::move(server));
  }
  return Unit{};
}

// Returns the members of our entry in order: names, and values on one line.
std::vector<std::pair<std::string, std::string>> members_of(const HostForm& form, const OurEntry& entry) {
  std::vector<std::pair<std::string, std::string>> members;
  if (!form.type.empty()) members.emplace_back("type", json::quoted(form.type));
  if (form.command == CommandForm::one_list) {
    std::vector<std::string> words = {entry.command};
    words.insert(words.end(), entry.args.begin(), entry.args.end());
    members.emplace_back("command", list_on_one_line(words));
    return members;
  }
  members.emplace_back("command", json::quoted(entry.command));
  members.emplace_back("args", list_on_one_line(entry.args));
  return members;
}

// Returns the arguments with this value of an option, which replaces another one or is appended.
std::vector<std::string> with_option(std::vector<std::string> args, std::string_view flag,
                                     const std::string& value) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool is_apart = args[i] == flag && i + 1 < args.size();
    if (is_apart) args[i + 1] = value;
    if (!is_apart && args[i].starts_with(flag) && args[i].substr(flag.size()).starts_with("="))
      args[i] = std::string(flag) + "=" + value;
    else if (!is_apart)
      continue;
    return args;
  }
  args.emplace_back(flag);
  args.push_back(value);
  return args;
}

// Returns the name for a new entry: the usual one, or one with the workspace's name if the file has an entry
// of the usual name for another workspace.
std::string new_name(const std::vector<HostServer>& servers, const std::string& workspace) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(servers, name, &HostServer::name) != servers.end();
  };
  std::string name(entry_name);
  if (!is_taken(name)) return name;
  name += "-";
  for (const char c : core::base_name(workspace)) name += is_alphanumeric(c) ? c : '-';
  const std::string first = name;
  for (int number = 2; is_taken(name); ++number) name = first + "-" + std::to_string(number);
  return name;
}

Error cannot_be(const std::string& file, std::string_view done, int number) {
  return Error(ErrorCode::unavailable,
               file + " cannot be " + std::string(done) + ": " + std::strerror(number) + ".");
}

// The folder in which a host's file has to be, and the file's path below it.
struct FileLocation {
  std::string root;
  std::string path;
  std::string_view root_name;  // The folder in sentences.
};

Result<FileLocation> locate(const std::string& workspace, const std::string& file) {
  if (!file.starts_with(in_home)) return FileLocation{workspace, file, "the workspace"};
  std::string home = environment_variable("HOME").value_or("");
  if (!home.starts_with('/'))
    return Error(ErrorCode::unavailable, file + " cannot be found: HOME does not name a folder.");
  return FileLocation{std::move(home), file.substr(in_home.size()), "the home folder"};
}

// Resolves symlinks in `path`, which belongs to the host's file with the name `file`. Errors:
// permission_denied (it is outside of the file's root); unavailable.
Result<std::filesystem::path> path_in_root(const FileLocation& location, std::filesystem::path path,
                                           const std::string& file) {
  std::error_code error;
  const std::filesystem::path root = std::filesystem::canonical(location.root, error);
  if (!error) path = std::filesystem::weakly_canonical(path, error);
  if (error) return cannot_be(file, "found", error.value());
  const std::filesystem::path inside = path.lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..")
    return Error(ErrorCode::permission_denied, file + " leads out of " + std::string(location.root_name) +
                                                   ", to " + core::path_in_sentence(path.string()) +
                                                   ". Replace the symlink by a file or folder in " +
                                                   std::string(location.root_name) + ".");
  return path;
}

}  // namespace

std::string host_file(Host host, const std::string& workspace) {
  const HostForm& form = form_of(host);
  if (form.files.empty()) return std::string(in_home) + std::string(form.user_files.front());
  std::string there;
  for (const std::string_view file : form.files) {
    Result<std::string> text = read_host_file(workspace + "/" + std::string(file));
    if (!text) continue;
    if (there.empty()) there = file;
    Result<std::vector<HostServer>> servers = servers_of(*text, host);
    if (servers && std::any_of(servers->begin(), servers->end(), &is_our_entry)) return std::string(file);
  }
  return there.empty() ? std::string(form.files.front()) : there;
}

Result<std::vector<HostServer>> servers_of(std::string_view text, Host host, const std::string& workspace) {
  const HostForm& form = form_of(host);
  if (form.format == FileFormat::toml) return toml_servers(text, form.servers);
  std::string json = TRY(checked_json(text, comments_of(form)));
  const json::Tree tree(json);
  if (tree.root().kind() != json::Kind::object) return wrong_entry("The file", "is not a JSON object");
  std::vector<HostServer> found;
  TRY(add_servers(tree.root(), form.servers, found));
  if (form.by_workspace.empty() || workspace.empty()) return found;
  const json::Value workspaces = tree.root().find(form.by_workspace);
  if (!workspaces.exists() || workspaces.kind() != json::Kind::object) return found;
  const json::Value own = workspaces.find(workspace);
  if (!own.exists() || own.kind() != json::Kind::object) return found;
  TRY(add_servers(own, form.servers, found));
  return found;
}

bool is_our_entry(const HostServer& server) {
  if (server.command.empty()) return false;
  return server.name == entry_name || is_command_line(server.command) ||
         core::base_name(server.command).starts_with(server_program);
}

std::string workspace_of(const HostServer& server) {
  constexpr std::string_view variable = "SNAPBACK_WORKSPACE_ROOT=";
  const std::string named = option_value(server.args, "--workspace");
  if (!named.empty()) return named;
  for (const std::string& each : server.environment)
    if (each.starts_with(variable)) return each.substr(variable.size());
  return {};
}

std::vector<HostServer>::const_iterator find_our_entry(const std::vector<HostServer>& servers, Host host,
                                                       const std::string& workspace) {
  const bool is_of_all_workspaces = form_of(host).files.empty();
  return std::ranges::find_if(servers, [&](const HostServer& each) {
    const std::string named = workspace_of(each);
    return is_our_entry(each) && (!is_of_all_workspaces || named.empty() || named == workspace);
  });
}

std::string wrong_arguments_sentence(const HostServer& server) {
  if (is_command_line(server.command) && (server.args.empty() || server.args.front() != "mcp"))
    return "Its first argument has to be \"mcp\".";
  if (!has(server.args, "--stdio")) return "Its arguments lack \"--stdio\", the transport of hosts.";
  return {};
}

std::string option_value(const std::vector<std::string>& args, std::string_view flag) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == flag && i + 1 < args.size()) return args[i + 1];
    if (args[i].starts_with(flag) && args[i].substr(flag.size()).starts_with("="))
      return args[i].substr(flag.size() + 1);
  }
  return {};
}

OurEntry entry_for(Host host, const std::string& program, const std::string& workspace,
                   const std::string& profile) {
  OurEntry entry{.command = program, .args = {}};
  if (is_command_line(program)) entry.args.emplace_back("mcp");
  entry.args.emplace_back("--stdio");
  if (!profile.empty()) entry.args = with_option(std::move(entry.args), "--profile", profile);
  const HostForm& form = form_of(host);
  const std::string folder = form.needs_workspace ? workspace : std::string(form.folder_variable);
  if (!folder.empty()) entry.args = with_option(std::move(entry.args), "--workspace", folder);
  return entry;
}

Result<std::string> with_our_entry(std::string_view text, Host host, const EntryChange& change) {
  const HostForm& form = form_of(host);
  std::string name(entry_name);
  OurEntry entry = change.entry;
  if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    std::vector<HostServer> servers = TRY(servers_of(text, host));
    const auto ours = find_our_entry(servers, host, change.workspace);
    if (ours != servers.end()) {
      name = ours->name;
      // If the existing entry starts this program correctly, its other arguments remain.
      if (ours->command == entry.command && wrong_arguments_sentence(*ours).empty()) {
        const std::string profile = option_value(entry.args, "--profile");
        entry.args = ours->args;
        if (change.sets_profile) entry.args = with_option(std::move(entry.args), "--profile", profile);
        if (form.needs_workspace && workspace_of(*ours) != change.workspace)
          entry.args = with_option(std::move(entry.args), "--workspace", change.workspace);
        if (entry.args == ours->args && form.format != FileFormat::toml) return std::string(text);
      }
    } else if (form.files.empty()) {
      name = new_name(servers, change.workspace);
    }
  }
  if (form.format == FileFormat::toml)
    return with_toml_server(text, form.servers, name, entry, change.approved_tools);
  std::string out(text);
  for (const auto& [member, value] : members_of(form, entry)) {
    const std::array<std::string, 3> path = {std::string(form.servers), name, member};
    out = TRY(with_member(out, path, value, comments_of(form)));
  }
  return out;
}

Result<std::string> without_our_entry(std::string_view text, Host host, const std::string& workspace) {
  const HostForm& form = form_of(host);
  std::string out(text);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return out;
  std::vector<HostServer> servers = TRY(servers_of(text, host));
  for (auto ours = find_our_entry(servers, host, workspace); ours != servers.end();
       ours = find_our_entry(servers, host, workspace)) {
    const std::array<std::string, 2> path = {std::string(form.servers), ours->name};
    out = TRY(form.format == FileFormat::toml ? without_toml_server(out, form.servers, ours->name)
                                              : without_member(out, path, comments_of(form)));
    servers.erase(ours);
  }
  return out;
}

Result<std::string> path_of_host_file(const std::string& workspace, const std::string& file) {
  const FileLocation location = TRY(locate(workspace, file));
  return location.root + "/" + location.path;
}

Result<std::string> read_host_file(const std::string& path) {
  return core::read_whole_file(path, file_bytes_max, core::SymlinkPolicy::followed);
}

Result<std::string> read_host_file(const std::string& workspace, const std::string& file) {
  const std::string path = TRY(path_of_host_file(workspace, file));
  return read_host_file(path);
}

Result<Unit> write_host_file(const std::string& workspace, const std::string& file, std::string_view text) {
  constexpr ::mode_t usual_mode = 0644;
  const FileLocation location = TRY(locate(workspace, file));
  const std::filesystem::path path = TRY(path_in_root(location, location.root + "/" + location.path, file));
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) return cannot_be(file, "made", error.value());
  struct ::stat st{};
  const ::mode_t mode = ::stat(path.c_str(), &st) == 0 ? st.st_mode & 07777 : usual_mode;
  TRY(core::replace_file(path.parent_path().string(), path.filename().string(), text,
                         core::Durability::machine_crash));
  if (::chmod(path.c_str(), mode) != 0) return cannot_be(file, "given its permissions", errno);
  return Unit{};
}

Result<Unit> remove_host_file(const std::string& workspace, const std::string& file, std::int64_t folders) {
  const FileLocation location = TRY(locate(workspace, file));
  const std::filesystem::path named = location.root + "/" + location.path;
  std::filesystem::path folder = TRY(path_in_root(location, named.parent_path(), file));
  const std::filesystem::path root = TRY(path_in_root(location, location.root, file));
  if (::unlink((folder / named.filename()).c_str()) != 0 && errno != ENOENT)
    return cannot_be(file, "removed", errno);
  // rmdir() deletes a folder only if it is empty.
  for (; folders > 0 && folder != root && ::rmdir(folder.c_str()) == 0; --folders)
    folder = folder.parent_path();
  return Unit{};
}

std::string entry_to_paste(Host host, const OurEntry& entry) {
  const HostForm& form = form_of(host);
  const std::string name(entry_name);
  if (form.format == FileFormat::toml) {
    Result<std::string> tables = with_toml_server("", form.servers, name, entry, {});
    return tables ? *std::move(tables) : std::string();
  }
  std::string text = "{\n  " + json::quoted(form.servers) + ": {\n    " + json::quoted(name) + ": {";
  std::string_view between = "\n";
  for (const auto& [member, value] : members_of(form, entry)) {
    text.append(between).append("      ").append(json::quoted(member)).append(": ").append(value);
    between = ",\n";
  }
  return text + "\n    }\n  }\n}\n";
}

}  // namespace snapgen::tools
