#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include "schemas/resources/snapshot_contents.h"
#include "schemas/substrate/snapshot_create.h"
#include "schemas/substrate/snapshot_list.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/cli/path_words.h"
#include "tools/cli/snapshot_words.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/server/resources/list_snapshots.h"

namespace snapgen::tools {
namespace {

constexpr std::int64_t listed_max = 500;  // The resource snapgen://snapshots lists as many.

struct CreateOptions {
  std::vector<std::string> paths;
  std::string message;
};

Result<int> create(const Invocation& invocation, const CreateOptions& options) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  caller->set_argument_names({{"message", "--message"}, {"paths", "PATH"}});
  SnapshotCreateInput input{.message = options.message, .paths = std::vector<Path>{"."}};
  TRY(caller->resolve_paths(options.paths, input.paths));
  ToolAnswer<SnapshotCreateOutput> made = TRY(caller->call<SnapshotCreateOutput>(input));
  const auto& created = std::get<SnapshotCreated>(made.output);
  const std::string id = core::short_snapshot_id(created.snapshot_id);
  std::string text =
      invocation.out.paint(Colour::yellow, id) + "  " + size_in_words(created.manifest_stats) + "\n";
  const std::string skipped = skipped_in_words(created.skipped);
  if (!skipped.empty()) text += invocation.out.paint(Colour::dim, "omitted: " + skipped) + "\n";
  return print_answer(invocation, made.json(), text);
}

struct ListOptions {
  std::int64_t limit = 50;
  std::string contains;
};

// Lists the snapshots. Reads the store without an event loop and threads, to be fast.
Result<int> list(const Invocation& invocation, const ListOptions& options) {
  std::unique_ptr<Assembly> assembly = TRY(make_assembly(invocation));
  core::Workspace* workspace = TRY(assembly->app().workspace());
  KeptSnapshots snapshots = TRY(list_snapshots(*workspace, options.contains));
  std::vector<KeptSnapshot>& all = snapshots.snapshots;
  if (static_cast<std::int64_t>(all.size()) > options.limit)
    all.resize(static_cast<std::size_t>(options.limit));
  if (all.empty() && !invocation.prints_json) {
    if (!options.contains.empty()) return print_answer(invocation, "", "No snapshot matches.\n");
    const std::string others = snapshots_of(*workspace).other_snapshots_sentence();
    return print_answer(invocation, "", (others.empty() ? "There are no snapshots yet." : others) + "\n");
  }
  AlignedRows rows;
  const std::int64_t now = core::now_ms();
  for (const KeptSnapshot& each : all) {
    const std::string files = core::count_with_noun(each.manifest_stats.files, "file");
    const std::int64_t made_ms = core::ms_of_iso_time(each.created_at).value_or(now);
    rows.add({{core::short_snapshot_id(each.snapshot_id), Colour::yellow},
              {invocation.out.is_terminal ? age_text(made_ms, now) : each.created_at, Colour::dim,
               invocation.out.is_terminal},
              {files, Colour::plain, true},
              {size_text(static_cast<std::uint64_t>(each.manifest_stats.bytes)), Colour::plain, true},
              {each.work_tree ? "of the work tree " + *each.work_tree + ": " + each.message.value_or("")
                              : each.message.value_or("")}});
  }
  std::string text = rows.text(invocation.out);
  const std::int64_t more = snapshots.total - static_cast<std::int64_t>(all.size());
  if (more > 0 && invocation.out.is_terminal)
    text += invocation.out.paint(Colour::dim,
                                 "and " + number_text(static_cast<std::uint64_t>(more)) + " more (--limit)") +
            "\n";
  return print_answer(invocation, json::to_json(snapshots), text);
}

// Returns all files of the snapshot, which are read page by page.
Result<std::vector<SnapshotListEntry>> files_of_snapshot(ToolCaller& caller, const std::string& snapshot_id) {
  SnapshotListInput input{.max_entries = 10'000, .recursive = true, .snapshot_id = snapshot_id};
  std::vector<SnapshotListEntry> files;
  for (;;) {
    ToolAnswer<SnapshotListOutput> page = TRY(caller.call<SnapshotListOutput>(input));
    auto& listed = std::get<SnapshotListImmutable>(page.output);
    for (SnapshotListEntry& each : listed.entries)
      if (each.type != SnapshotListEntryType::folder) files.push_back(std::move(each));
    if (!listed.next_cursor) return files;
    input.cursor = std::move(listed.next_cursor);
  }
}

Result<int> show(const Invocation& invocation, const std::string& id) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  TRY(check_snapshot_id(id));
  core::Workspace* workspace = TRY(caller->app().workspace());
  SnapshotContents contents = TRY(snapshot_contents(*workspace, id));
  const KeptSnapshot& snapshot = contents.snapshot;
  std::vector<SnapshotListEntry> files = TRY(files_of_snapshot(*caller, snapshot.snapshot_id));
  if (invocation.prints_json) {
    std::string entries;
    for (const SnapshotListEntry& each : files) entries += (entries.empty() ? "" : ",") + json::to_json(each);
    return print_answer(invocation,
                        "{\"entries\":[" + entries +
                            "],\"fingerprint\":" + json::to_json(contents.fingerprint) +
                            ",\"snapshot\":" + json::to_json(snapshot) + "}",
                        "");
  }
  Facts facts = {{"id", snapshot.snapshot_id},
                 {"short", core::short_snapshot_id(snapshot.snapshot_id)},
                 {"made", time_text(core::ms_of_iso_time(snapshot.created_at).value_or(0), invocation.out)},
                 {"holds", size_in_words(snapshot.manifest_stats)}};
  if (snapshot.message) facts.emplace_back("message", *snapshot.message);
  if (snapshot.work_tree) facts.emplace_back("tree", *snapshot.work_tree);
  facts.emplace_back("commit",
                     contents.fingerprint.head_oid.empty() ? "none" : contents.fingerprint.head_oid);
  AlignedRows rows;
  for (const SnapshotListEntry& each : files)
    rows.add({{each.size ? size_text(static_cast<std::uint64_t>(*each.size)) : "", Colour::dim, true},
              {displayed_path(each.path) + (each.type == SnapshotListEntryType::symlink ? "@" : "")}});
  return print_answer(invocation, "", facts_text(facts, invocation.out) + "\n" + rows.text(invocation.out));
}

}  // namespace

