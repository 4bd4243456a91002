#include "tools/cli/found_hosts.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "runtime/base/environment.h"
#include "tools/cli/hosts/host_file.h"
#include "tools/insight/check/programs.h"

namespace snapgen::tools {
namespace {

bool is_folder_in(const std::string& folder, std::string_view name) {
  std::error_code error;
  return !folder.empty() && !name.empty() &&
         std::filesystem::is_directory(folder + "/" + std::string(name), error);
}

bool has_entry(Host host, const std::string& workspace, const std::string& file) {
  const Result<std::string> text = read_host_file(workspace, file);
  const Result<std::vector<HostServer>> servers = servers_of(text ? *text : "", host);
  return text && servers && find_our_entry(*servers, host, workspace) != servers->end();
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(" \t,"), line.size());
    if (end > 0) words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

}  // namespace

std::vector<FoundHost> found_hosts(const std::string& workspace) {
  const std::string home = environment_variable("HOME").value_or("");
  const std::string path = environment_variable("PATH").value_or("");
  const auto is_there = [&](const HostForm& form) {
    return is_folder_in(workspace, form.folder) || is_folder_in(home, form.folder) ||
           is_folder_in(home, form.user_folder) || core::find_in_path(path, form.program);
  };
  std::vector<FoundHost> found;
  for (const auto& [form, traits] : all_hosts()) {
    if (!is_there(form)) continue;
    std::string file = host_file(form.host, workspace);
    const bool has_server = has_entry(form.host, workspace, file);
    found.push_back({.form = form, .file = std::move(file), .has_server = has_server});
  }
  return found;
}

std::string list_of_found(const Invocation& invocation, const std::vector<FoundHost>& found) {
  constexpr std::size_t indent = 2;
  AlignedRows rows;
  for (const FoundHost& each : found)
    rows.add({{.text = std::string(each.form.name), .colour = Colour::bold},
              {.text = std::string(each.form.title)},
              {.text = each.file},
              {.text = each.has_server ? "has the server" : ""}});
  return rows.text(invocation.out, indent);
}

std::string names_of_hosts() {
  std::string names;
  for (const auto& [form, traits] : all_hosts())
    names += (names.empty() ? "" : ", ") + std::string(form.name);
  return names;
}

Result<std::vector<std::string>> ask_for_hosts(const Invocation& invocation,
                                               const std::vector<FoundHost>& found) {
  TRY(invocation.out.print("Found these AI hosts:\n" + list_of_found(invocation, found)));
  while (true) {
    const std::optional<std::string> line =
        ask_line(invocation, "To which of them shall the server be added? Names, all or none [all]:");
    if (!line) return std::vector<std::string>();
    std::vector<std::string> names = words_of(*line);
    if (names.empty() || (names.size() == 1 && names.front() == "all")) {
      names.clear();
      for (const FoundHost& each : found) names.emplace_back(each.form.name);
      return names;
    }
    if (names.size() == 1 && names.front() == "none") return std::vector<std::string>();
    const auto unknown =
        std::ranges::find_if(names, [](const std::string& name) { return !host_named(name); });
    if (unknown == names.end()) return names;
    TRY(invocation.error_output.print("There is no host " + printable(*unknown) +
                                      "; the hosts are: " + names_of_hosts() + ".\n"));
  }
}

}  // namespace snapgen::tools
