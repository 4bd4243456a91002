#pragma once
// TreeChooser chooses the work tree that a call works on.
//
// The folders come from the sources of workspace.h. The client's roots are asked for before every call,
// because hosts change them without a notice when they enter another work tree. A client stays on its tree
// until it names another one: calls that name none (those of the host's hooks, for example) work on the tree
// of the call before.
//
// If the client names several trees, the first call with a path that only one of them holds chooses that
// tree. A later call chooses another one only by an absolute path inside of it.
//
// On the loop's thread.
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/async/task.h"
#include "runtime/mcp/context.h"
#include "tools/server/trees/workspace.h"

namespace snapgen::tools {

class ServedTree;
class ServedTrees;

using ChosenTree = std::shared_ptr<ServedTree>;

class TreeChooser {
 public:
  // `request`: what the process's surroundings name. `trees` outlives the chooser.
  TreeChooser(WorkspaceRequest request, ServedTrees& trees) : request_(std::move(request)), trees_(trees) {}
  TreeChooser(TreeChooser&&) = delete;

  // The tree of a call with these arguments; nullopt if the client has to be asked for its roots first.
  // Errors: as choose().
  std::optional<Result<ChosenTree>> try_choose(mcp::Context& context, std::string_view arguments);

  // Does the same, and asks the client for its roots if it has any. `arguments`: one JSON object; it is
  // copied. Errors: not_found (no source leads to a workspace); invalid_argument (several do, and the call
  // fits none or more than one of them), details {"workspaces":[...]}; invalid_argument
  // (this request cannot ask); permission_denied (ServedTrees::at()); unavailable (the client did not
  // answer); cancelled.
  Task<ChosenTree> choose(mcp::Context& context, std::string_view arguments);

 private:
  struct Client;
  // The state of the context's client; null if the context stores none.
  static Client* client_of(mcp::Context& context);
  bool is_asked(mcp::Context& context) const;
  Result<ChosenTree> choose_from(Client* client, std::vector<std::string> roots,
                                 std::vector<std::string> request_folders, std::string_view arguments);
  Result<ChosenTree> from_process(Client* client);

  const WorkspaceRequest request_;
  std::string
      process_folder_;  // The workspace that the process's surroundings lead to; empty: not found yet.
  ServedTrees& trees_;
};

// The folders in the members of `_meta` that hosts use for them. `meta`: a JSON object, or empty.
std::vector<std::string> folders_of_meta(std::string_view meta);

// The paths in the arguments of a call, as the client wrote them: those of arguments that are paths, at any
// depth, and those in the headers of patches.
std::vector<std::string> named_paths(std::string_view arguments);

// The only tree that holds all of these paths, or else the only one that holds any of them; nullopt if there
// is no such tree. An absolute path belongs to the innermost tree that contains it, whether or not the file
// exists.
std::optional<std::string> tree_holding(const std::vector<std::string>& trees,
                                        const std::vector<std::string>& paths);

}  // namespace snapgen::tools
