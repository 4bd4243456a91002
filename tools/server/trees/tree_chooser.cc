#include "tools/server/trees/tree_chooser.h"

#include <algorithm>
#include <utility>

#include <sys/stat.h>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/roots.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/path.h"
#include "tools/engine/patch/names_in_patch.h"
#include "tools/hosts/host_table.h"
#include "tools/server/trees/served_trees.h"

namespace snapgen::tools {
namespace {

// How long to wait for a client's roots. Hosts respond within milliseconds. One that takes longer is not
// asked again.
constexpr Millis roots_patience(5000);
constexpr std::size_t named_paths_max = 1000;

bool is_absolute(std::string_view path) { return path.starts_with('/'); }

bool exists_in_tree(const std::string& tree, const std::string& path) {
  struct stat st;
  return ::lstat(core::joined_path(tree, path).c_str(), &st) == 0;
}

// Returns the innermost tree that contains an absolute path; empty if none does.
std::string tree_around(const std::vector<std::string>& trees, std::string_view path) {
  std::string found;
  for (const std::string& tree : trees)
    if (core::is_at_or_below_folder(path, tree) && tree.size() > found.size()) found = tree;
  return found;
}

bool holds(const std::vector<std::string>& trees, const std::string& tree, const std::string& path) {
  if (is_absolute(path)) return tree_around(trees, path) == tree;
  Result<std::string> relative = core::path_from_text(path);
  return relative && !relative->empty() && exists_in_tree(tree, *relative);
}

Error several(const std::vector<std::string>& trees) {
  std::string list;
  for (const std::string& each : trees) list += (list.empty() ? "" : ", ") + core::path_in_sentence(each);
  return Error(ErrorCode::invalid_argument,
               "The client works in several workspaces (" + list +
                   "), and this call does not identify one of them. Call a tool with a path that exists in "
                   "only one of them; later calls use the same workspace.",
               ErrorDetails().add_json("workspaces", core::json_list(trees, core::text_of_bytes)));
}

}  // namespace

bool NamedArguments::has_brand(std::string_view name, std::string_view brand) const {
  return std::ranges::any_of(
      branded, [&](const mcp::BrandedArgument& each) { return each.name == name && each.brand == brand; });
}

// Client: the folders that one client named, and the tree that it works on.
struct TreeChooser::Client final : mcp::ClientState {
  std::vector<std::string> folders;  // The folders that the client named last, as roots or in a request.
  std::vector<std::string> trees;    // The workspaces in or above these folders.
  std::string tree;                  // The tree that was chosen, or empty.
  bool has_named_roots = false;
  bool is_silent = false;  // The client did not respond to the request for its roots.
};

TreeChooser::Client* TreeChooser::client_of(mcp::Context& context) {
  std::unique_ptr<mcp::ClientState>* state = context.client_state();
  if (state == nullptr) return nullptr;
  if (!*state) *state = std::make_unique<Client>();
  return static_cast<Client*>(state->get());
}

bool TreeChooser::is_asked(mcp::Context& context) const {
  if (sources_.is_explicit() || !context.client_abilities().roots) return false;
  const Client* client = client_of(context);
  return client == nullptr || !client->is_silent;
}

std::optional<Result<ChosenTree>> TreeChooser::try_choose(mcp::Context& context,
                                                          const NamedArguments& arguments) {
  if (is_asked(context)) return std::nullopt;
  if (sources_.is_explicit()) return from_process(nullptr);
  return choose_from(client_of(context), {}, folders_of_meta(context.meta()), arguments);
}

Task<ChosenTree> TreeChooser::choose(mcp::Context& context, NamedArguments arguments) {
  const std::string json(arguments.json);
  arguments.json = json;
  std::vector<std::string> request_folders = folders_of_meta(context.meta());
  std::vector<std::string> roots;
  if (is_asked(context)) {
    Task<std::vector<mcp::Root>> asking = mcp::ask_for_roots(context, roots_patience);
    Result<std::vector<mcp::Root>> roots_answer = co_await std::move(asking);
    if (!roots_answer && roots_answer.error().code == ErrorCode::cancelled)
      co_return std::move(roots_answer).error();
    Client* client = client_of(context);
    if (roots_answer) {
      for (const mcp::Root& root : *roots_answer)
        if (std::optional<std::string> folder = folder_of_uri(root.uri)) roots.push_back(*std::move(folder));
      if (client != nullptr) client->has_named_roots = true;
    } else if (roots_answer.error().code == ErrorCode::unsupported) {
      if (client == nullptr || client->tree.empty())
        co_return Error(
            ErrorCode::invalid_argument,
            "This request cannot ask the client in which folder it works. Call a tool first, in a "
            "separate request.");
    } else if (client != nullptr && client->has_named_roots) {
      // The previous roots may be wrong, because the client may have moved to another tree.
      co_return Error(ErrorCode::unavailable,
                      "The client did not name its folder: " + roots_answer.error().message + " Call again.");
    } else if (client != nullptr && roots_answer.error().code == ErrorCode::unavailable) {
      client->is_silent = true;
    }
  }
  Result<ChosenTree> chosen =
      choose_from(client_of(context), std::move(roots), std::move(request_folders), arguments);
  co_return chosen;
}

Result<ChosenTree> TreeChooser::from_process(Client* client) {
  if (process_folder_.empty()) {
    process_folder_ = TRY(resolve_workspace(sources_));
  }
  if (client != nullptr) client->tree = process_folder_;
  return trees_.get_or_open(process_folder_, {process_folder_});
}

Result<ChosenTree> TreeChooser::choose_from(Client* client, std::vector<std::string> roots,
                                            std::vector<std::string> request_folders,
                                            const NamedArguments& arguments) {
  const bool names_folders = !roots.empty() || !request_folders.empty();
  if (!names_folders && client != nullptr && !client->tree.empty())
    return trees_.get_or_open(client->tree, {client->tree});
  if (!names_folders) return from_process(client);
  const std::vector<std::string>& folders = roots.empty() ? request_folders : roots;
  std::vector<std::string> trees;
  if (client != nullptr && client->folders == folders) trees = client->trees;
  if (trees.empty()) {
    WorkspaceSources sources = sources_;
    sources.roots = roots;
    sources.request_folders = request_folders;
    trees = TRY(find_workspaces(sources));
    if (client != nullptr) {
      client->folders = folders;
      client->trees = trees;
    }
  }
  std::string tree = trees.front();
  if (trees.size() > 1) {
    const std::vector<std::string> paths = paths_in_arguments(arguments);
    std::optional<std::string> held = tree_containing(trees, paths);
    const bool is_known = client != nullptr && std::ranges::find(trees, client->tree) != trees.end();
    // A relative path refers to the tree in which the client works, so it does not change the choice.
    const bool stays = is_known && std::ranges::none_of(paths, is_absolute);
    if (stays || (is_known && !held))
      tree = client->tree;
    else if (held)
      tree = *held;
    else
      return several(trees);
  }
  if (client != nullptr) client->tree = tree;
  return trees_.get_or_open(tree, trees);
}

std::vector<std::string> folders_of_meta(std::string_view meta) {
  std::vector<std::string> folders;
  if (meta.empty()) return folders;
  json::Reader in(meta);
  std::string_view key;
  if (!in.begin_object()) return folders;
  while (in.next_key(key)) {
    const bool is_known = std::ranges::any_of(all_hosts(), [&](const HostRow& row) {
      return !row.traits.folder_meta_member.empty() && row.traits.folder_meta_member == key;
    });
    if (!is_known || in.peek() != json::Kind::object || !in.begin_object()) {
      in.skip();
      continue;
    }
    while (in.next_key(key)) {
      if (key != "workspaces" || in.peek() != json::Kind::object || !in.begin_object()) {
        in.skip();
        continue;
      }
      while (in.next_key(key)) {
        if (is_absolute(key)) folders.emplace_back(key);
        in.skip();
      }
    }
  }
  return folders;
}

std::vector<std::string> paths_in_arguments(const NamedArguments& arguments) {
  std::vector<std::string> paths;
  json::Reader in(arguments.json);
  read_texts(in, {}, [&](json::Reader& value, std::string_view name) {
    const bool is_patch = arguments.has_brand(name, NamedArguments::patch_brand);
    const bool is_path = arguments.has_brand(name, NamedArguments::path_brand) ||
                         arguments.has_brand(name, NamedArguments::folder_brand);
    if (paths.size() >= named_paths_max || !(is_patch || is_path)) return value.skip();
    std::string text;
    if (!value.string(text)) return;
    if (!is_patch) return paths.push_back(std::move(text));
    for (std::string& each : core::names_in_patch(text))
      if (paths.size() < named_paths_max) paths.push_back(std::move(each));
  });
  return paths;
}

std::optional<std::string> tree_containing(const std::vector<std::string>& trees,
                                           const std::vector<std::string>& paths) {
  std::optional<std::string> all, any;
  std::size_t with_all = 0, with_any = 0;
  for (const std::string& tree : trees) {
    const auto held =
        std::ranges::count_if(paths, [&](const std::string& path) { return holds(trees, tree, path); });
    if (held == 0) continue;
    any = tree;
    ++with_any;
    if (static_cast<std::size_t>(held) != paths.size()) continue;
    all = tree;
    ++with_all;
  }
  if (with_all == 1) return all;
  if (with_all == 0 && with_any == 1) return any;
  return std::nullopt;
}

}  // namespace snapgen::tools
