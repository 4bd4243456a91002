#include "tools/cli/host_health.h"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "runtime/base/environment.h"
#include "tools/cli/found_hosts.h"
#include "tools/cli/hosts/hook_file.h"
#include "tools/cli/hosts/host_changes.h"
#include "tools/cli/hosts/host_file.h"
#include "tools/cli/hosts/own_program.h"
#include "tools/cli/hosts/start_probe.h"
#include "tools/engine/files/path.h"
#include "tools/insight/check/programs.h"

namespace snapgen::tools {
namespace {

bool is_folder(const std::string& path) {
  struct ::stat st{};
  return ::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

// Replaces ${workspaceFolder} by the workspace's folder, as a host does.
std::string with_workspace(std::string text, const std::string& workspace) {
  constexpr std::string_view name = "${workspaceFolder}";
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + workspace.size()))
    text.replace(at, name.size(), workspace);
  return text;
}

class HostHealth {
 public:
  HostHealth(DoctorResults& findings, const std::optional<std::string>& workspace, bool starts_all)
      : findings_(findings), workspace_(workspace), starts_all_(starts_all), program_(own_program_path()) {}

  void run() {
    const std::string home = environment_variable("HOME").value_or("");
    bool is_named = false;
    for (const auto& [form, traits] : all_hosts()) {
      if (workspace_ && !form.files.empty()) {
        const std::string file = host_file(form.host, *workspace_);
        is_named |= check_file(form, {.path = *workspace_ + "/" + file, .shown = file, .is_project = true});
        check_hooks(form, file);
      }
      for (const std::string_view each : form.user_files) {
        const std::string file(each);
        if (!home.empty())
          is_named |=
              check_file(form, {.path = home + "/" + file, .shown = "~/" + file, .is_project = false});
      }
    }
    if (workspace_ && !is_named)
      findings_.warning("hosts", "No host's file here names this server.",
                        "snap init --host HOST, with one of: " + names_of_hosts() + ".");
    // If no host's entry started this program, starts it directly.
    if (started_.empty() && !program_.empty())
      start("this program",
            {.name = {}, .command = program_, .args = entry_for(Host::claude, program_).args});
  }

 private:
  struct HostFile {
    std::string path;
    std::string shown;        // The path as sentences show it.
    bool is_project = false;  // True if it is below the workspace, false if it is below the home folder.
  };

  // Returns whether the file has an entry for this workspace. Reports a file in the home folder only if it
  // has one, or problems.
  bool check_file(const HostForm& form, const HostFile& file) {
    const std::string title(form.title);
    Result<std::string> text = read_host_file(file.path);
    if (!text && text.error().code == ErrorCode::not_found) {
      if (file.is_project || form.files.empty())
        findings_.ok("hosts", title + ": there is no " + core::path_in_sentence(file.shown) + ".");
      return false;
    }
    if (!text) {
      findings_.error("hosts", title + ": " + core::path_in_sentence(file.path) + " cannot be read.",
                      "chmod u+r " + file.path);
      return false;
    }
    Result<std::vector<HostServer>> servers = servers_of(*text, form.host, workspace_.value_or(""));
    if (!servers) {
      findings_.error("hosts",
                      title + ": " + core::path_in_sentence(file.path) + ": " + servers.error().message,
                      "Correct the file; no server of it starts.");
      return false;
    }
    const bool is_named = find_our_entry(*servers, form.host, workspace_.value_or("")) != servers->cend();
    bool names_us = false;
    for (HostServer& each : *servers) {
      if (!is_our_entry(each)) continue;
      names_us = true;
      check_file(form, file, std::move(each));
    }
    if (!names_us && (file.is_project || form.files.empty()))
      findings_.ok("hosts", title + ": " + core::path_in_sentence(file.shown) + " names other servers only.");
    return is_named;
  }

  void check_file(const HostForm& form, const HostFile& file, HostServer server) {
    const std::string& path = file.path;
    const std::string where = std::string(form.title) + ", " + core::path_in_sentence(server.name);
    if (server.is_disabled) return findings_.ok("hosts", where + ": it is disabled.");
    const std::string program = found(server.command);
    if (program.empty())
      return repairable(form, file,
                        where + ": there is no program " + core::path_in_sentence(server.command) + ".");
    const std::string wrong = wrong_arguments_sentence(server);
    if (!wrong.empty()) return repairable(form, file, where + ": " + wrong);
    const std::string folder =
        with_workspace(option_value(server.args, "--workspace"), workspace_.value_or("."));
    if (!folder.empty() && !is_folder(folder))
      return findings_.error(
          "hosts",
          where + ": --workspace names " + core::path_in_sentence(folder) + ", which is not a folder.",
          "Correct it in " + path + ".");
    const bool is_of_init = file.is_project || form.files.empty();
    if (is_of_init && form.needs_workspace && workspace_of(server).empty())
      return repairable(
          form, file,
          where + ": no workspace is named, and this host does not start servers in a repository.");
    if (server.command.find('/') == std::string::npos)
      findings_.warning("hosts",
                        where + ": " + core::path_in_sentence(server.command) + " is found by PATH, at " +
                            core::path_in_sentence(program) +
                            "; a host that was not started by a shell may have another PATH.",
                        "Name the program by its whole path in " + path + ".");
    else
      findings_.ok("hosts", where + ": it starts " + core::path_in_sentence(program) + ".");
    server.command = program;
    for (std::string& each : server.args) each = with_workspace(each, workspace_.value_or("."));
    if (starts_all_ || is_same_file(program, program_))
      start(where, std::move(server));
    else
      findings_.ok("start",
                   where + ": not started, because it is another program; snap doctor --start starts it.");
  }

