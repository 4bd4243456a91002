// `snap snapshot restore`: shows what would change, asks, restores, and prints how to undo it.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "runtime/base/visible.h"
#include "schemas/facade/snapback_snapshot_restore.h"
#include "schemas/tool_names.h"
#include "tools/app/restore_work.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/cli/path_words.h"
#include "tools/cli/snapshot_words.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/work/task/restore_words.h"

namespace snapgen::tools {
namespace {

struct RestoreOptions {
  std::string id;
  std::vector<std::string> paths;
  std::string from_tree;
  bool yes = false;
  bool dry_run = false;
};

std::optional<std::string> from_tree_of(const RestoreOptions& options) {
  if (options.from_tree.empty()) return std::nullopt;
  return options.from_tree;
}

// The result of a restore or a preview.
struct Restored {
  std::string json;
  std::string text;
  std::int64_t files = 0;    // The number of files that are written or deleted.
  std::int64_t deleted = 0;  // The number of files that are deleted; `files` includes them.
};

constexpr std::size_t listed_changes_max = 1000;

// A line in the list of changes.
struct ChangeRow {
  std::string kind;  // The kind of change, as core::text() names it.
  std::string path;  // A path in the form of tool answers.
};

// Returns what a preview prints for a kind of change.
std::string planned(const std::string& kind) {
  if (kind == "created") return "would create";
  if (kind == "replaced") return "would replace";
  if (kind == "deleted") return "would delete";
  return "would change " + kind;
}

// Returns the list of changes. `files` is the number of changes, of which some may not be listed.
std::string changes_in_words(const Invocation& invocation, const std::vector<ChangeRow>& changes,
                             std::int64_t files, bool dry_run) {
  AlignedRows rows;
  for (const ChangeRow& each : changes)
    rows.add({{dry_run ? planned(each.kind) : each.kind, each.kind == "deleted" ? Colour::red : Colour::dim},
              {displayed_path(each.path)}});
  return rows.text(invocation.out, 2) + (files > static_cast<std::int64_t>(changes.size()) ? "  ...\n" : "");
}

// Restores the whole workspace, as the tool snap_fix does.
Result<Restored> restore_all(ToolCaller& caller, const Invocation& invocation, const RestoreOptions& options,
                             bool dry_run) {
  caller.set_argument_names({{"id", "ID"}});
  TRY(check_is_utf8(options.id));
  const RestoreRequest request{.id = options.id,
                               .dry_run = dry_run,
                               .from_tree = from_tree_of(options),
                               .from_tree_argument = "--from-tree"};
  auto work = [&](App& app, mcp::Call& call) { return restore_work(app, call, request); };
  RestoredWork done = TRY(caller.run<RestoredWork>(tool_names::snap_fix, work));
  const RestoreText text = format_restore(done, dry_run, listed_changes_max);
  std::vector<ChangeRow> rows;
  for (const core::RestoredPath& each : core::changes_deletions_first(done.restored)) {
    if (rows.size() == listed_changes_max) break;
    rows.push_back({.kind = std::string(core::text(each.kind)), .path = core::text_of_path(each.path)});
  }
  return Restored{
      .json = json_of_line(text.line, visible(text.summary)),
      .text = changes_in_words(invocation, rows, text.line.files, dry_run) + printable(text.summary) + "\n",
      .files = text.line.files,
      .deleted = static_cast<std::int64_t>(core::deleted_paths(done.restored).size())};
}

// Restores some paths with the facade's tool snapback.snapshot_restore.
Result<Restored> restore_some(ToolCaller& caller, const Invocation& invocation, const RestoreOptions& options,
                              bool dry_run) {
  caller.set_argument_names({{"files", "PATH"}, {"from_tree", "--from-tree"}, {"snapshot_id", "ID"}});
  SnapbackSnapshotRestoreInput input{
      .dry_run = dry_run, .from_tree = from_tree_of(options), .snapshot_id = options.id};
  TRY(caller.resolve_paths(options.paths, input.files));
  ToolAnswer<SnapbackSnapshotRestoreOutput> made = TRY(caller.call<SnapbackSnapshotRestoreOutput>(input));
  const SnapbackSnapshotRestoreOutputData& data = made.output.data;
  std::vector<ChangeRow> rows;
  for (const RestoredFile& each : data.changes)
    rows.push_back({.kind = std::string(text(each.kind)), .path = each.path});
  return Restored{
      .json = made.json(),
      .text = changes_in_words(invocation, rows, data.total, dry_run) + printable(made.summary) + "\n",
      .files = data.total,
      .deleted = data.deleted};
}

// Asks the user whether to restore.
bool agrees(const Invocation& invocation, const Restored& preview) {
  std::string question = "Restore " + core::count_with_noun(preview.files - preview.deleted, "file");
  if (preview.deleted > 0) question += " and delete " + std::to_string(preview.deleted);
  return ask_yes_no(invocation, question + "?");
}

Result<int> restore(const Invocation& invocation, const RestoreOptions& options) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  auto* how = options.paths.empty() ? restore_all : restore_some;
  const bool can_ask = ::isatty(0) == 1 && invocation.error_output.is_terminal;
  if (!options.yes && !options.dry_run && !can_ask)
    return Error(ErrorCode::invalid_argument,
                 "There is no terminal for a confirmation. Pass --yes to restore, or --dry-run to see what "
                 "would happen.");
  if (!options.yes || options.dry_run) {
    Restored preview = TRY(how(*caller, invocation, options, true));
    if (options.dry_run || preview.files == 0) return print_answer(invocation, preview.json, preview.text);
    TRY(invocation.error_output.print(preview.text));
    if (!agrees(invocation, preview)) return Error(ErrorCode::unavailable, "Nothing was changed.");
  }
  Restored restored = TRY(how(*caller, invocation, options, false));
  return print_answer(invocation, restored.json, restored.text);
}

}  // namespace

void add_snapshot_restore_command(CLI::App& snapshot, Invocation& invocation) {
  auto options = std::make_shared<RestoreOptions>();
  CLI::App& command = add_command(
      snapshot, invocation,
      {.name = "restore",
       .description =
           "Restore the workspace, or only some paths, from a snapshot. "
           "Files that are not in the snapshot are deleted only if they were provably created after it. "
           "Everything that is overwritten or deleted is captured first in a safety snapshot; restore "
           "the printed id to go back.",
       .examples = {{"snap snapshot restore snap_96b5c0893a --dry-run", "what would happen"},
                    {"snap snapshot restore snap_96b5c0893a", "asks first"},
                    {"snap snapshot restore snap_96b5c0893a --yes", "does not ask"},
                    {"snap snapshot restore snap_96b5c0893a src/main.rs", "one file"}},
       .exit_codes = "0 done; 1 it failed, or the answer was no; 2 the command line is wrong."},
      [options](const Invocation& parsed) { return restore(parsed, *options); });
  command.add_option("ID", options->id, snapshot_id_help)->required();
  command.add_option("PATH", options->paths, "Files or folders. Default: everything.");
  command
      .add_option("--from-tree", options->from_tree,
                  "The name of the work tree that the snapshot is of, if it is not this one.")
      ->type_name("NAME");
  command.add_flag("-y,--yes", options->yes, "Restore without asking.");
  command.add_flag("--dry-run", options->dry_run, "Show what would happen, and change nothing.");
}

}  // namespace snapgen::tools
