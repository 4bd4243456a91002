// `snap snapshot restore`: previews, asks, restores, and prints how to undo it.
#include <csignal>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <unistd.h>

#include "runtime/json/reader.h"
#include "schemas/facade/snapback_snapshot_restore.h"
#include "schemas/wire/snap_fix.h"
#include "tools/cli/caller.h"
#include "tools/cli/path_words.h"
#include "tools/cli/snapshot_command.h"
#include "tools/cli/snapshot_words.h"
#include "tools/engine/base/phrase.h"

namespace snapgen::tools {
namespace {

struct RestoreOptions {
  std::string id;
  std::vector<std::string> paths;
  bool yes = false;
  bool dry_run = false;
};

// The result of a restore or a preview.
struct Restored {
  std::string json;
  std::string text;
  std::int64_t files = 0;    // Written or deleted.
  std::int64_t deleted = 0;  // Deleted; included in `files`.
};

using RestoredChange = SnapbackSnapshotRestoreOutputDataChangesItem;
using ChangeKind = SnapbackSnapshotRestoreOutputDataChangesItemKind;

std::string changes_in_words(const Chosen& chosen, const std::vector<RestoredChange>& changes,
                             std::int64_t files) {
  Rows rows;
  for (const RestoredChange& each : changes)
    rows.add({{std::string(text(each.kind)), each.kind == ChangeKind::deleted ? Colour::red : Colour::dim},
              {shown_path(each.path)}});
  return rows.text(chosen.out, 2) + (files > static_cast<std::int64_t>(changes.size()) ? "  ...\n" : "");
}

// The log message of snap_fix.
struct Logged {
  std::vector<RestoredChange> changes;
  std::int64_t deleted = 0;
};

Logged read_logged(std::string_view logged) {
  const std::string line(logged);
  Logged out;
  json::Reader in(line);
  std::string_view key;
  if (!in.begin_object()) return out;
  while (in.next_key(key)) {
    if (key == "changes" && in.begin_array()) {
      while (in.next_element()) read(in, out.changes.emplace_back());
    } else if (key == "deleted") {
      in.integer(out.deleted);
    } else if (key != "changes") {
      in.skip();
    }
  }
  return out;
}

// Restores everything with snap_fix, which every tier may call.
Result<Restored> restore_all(Caller& caller, const Chosen& chosen, const RestoreOptions& options,
                             bool dry_run) {
  caller.set_argument_names({{"id", "ID"}});
  SnapFixInput input{.action = SnapFixInputAction::restore, .id = options.id, .dry_run = dry_run};
  Logged logged;
  caller.set_log_listener([&](std::string_view text) { logged = read_logged(text); });
  Result<LineAnswer> made = caller.call_for_line("snap_fix", input);
  caller.set_log_listener(nullptr);
  if (!made) return std::move(made).error();
  const auto* line = std::get_if<lines::RestoreLine>(&made->line);
  if (!line) return Error(ErrorCode::internal, "The tool's answer does not match its schema.");
  return Restored{
      .json = std::move(made->json),
      .text = changes_in_words(chosen, logged.changes, line->files) + printable(made->summary) + "\n",
      .files = line->files,
      .deleted = logged.deleted};
}

// Restores some paths with the facade's tool.
Result<Restored> restore_some(Caller& caller, const Chosen& chosen, const RestoreOptions& options,
                              bool dry_run) {
  caller.set_argument_names({{"files", "PATH"}, {"snapshot_id", "ID"}});
  SnapbackSnapshotRestoreInput input{.dry_run = dry_run, .snapshot_id = options.id};
  TRY(caller.paths(options.paths, input.files));
  Answer made = TRY(caller.call("snapback.snapshot_restore", input));
  SnapbackSnapshotRestoreOutput read = TRY(structured<SnapbackSnapshotRestoreOutput>(made));
  return Restored{
      .json = std::move(made.structured),
      .text = changes_in_words(chosen, read.data.changes, read.data.total) + printable(made.summary) + "\n",
      .files = read.data.total,
      .deleted = read.data.deleted};
}

// Asks the user, on standard error.
Result<bool> agrees(const Chosen& chosen, const Restored& preview) {
  // While the question waits, Ctrl-C ends the process: no call is running that could be cancelled.
  struct sigaction before = {};
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  ::sigaction(SIGINT, &plain, &before);
  std::string question = "Restore " + core::counted(preview.files - preview.deleted, "file");
  if (preview.deleted > 0) question += " and delete " + std::to_string(preview.deleted);
  Result<Unit> asked = chosen.errors.print(question + "? [y/N] ");
  std::string line;
  if (asked) std::getline(std::cin, line);
  ::sigaction(SIGINT, &before, nullptr);
  if (!asked) return std::move(asked).error();
  return line == "y" || line == "Y" || line == "yes" || line == "Yes";
}

Result<int> restore(const Chosen& chosen, const RestoreOptions& options) {
  std::unique_ptr<Caller> caller = TRY(Caller::open(chosen));
  auto* how = options.paths.empty() ? restore_all : restore_some;
  const bool can_ask = ::isatty(0) == 1 && chosen.errors.is_terminal;
  if (!options.yes && !options.dry_run && !can_ask)
    return Error(ErrorCode::invalid_argument,
                 "There is no terminal for a confirmation. Pass --yes to restore, or --dry-run to see what "
                 "would happen.");
  if (!options.yes || options.dry_run) {
    Restored preview = TRY(how(*caller, chosen, options, true));
    if (options.dry_run || preview.files == 0) return answer(chosen, preview.json, preview.text);
    TRY(chosen.errors.print(preview.text));
    bool agreed = TRY(agrees(chosen, preview));
    if (!agreed) return Error(ErrorCode::unavailable, "Nothing was changed.");
  }
  Restored restored = TRY(how(*caller, chosen, options, false));
  return answer(chosen, restored.json, restored.text);
}

}  // namespace

void add_snapshot_restore(CLI::App& snapshot, Chosen& chosen) {
  auto options = std::make_shared<RestoreOptions>();
  CLI::App& command = add_command(
      snapshot, chosen,
      {.name = "restore",
       .what = "Restore the workspace, or only some paths (that needs the tier pro), from a snapshot. "
               "Everything that is overwritten is captured first in a safety snapshot, whose id is printed. "
               "Files that are not in the snapshot are deleted only if they are provably newer.",
       .examples = {{"snap snapshot restore snap_96b5c0893a --dry-run", "what would happen"},
                    {"snap snapshot restore snap_96b5c0893a", "asks first"},
                    {"snap snapshot restore snap_96b5c0893a --yes", "does not ask"},
                    {"snap snapshot restore snap_96b5c0893a src/main.rs", "one file"}},
       .exit_codes = "0 done; 1 it failed, or the answer was no; 2 the command line is wrong."},
      [options](const Chosen& said) { return restore(said, *options); });
  command.add_option("ID", options->id, id_help)->required();
  command.add_option("PATH", options->paths, "Files or folders. Default: everything.");
  command.add_flag("-y,--yes", options->yes, "Restore without asking.");
  command.add_flag("--dry-run", options->dry_run, "Show what would happen, and change nothing.");
}

}  // namespace snapgen::tools