  // Reports which program the host's hooks start. `server_file` is the file with the servers, whose text was
  // checked.
  void check_hooks(const HostForm& form, const std::string& server_file) {
    const std::string file(form.hooks.file);
    if (file.empty()) return;
    const Result<std::string> text = read_host_file(*workspace_ + "/" + file);
    if (!text) return;
    const std::string where = std::string(form.title) + ", hooks in " + core::path_in_sentence(file) + ": ";
    const Result<std::vector<std::string>> programs = hook_programs(*text, form);
    if (!programs && file != server_file)
      findings_.error("hosts", where + programs.error().message, "Correct the file; no hook of it runs.");
    if (!programs) return;
    const std::string advice = "snap init --host " + std::string(form.name) + " --hooks";
    for (const std::string& program : *programs) {
      const std::string shown = core::path_in_sentence(program);
      if (found(program).empty())
        findings_.error("hosts", where + "there is no program " + shown + ".", advice);
      else if (!is_same_file(found(program), program_))
        findings_.warning("hosts", where + "they start another program, " + shown + ".", advice);
      else
        findings_.ok("hosts", where + "they start " + shown + ".");
    }
  }

  static std::string found(const std::string& command) {
    if (command.find('/') == std::string::npos)
      return core::find_in_path(environment_variable("PATH").value_or(""), command).value_or("");
    return core::is_program(command) ? command : "";
  }

  // Reports a problem that `snap init` or `snap doctor --fix` can correct.
  void repairable(const HostForm& form, const HostFile& host_file, std::string text) {
    const std::string name(form.name);
    Finding finding{Health::error, "hosts", std::move(text), "snap init --host " + name};
    if (!host_file.is_project) {
      finding.advice = "Correct " + host_file.path + ": the program is " + program_ + ", its arguments are " +
                       "mcp --stdio" + (form.needs_workspace ? " --workspace and a folder." : ".");
    } else if (!program_.empty()) {
      finding.advice += ", or snap doctor --fix";
      finding.fix = [host = form.host, file = host_file.shown, workspace = *workspace_,
                     program = program_]() -> Result<std::string> {
        std::string before = TRY(read_host_file(workspace + "/" + file));
        std::string base = TRY(without_our_entry(before, host, workspace));
        std::string after = TRY(with_our_entry(
            before, host, {.entry = entry_for(host, program, workspace), .workspace = workspace}));
        TRY(change_host_file(workspace, file, before, base, after));
        return core::path_in_sentence(file) + " names " + core::path_in_sentence(program) + " now.";
      };
    }
    findings_.add(std::move(finding));
  }

  // Starts the server of an entry. The same command line is started only once.
  void start(const std::string& where, HostServer server) {
    std::string key = server.command;
    for (const std::string& each : server.args) key += '\0' + each;
    if (!started_.insert(key).second) return;
    std::vector<std::string> command = {server.command};
    command.insert(command.end(), server.args.begin(), server.args.end());
    Result<StartedServer> answered = probe_server({.command = std::move(command),
                                                   .environment = std::move(server.environment),
                                                   .folder = workspace_.value_or("/")});
    if (answered)
      return findings_.ok("start", where + ": " +
                                       core::path_in_sentence(answered->name + " " + answered->version) +
                                       " answered within " + std::to_string(answered->took_ms) + " ms.");
    findings_.error("start", where + ": " + answered.error().message,
                    "Start it in a terminal and read its output: " + server.command);
  }

  DoctorResults& findings_;
  const std::optional<std::string>& workspace_;
  const bool starts_all_;
  const std::string program_;
  std::set<std::string> started_;
};

}  // namespace

void check_hosts(DoctorResults& findings, const std::optional<std::string>& workspace, bool starts_all) {
  HostHealth(findings, workspace, starts_all).run();
}

}  // namespace snapgen::tools