void add_snapshot_commands(CLI::App& program, Invocation& invocation) {
  CLI::App& snapshot =
      add_group(program, "snapshot", "Take, show, compare and restore snapshots of the workspace.");
  auto creating = std::make_shared<CreateOptions>();
  CLI::App& create_command = add_command(
      snapshot, invocation,
      {.name = "create",
       .description = "Take a snapshot of the workspace without ignored files, or of the named files "
                      "and folders. Equal states have equal ids.",
       .examples = {{"snap snapshot create -m 'before the refactoring'", "everything"},
                    {"snap snapshot create src docs", "two folders"},
                    {"snap snapshot create --json | jq -r .snapshot_id", ""}}},
      [creating](const Invocation& parsed) { return create(parsed, *creating); });
  create_command.add_option("PATH", creating->paths, "Files or folders. Default: everything.");
  create_command.add_option("-m,--message", creating->message, "The reason; stored with the snapshot.")
      ->type_name("TEXT");

  auto listing = std::make_shared<ListOptions>();
  CLI::App& list_command = add_command(
      snapshot, invocation,
      {.name = "list",
       .description = "List the stored snapshots, the latest first: short id, age, files, size, message.",
       .examples = {{"snap snapshot list", ""},
                    {"snap snapshot list --contains refactoring --limit 5", ""},
                    {"snap snapshot list --json | jq -r '.snapshots[0].snapshot_id'", "the latest"}}},
      [listing](const Invocation& parsed) { return list(parsed, *listing); });
  list_command.add_option("--limit", listing->limit, "Show at most this many.")
      ->check(CLI::Range(std::int64_t{1}, listed_max))
      ->type_name("COUNT")
      ->capture_default_str();
  list_command
      .add_option("--contains", listing->contains, "Only snapshots whose message contains this text.")
      ->type_name("TEXT");

  auto shown = std::make_shared<std::string>();
  CLI::App& show_command = add_command(
      snapshot, invocation,
      {.name = "show",
       .description = "Show when and why a snapshot was taken, and its files.",
       .examples = {{"snap snapshot show snap_96b5c0893a", ""},
                    {"snap snapshot show --json snap_96b5 | jq '.entries[].path'", "any unique prefix"}}},
      [shown](const Invocation& parsed) { return show(parsed, *shown); });
  show_command.add_option("ID", *shown, snapshot_id_help)->required();

  add_snapshot_diff_command(snapshot, invocation);
  add_snapshot_restore_command(snapshot, invocation);
  add_snapshot_export_command(snapshot, invocation);
  add_gc_command(snapshot, invocation, "snapshot");
}

}  // namespace snapgen::tools
