// `snap recover` lists the copies of histories that outlive their workspaces, and restores the files of one.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

#include "tools/cli/commands.h"
#include "tools/cli/terminal.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/history/recover.h"
#include "tools/engine/operations/history/store_copy.h"

namespace snapgen::tools {
namespace {

struct RecoverOptions {
  std::string folder;
  std::string from;
  std::string target;
  std::string deleted;
  bool yes = false;
};

// Returns the absolute path without symlinks and without a final slash, also if it does not exist.
std::string absolute_path(const std::string& typed) {
  std::error_code error;
  const std::filesystem::path path =
      std::filesystem::weakly_canonical(std::filesystem::absolute(typed), error);
  std::string text = error ? typed : path.string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

std::string listed_as_json(const std::vector<core::StoredCopy>& copies) {
  std::string list;
  for (const core::StoredCopy& copy : copies)
    list +=
        (list.empty() ? "" : ",") + core::JsonObject()
                                        .add("bytes", static_cast<std::int64_t>(core::bytes_of_copy(copy)))
                                        .add_json("exists", copy.has_workspace ? "true" : "false")
                                        .add("last", core::iso_time(copy.last_ms))
                                        .add("name", core::text_of_path(copy.name))
                                        .add("workspace", core::text_of_path(copy.workspace))
                                        .finish();
  return "{\"copies\":[" + list + "]}";
}

std::string rows_of(const std::vector<core::StoredCopy>& copies, const Terminal& out) {
  AlignedRows rows;
  for (const core::StoredCopy& copy : copies)
    rows.add({{core::path_in_sentence(copy.workspace), Colour::bold},
              {copy.has_workspace ? "exists" : "deleted", copy.has_workspace ? Colour::dim : Colour::red},
              {time_text(copy.last_ms, out), Colour::dim},
              {core::size_text(core::bytes_of_copy(copy))},
              {core::path_in_sentence(copy.name), Colour::dim}});
  return rows.text(out);
}

std::string listed_as_text(const std::vector<core::StoredCopy>& copies, const Terminal& out) {
  if (copies.empty()) return "There is no copy of a history.\n";
  return rows_of(copies, out) +
         "snap recover DIR --from WORKSPACE restores the files of one, and --delete NAME deletes it.\n";
}

// The copy of this name, or else those of the workspace at this path.
std::vector<core::StoredCopy> copies_named(const std::vector<core::StoredCopy>& copies,
                                           const std::string& name, const std::string& path) {
  std::vector<core::StoredCopy> named;
  for (const core::StoredCopy& copy : copies) {
    if (copy.name == name) return {copy};
    if (copy.workspace == path) named.push_back(copy);
  }
  return named;
}

Error no_copy_error(const std::string& path, const std::string& hint) {
  return Error(ErrorCode::not_found, "There is no copy of the history of " + core::path_in_sentence(path) +
                                         ". snap recover lists the copies" + hint + ".");
}

// Finds the copy to restore into `folder`. Errors: not_found.
Result<core::StoredCopy> choose_copy(const std::vector<core::StoredCopy>& copies,
                                     const RecoverOptions& options, const std::string& folder) {
  const std::string path = options.from.empty() ? folder : absolute_path(options.from);
  std::vector<core::StoredCopy> named = copies_named(copies, options.from, path);
  const auto is_deleted = [](const core::StoredCopy& copy) { return !copy.has_workspace; };
  // A new workspace may be at the same path.
  std::ranges::stable_partition(named, is_deleted);
  if (std::ranges::count_if(named, is_deleted) > 1)
    return Error(ErrorCode::invalid_argument, "Several workspaces at " + core::path_in_sentence(path) +
                                                  " were deleted. snap recover lists them by their last "
                                                  "change; name one with --from.");
  if (!named.empty()) return named.front();
  if (options.from.empty() && std::ranges::count_if(copies, is_deleted) == 1)
    return *std::ranges::find_if(copies, is_deleted);
  return no_copy_error(path, "; name one with --from");
}

std::string recovered_as_json(const core::RecoveredFiles& recovered, const std::string& folder) {
  const auto list = [](const std::vector<std::string>& paths) {
    return core::json_list(paths, [](const std::string& path) { return core::text_of_path(path); });
  };
  return core::JsonObject()
      .add("file_count", recovered.file_count)
      .add("folder", core::text_of_path(folder))
      .add_if_any("head_branch", recovered.position.branch)
      .add_if_any("head_commit", recovered.position.head)
      .add_json("left_out", list(recovered.left_out))
      .add_json("lost", list(recovered.lost))
      .add_json("state", core::JsonObject()
                             .add("at", core::iso_time(recovered.state_ms))
                             .add("moment", "m" + std::to_string(recovered.state_number))
                             .finish())
      .finish();
}

// Returns a line that names some of the paths; empty if there are none.
std::string paths_line(const std::vector<std::string>& paths, const std::string& what) {
  constexpr std::size_t named_max = 3;
  if (paths.empty()) return {};
  return printable(what + ": " + core::some_of(paths, named_max)) + "\n";
}

std::string recovered_as_text(const core::RecoveredFiles& recovered, const std::string& folder,
                              const Terminal& out) {
  std::string text =
      "Restored " + core::count_with_noun(recovered.file_count, "file") + " in " +
      printable(core::path_in_sentence(folder)) + ": the state after m" +
      std::to_string(recovered.state_number) + ", " + time_text(recovered.state_ms, out) + ".\n" +
      paths_line(recovered.left_out,
                 "Not in this state, because they were too large or ignored, or changed too much") +
      paths_line(recovered.lost, "Could not be restored");
  if (recovered.position.head.empty()) return text;
  constexpr std::size_t digits = 10;
  std::string_view branch = recovered.position.branch;
  core::take_prefix(branch, "refs/heads/");
  return text + "The repository (.git) is not in the copy. HEAD was " +
         printable(branch.empty() ? "detached" : std::string(branch)) + " " +
         recovered.position.head.substr(0, digits) + ": clone it again to get its commits.\n";
}

Result<int> delete_copies(const Invocation& invocation, const RecoverOptions& options,
                          const std::vector<core::StoredCopy>& copies) {
  const std::string path = absolute_path(options.deleted);
  const std::vector<core::StoredCopy> named = copies_named(copies, options.deleted, path);
  if (named.empty()) return no_copy_error(path, "");
  if (!options.yes) {
    if (::isatty(0) != 1 || !invocation.error_output.is_terminal)
      return Error(ErrorCode::invalid_argument,
                   "There is no terminal for a confirmation. Pass --yes to delete the copy.");
    TRY(invocation.error_output.print(rows_of(named, invocation.error_output)));
    if (!ask_yes_no(invocation, named.size() == 1 ? "Delete this copy?" : "Delete these copies?"))
      return Error(ErrorCode::unavailable, "Nothing was changed.");
  }
  std::vector<std::string> deleted;
  std::string text;
  for (const core::StoredCopy& copy : named) {
    TRY(core::remove_copy(copy));
    deleted.push_back(core::text_of_path(copy.name));
    text += "Deleted " + printable(core::path_in_sentence(copy.name)) + ".\n";
  }
  return print_answer(invocation, core::JsonObject().add("deleted", deleted).finish(), text);
}

Result<int> recover(const Invocation& invocation, const RecoverOptions& options) {
  const std::vector<core::StoredCopy> copies = core::stored_copies(core::user_copies_folder());
  if (!options.deleted.empty()) return delete_copies(invocation, options, copies);
  if (options.folder.empty())
    return print_answer(invocation, listed_as_json(copies), listed_as_text(copies, invocation.out));
  const std::string folder = absolute_path(options.folder);
  const core::StoredCopy copy = TRY(choose_copy(copies, options, folder));
  core::RecoverQuery query{.copy_folder = copy.folder, .destination = folder, .target = {}};
  if (!options.target.empty()) query.target = options.target;
  const core::RecoveredFiles recovered = TRY(core::recover_files(query, core::now_ms(), {}));
  return print_answer(invocation, recovered_as_json(recovered, folder),
                      recovered_as_text(recovered, folder, invocation.out),
                      recovered.lost.empty() ? exit_done : exit_failed_or_found);
}

}  // namespace

void add_recover_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<RecoverOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "recover",
       .description =
           "Restore the files of a workspace that was deleted with its .git, from the copy of its "
           "history in ~/.local/state/snapgen. Without DIR, list the copies. A copy is deleted when "
           "its workspace has been gone for 60 days, or earlier if the copies of such workspaces "
           "take more than 2 GiB (history.bytes_max) or a fifth of the free space.",
       .examples = {{"snap recover", "the workspaces that have a copy"},
                    {"snap recover ~/project", "the last state before the deletion, at the same path"},
                    {"snap recover /tmp/old --from ~/project --at '1 hour ago'",
                     "an earlier state, elsewhere"},
                    {"snap recover --delete ~/project", "deletes the copy, so that nothing can be restored"}},
       .exit_codes = "0 done; 1 it failed, or some files could not be restored; 2 the command line is wrong.",
       .takes_workspace = false},
      [options](const Invocation& parsed) { return recover(parsed, *options); });
  command.add_option("DIR", options->folder, "A folder that does not exist or is empty.");
  command
      .add_option(
          "--from", options->from,
          "The path of the workspace, or the name in the list. Default: DIR, or the only deleted one.")
      ->type_name("WORKSPACE");
  command
      .add_option("--at", options->target,
                  "The state before a moment (m14) or turn (t12), or at a time. Default: the last one before "
                  "the deletion.")
      ->type_name("TARGET");
  CLI::Option* const deletion =
      command
          .add_option("--delete", options->deleted,
                      "Delete the copy of this workspace, or with this name in the list, after a question.")
          ->type_name("NAME")
          ->excludes("DIR")
          ->excludes("--from")
          ->excludes("--at");
  command.add_flag("-y,--yes", options->yes, "Delete without asking.")->needs(deletion);
}

}  // namespace snapgen::tools
