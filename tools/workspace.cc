#include "tools/workspace.h"

#include <climits>
#include <cstdlib>

#include <sys/stat.h>
#include <unistd.h>

#include "runtime/json/writer.h"
#include "tools/core/encoding.h"
#include "tools/core/path/path.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view what_to_do =
    "Name a folder that holds .git, .snapback or package.json with --workspace DIR or "
    "SNAPBACK_WORKSPACE_ROOT.";

bool is_folder(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

bool exists(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0;
}

bool is_workspace(const std::string& folder) {
  return exists(folder + "/.git") || is_folder(folder + "/.snapback") || exists(folder + "/package.json");
}

Result<std::string> named_workspace(const std::string& folder, std::string_view by) {
  char real[PATH_MAX];
  std::string why;
  if (::realpath(folder.c_str(), real) == nullptr || !is_folder(real)) {
    why = " is not a folder";
  } else if (!is_workspace(real)) {
    why = " holds neither .git nor .snapback nor package.json";
  } else {
    return std::string(real);
  }
  std::string details = "{\"workspace\":";
  json::Writer(details).string(core::text_of_bytes(folder));
  return Error(ErrorCode::not_found,
               "There is no workspace: " + core::path_in_sentence(folder) + " (from " + std::string(by) +
                   ")" + why + ". " + std::string(what_to_do),
               details + "}");
}

}  // namespace

WorkspaceRequest WorkspaceRequest::of_process(std::optional<std::string> argument) {
  WorkspaceRequest request{.argument = std::move(argument), .variable = {}, .current_folder = {}};
  const char* variable = std::getenv("SNAPBACK_WORKSPACE_ROOT");
  if (variable != nullptr && *variable != '\0') request.variable = variable;
  char folder[PATH_MAX];
  if (::getcwd(folder, sizeof folder) != nullptr) request.current_folder = folder;
  return request;
}

Result<std::string> resolve_workspace(const WorkspaceRequest& request) {
  if (request.argument) return named_workspace(*request.argument, "--workspace");
  if (request.variable) return named_workspace(*request.variable, "SNAPBACK_WORKSPACE_ROOT");
  std::string folder = request.current_folder;
  while (!folder.empty()) {
    if (is_workspace(folder)) return named_workspace(folder, "the current folder");
    folder.erase(folder.rfind('/'));
  }
  return Error(ErrorCode::not_found,
               "There is no workspace: neither the current folder nor one above it holds .git, .snapback or "
               "package.json. " +
                   std::string(what_to_do));
}

}  // namespace snapgen::tools
