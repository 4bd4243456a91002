#pragma once
// TreeChooser chooses the work tree that a call works on.
//
// The sources of the folders are listed in find_workspace.h. It requests the client's roots before every
// call, because hosts change them without a notification when they switch to another work tree. A client
// remains on its tree until it names another one: calls without paths (those of the host's hooks, for
// example) work on the tree of the previous call.
//
// If the client names several trees, the first call with a path that only one of them contains chooses that
// tree. Later, only an absolute path in another tree changes the choice.
//
// Used on the loop's thread only.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/async/task.h"
#include "runtime/json/reader.h"
#include "runtime/mcp/context.h"
#include "runtime/mcp/tool.h"
#include "tools/server/trees/find_workspace.h"

namespace snapgen::tools {

class ServedTree;
class ServedTrees;

using ChosenTree = std::shared_ptr<ServedTree>;

// The arguments of a call, and which of them are paths or patches (x-snapgen.brand).
struct NamedArguments {
  static constexpr std::string_view path_brand = "Path";
  static constexpr std::string_view folder_brand = "WorkspaceFolder";  // The absolute path of a workspace.
  static constexpr std::string_view patch_brand = "Patch";

  std::string_view json = "{}";  // One JSON object.
  std::span<const mcp::BrandedArgument> branded = {};

  bool has_brand(std::string_view name, std::string_view brand) const;
};

// Walks through the next JSON value, which is that of the argument `name`, and calls `read(in, name)` for
// each text in it. `read` must read exactly one value.
template <class Read>
void read_texts(json::Reader& in, std::string_view name, const Read& read) {
  switch (in.peek()) {
    case json::Kind::object: {
      std::string_view key;
      if (!in.begin_object()) return;
      while (in.next_key(key)) read_texts(in, std::string(key), read);
      return;
    }
    case json::Kind::array:
      if (!in.begin_array()) return;
      while (in.next_element()) read_texts(in, name, read);
      return;
    case json::Kind::string: return read(in, name);
    default: in.skip();
  }
}

class TreeChooser {
 public:
  // `sources` are those in the process's environment. `trees` must outlive the chooser.
  TreeChooser(WorkspaceSources sources, ServedTrees& trees) : sources_(std::move(sources)), trees_(trees) {}
  TreeChooser(TreeChooser&&) = delete;

  // Returns the tree of a call with these arguments; nullopt if the client must be asked for its roots first.
  // Errors: as choose().
  std::optional<Result<ChosenTree>> try_choose(mcp::Context& context, const NamedArguments& arguments);

  // Does as try_choose(), but requests the client's roots if it has any. The JSON of `arguments` is
  // copied. Errors: not_found (no source leads to a workspace); invalid_argument (several do, and
  // the call does not match exactly one), details {"workspaces":[...]}; invalid_argument (this request cannot
  // ask the client); unavailable (as ServedTrees::get_or_open(); the client did not
  // respond); cancelled.
  Task<ChosenTree> choose(mcp::Context& context, NamedArguments arguments);

 private:
  struct Client;
  // Returns the state of the context's client; null if the context stores none.
  static Client* client_of(mcp::Context& context);
  bool is_asked(mcp::Context& context) const;
  Result<ChosenTree> choose_from(Client* client, std::vector<std::string> roots,
                                 std::vector<std::string> request_folders, const NamedArguments& arguments);
  Result<ChosenTree> from_process(Client* client);

  const WorkspaceSources sources_;
  // The workspace from the process's environment; empty if it was not searched yet.
  std::string process_folder_;
  ServedTrees& trees_;
};

// Returns the folders in those members of `_meta` in which hosts name them. `meta` is a JSON object, or
// empty.
std::vector<std::string> folders_of_meta(std::string_view meta);

// Returns the paths in the arguments of a call, as the client wrote them: in arguments of the brand Path at
// any depth, and in the headers of those of the brand Patch.
std::vector<std::string> paths_in_arguments(const NamedArguments& arguments);

// Returns the only tree that contains all of these paths, or else the only one that contains any of them;
// nullopt if there is none. An absolute path belongs to the innermost tree around it, even if the file does
// not exist.
std::optional<std::string> tree_containing(const std::vector<std::string>& trees,
                                           const std::vector<std::string>& paths);

}  // namespace snapgen::tools
