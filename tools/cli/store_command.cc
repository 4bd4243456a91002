#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/json/writer.h"
#include "tools/app/settings.h"
#include "tools/cli/commands.h"
#include "tools/cli/terminal.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/gc/gc.h"
#include "tools/engine/operations/gc/kinds.h"
#include "tools/engine/operations/gc/sweep.h"
#include "tools/engine/operations/gc/verify.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/engine/write/writer.h"
#include "tools/server/trees/find_workspace.h"
#include "tools/work/log/audit_line.h"
#include "tools/work/log/log_writer.h"
#include "tools/work/task/task_store.h"

namespace snapgen::tools {
namespace {

using Members = std::vector<std::pair<std::string, std::string>>;  // Names with values in JSON.

struct GcOptions {
  bool dry_run = false;
  bool drop_damaged = false;
  std::optional<std::int64_t> keep_days;  // The value of --keep-days, which overrides the settings.
  std::optional<std::int64_t> keep_count;
};

constexpr std::size_t damages_shown = 100;   // Number of damages that are shown per list; --json prints all.
constexpr std::size_t snapshots_shown = 10;  // Number of snapshots that are shown per damaged object.

// Returns an object that has `members` in this order.
std::string object_of(const Members& members) {
  std::string text = "{";
  for (const auto& [name, value] : members) {
    if (text.size() > 1) text += ",";
    text += "\"" + name + "\":" + value;
  }
  return text + "}";
}

template <class T, class F>
std::string array_of(const std::vector<T>& items, F element) {
  std::string text = "[";
  for (const T& item : items) {
    if (text.size() > 1) text += ",";
    text += element(item);
  }
  return text + "]";
}

std::string flag(bool value) { return value ? "true" : "false"; }
std::string quoted_id(const std::string& hex) { return "\"sha256:" + hex + "\""; }

std::string json_of_sweep(const core::SweepResult& swept) {
  return object_of({{"at_ms", std::to_string(swept.at_ms)},
                    {"bytes_freed", std::to_string(swept.bytes_freed)},
                    {"failure", swept.failure.empty() ? "null" : json::quoted(swept.failure)},
                    {"snapshots_removed", array_of(swept.removed, quoted_id)}});
}

std::string line_of(const core::SweepResult& swept, const Terminal& out) {
  std::string done =
      number_text(swept.removed.size()) + " snapshots removed, " + size_text(swept.bytes_freed) + " freed";
  if (!swept.failure.empty()) done = swept.removed.empty() ? swept.failure : done + "; " + swept.failure;
  return time_text(swept.at_ms, out) + ": " + done;
}

// The objects that all subcommands need.
struct OpenedPath {
  // The log book, for writes of killed processes that are recovered here.
  std::unique_ptr<core::LogWriter> log_writer;
  std::shared_ptr<core::Workspace> workspace;
  core::Retention retention;
  core::StoreLimits limits;
};

// Opens the workspace. Errors: as resolve_workspace(), read_settings() and open_workspace().
Result<OpenedPath> open(const Invocation& invocation) {
  std::string workspace_folder = TRY(resolve_workspace(WorkspaceSources::of_command(invocation.workspace)));
  Settings settings = TRY(read_settings(workspace_folder));
  std::shared_ptr<core::Workspace> workspace = TRY(core::open_workspace(workspace_folder));
  const core::StoreLimits limits = store_limits_of(settings);
  auto log_writer =
      std::make_unique<core::LogWriter>(workspace_folder, core::LogLimits::of(limits.log_bytes_max));
  writer_of(*workspace).set_listener([log = log_writer.get()](const std::string& line) {
    log->add(core::LogKind::audit, line, core::LogFolder::create_if_missing);
  });
  return OpenedPath{.log_writer = std::move(log_writer),
                    .workspace = std::move(workspace),
                    .retention = retention_of(settings),
                    .limits = limits};
}

// Returns the sizes as JSON: {"leases":{"bytes":1,"bytes_max":2},...}; null means unlimited.
std::string json_of_kinds(const std::vector<core::DataUsage>& kinds) {
  Members members;
  for (const core::DataUsage& each : kinds)
    members.emplace_back(
        each.name, object_of({{"bytes", std::to_string(each.bytes)},
                              {"bytes_max", each.bytes_max ? std::to_string(*each.bytes_max) : "null"}}));
  std::sort(members.begin(), members.end());
  return object_of(members);
}

Result<int> stats(const Invocation& invocation) {
  OpenedPath opened = TRY(open(invocation));
  core::Workspace& workspace = *opened.workspace;
  core::StoreUsage usage = TRY(core::store_usage(workspace, {}));
  std::optional<core::SweepResult> swept = core::last_sweep(workspace);
  const std::vector<core::DataUsage> kinds = core::data_usages(
      root_of(workspace).folder(), store_folder_of(workspace), tree_folder_of(workspace), opened.limits);
  if (invocation.prints_json) {
    return print_answer(invocation,
                        object_of({{"blob_bytes", std::to_string(usage.blob_bytes)},
                                   {"blobs", std::to_string(usage.blob_count)},
                                   {"copies", std::to_string(usage.blob_copy_count)},
                                   {"kinds", json_of_kinds(kinds)},
                                   {"last_sweep", swept ? json_of_sweep(*swept) : "null"},
                                   {"latest_ms", std::to_string(usage.latest_ms)},
                                   {"logical_bytes", std::to_string(usage.logical_bytes)},
                                   {"oldest_ms", std::to_string(usage.oldest_ms)},
                                   {"reclaimable_bytes", std::to_string(usage.reclaimable_bytes)},
                                   {"segments", std::to_string(usage.segment_count)},
                                   {"snapshots", std::to_string(usage.snapshot_count)},
                                   {"store", json::quoted(core::text_of_bytes(store_folder_of(workspace)))},
                                   {"stored_bytes", std::to_string(usage.stored_bytes)}}),
                        "");
  }
  Facts rows = {{"store", store_folder_of(workspace)}, {"snapshots", number_text(usage.snapshot_count)}};
  if (usage.snapshot_count > 0) {
    rows.emplace_back("  oldest", time_text(usage.oldest_ms, invocation.out));
    rows.emplace_back("  latest", time_text(usage.latest_ms, invocation.out));
    rows.emplace_back("  as copies", size_text(usage.logical_bytes));
  }
  rows.emplace_back("blobs", number_text(usage.blob_count));
  rows.emplace_back("  contents", size_text(usage.blob_bytes));
  rows.emplace_back("segments", number_text(usage.segment_count));
  rows.emplace_back("on disk", size_text(usage.stored_bytes));
  if (swept) rows.emplace_back("last sweep", line_of(*swept, invocation.out));
  rows.emplace_back("reclaimable", size_text(usage.reclaimable_bytes) + " (snap store gc)");
  rows.emplace_back("by kind", "");
  for (const core::DataUsage& each : kinds) {
    std::string room = size_text(static_cast<std::uint64_t>(each.bytes));
    if (each.bytes_max)
      room += " of at most " + size_text(static_cast<std::uint64_t>(*each.bytes_max)) + " (store." +
              std::string(each.setting) + ")";
    rows.emplace_back("  " + std::string(each.name), std::move(room));
  }
  return print_answer(invocation, "", facts_text(rows, invocation.out));
}

std::string damage_json(const core::BlobDamage& damage) {
  Members members;
  if (damage.blob) members.emplace_back("blob", "\"" + damage.blob->text() + "\"");
  members.emplace_back("more_paths", flag(damage.has_more_paths));
  if (!damage.segment.empty()) members.emplace_back("offset", std::to_string(damage.offset));
  members.emplace_back("paths", array_of(damage.paths, [](const std::string& path) {
                         return json::quoted(core::text_of_path(path));
                       }));
  if (!damage.segment.empty()) members.emplace_back("segment", json::quoted(damage.segment));
  members.emplace_back("snapshots", array_of(damage.snapshots, quoted_id));
  members.emplace_back("stands_elsewhere", flag(damage.has_sound_copy));
  members.emplace_back("why", json::quoted(core::text_of_bytes(damage.why)));
  return object_of(members);
}

std::string line_of(const core::BlobDamage& damage) {
  const std::string_view location = damage.segment.empty() ? "undo snapshots" : "in no index";
  std::string text = "damaged: " + (damage.blob ? damage.blob->text() : std::string(location));
  if (!damage.segment.empty())
    text += "\n  at        segment " + damage.segment + ", offset " + std::to_string(damage.offset);
  text += "\n  why       " + damage.why;
  if (damage.has_sound_copy) text += "\n  but       another copy of it is sound";
  if (damage.blob) {
    text += "\n  needed by ";
    if (damage.snapshots.empty()) text += "no snapshot";
    for (std::size_t i = 0; i < damage.snapshots.size() && i < snapshots_shown; ++i)
      text += (i > 0 ? " " : "") + core::short_snapshot_id(damage.snapshots[i]);
    if (damage.snapshots.size() > snapshots_shown)
      text += " and " + number_text(damage.snapshots.size() - snapshots_shown) + " more";
  }
  for (std::size_t i = 0; i < damage.paths.size(); ++i)
    text += (i == 0 ? "\n  files     " : ", ") + core::path_in_sentence(damage.paths[i]);
  if (damage.has_more_paths) text += " and more";
  return text + "\n";
}

Result<int> verify(const Invocation& invocation) {
  OpenedPath opened = TRY(open(invocation));
  core::VerifyResult found = TRY(core::verify_store(*opened.workspace, {}));
  const int exit_code = found.is_sound() ? exit_done : exit_failed_or_found;
  if (invocation.prints_json) {
    auto snapshot = [](const core::DamagedSnapshot& damaged) {
      return object_of({{"snapshot_id", quoted_id(damaged.hex)}, {"why", json::quoted(damaged.why)}});
    };
    return print_answer(
        invocation,
        object_of({{"blobs", std::to_string(found.blob_copy_count)},
                   {"bytes", std::to_string(found.content_bytes)},
                   {"damaged_snapshots", array_of(found.damaged_snapshots, snapshot)},
                   {"damages", array_of(found.damages, damage_json)},
                   {"segments", std::to_string(found.segment_count)},
                   {"snapshots", std::to_string(found.snapshot_count)},
                   {"sound", flag(found.is_sound())},
                   {"torn_bytes", std::to_string(found.torn_bytes)},
                   {"wrong_indexes", array_of(found.segments_with_wrong_index, json::quoted)}}),
        "", exit_code);
  }
  std::string text;
  for (std::size_t i = 0; i < found.damages.size() && i < damages_shown; ++i)
    text += line_of(found.damages[i]);
  if (found.damages.size() > damages_shown)
    text += "and " + number_text(found.damages.size() - damages_shown) + " more; --json names them all\n";
  for (const core::DamagedSnapshot& damaged : found.damaged_snapshots)
    text += "damaged: the snapshot sha256:" + damaged.hex + "\n  why       " + damaged.why + "\n";
  for (const std::string& segment : found.segments_with_wrong_index)
    text += "wrong: the index of the segment " + segment +
            "; reading works without it, and snap store gc creates it again\n";
  text +=
      facts_text({{"snapshots", number_text(found.snapshot_count)},
                  {"blobs", number_text(found.blob_copy_count) + " (" + size_text(found.content_bytes) + ")"},
                  {"segments", number_text(found.segment_count)},
                  {"torn ends", size_text(found.torn_bytes) + " (harmless)"},
                  {"result", found.is_sound() ? "sound" : "DAMAGED"}},
                 invocation.out);
  return print_answer(invocation, "", text, exit_code);
}

Result<int> gc(const Invocation& invocation, const GcOptions& command) {
  OpenedPath opened = TRY(open(invocation));
  core::Retention retention = opened.retention;
  retention.keep_days = command.keep_days.value_or(retention.keep_days);
  retention.keep_count = command.keep_count.value_or(retention.keep_count);
  core::CollectQuery query{
      .retention = retention,
      .spared_snapshots = core::spared_by_open_tasks(store_folder_of(*opened.workspace),
                                                     core::record_folders_of(*opened.workspace)),
      .dry_run = command.dry_run,
      .drop_damaged = command.drop_damaged};
  Result<core::CollectResult> collected = core::collect_garbage(*opened.workspace, query, {});
  const bool may_be_dropped =
      !collected && collected.error().code == ErrorCode::internal && !command.drop_damaged;
  if (may_be_dropped)
    collected.error().message += " snap store gc --drop-damaged removes damaged snapshots too.";
  if (!collected) return std::move(collected).error();
  if (!command.dry_run && !collected->removed.empty()) {
    std::vector<std::string> ids;
    for (const core::SnapshotNote& note : collected->removed) ids.push_back(note.hex);
    opened.log_writer->add(
        core::LogKind::audit,
        core::garbage_collection_line(ids, static_cast<std::int64_t>(collected->bytes_freed)),
        core::LogFolder::only_if_exists);
  }
  if (invocation.prints_json) {
    auto snapshot = [](const core::SnapshotNote& note) { return quoted_id(note.hex); };
    return print_answer(invocation,
                        object_of({{"blobs_removed", std::to_string(collected->blobs_removed)},
                                   {"bytes_freed", std::to_string(collected->bytes_freed)},
                                   {"dry_run", flag(command.dry_run)},
                                   {"quota_is_too_small", flag(collected->quota_is_too_small)},
                                   {"segments_damaged", std::to_string(collected->segments_damaged)},
                                   {"segments_in_use", std::to_string(collected->segments_in_use)},
                                   {"segments_removed", std::to_string(collected->segments_removed)},
                                   {"snapshots_kept", std::to_string(collected->retained_snapshots)},
                                   {"snapshots_removed", array_of(collected->removed, snapshot)},
                                   {"stored_bytes", std::to_string(collected->store_bytes)}}),
                        "");
  }
  std::string text;
  for (const core::SnapshotNote& note : collected->removed) {
    text += (command.dry_run ? "would remove " : "removed ") + core::short_snapshot_id(note.hex) + "  " +
            time_text(note.latest_ms, invocation.out);
    if (!note.message.empty()) text += "  " + printable(note.message);
    text += "\n";
  }
  Facts rows = {{"snapshots kept", number_text(collected->retained_snapshots)},
                {command.dry_run ? "would remove" : "removed", number_text(collected->removed.size())},
                {command.dry_run ? "would free" : "freed", size_text(collected->bytes_freed)}};
  if (collected->segments_in_use > 0)
    rows.emplace_back("left alone",
                      number_text(collected->segments_in_use) + " segments that are being written");
  if (collected->segments_damaged > 0)
    rows.emplace_back("left alone",
                      number_text(collected->segments_damaged) + " damaged segments (snap store verify)");
  if (collected->quota_is_too_small)
    rows.emplace_back("quota", "less than the snapshots that must be kept take, so none was removed for it");
  rows.emplace_back("on disk", size_text(collected->store_bytes));
  return print_answer(invocation, "", text + facts_text(rows, invocation.out));
}

}  // namespace

CLI::App& add_gc_command(CLI::App& parent, Invocation& invocation, const std::string& group) {
  auto options = std::make_shared<GcOptions>();
  CLI::App& command = add_command(
      parent, invocation,
      {.name = "gc",
       .description = "Remove expired snapshots, then the data that no snapshot needs. Young snapshots "
                      "and the latest ones are kept, as set under \"store\" in .snapback/config.json.",
       .examples = {{"snap " + group + " gc --dry-run", "what would be removed"},
                    {"snap " + group + " gc --keep-days 30 --keep-count 100", ""}}},
      [options](const Invocation& parsed) { return gc(parsed, *options); });
  command.add_flag("--dry-run", options->dry_run, "Say what would be removed, and change nothing.");
  command
      .add_option("--keep-days", options->keep_days,
                  "Keep younger snapshots; overrides keep_days in the settings.")
      ->check(CLI::Range(0, 36500))
      ->type_name("DAYS");
  command
      .add_option("--keep-count", options->keep_count,
                  "Keep this many of the latest; overrides keep_count in the settings.")
      ->check(CLI::Range(0, 1000000))
      ->type_name("COUNT");
  command.add_flag(
      "--drop-damaged", options->drop_damaged,
      "Also remove snapshots whose manifest cannot be read; otherwise they stop the collection.");
  return command;
}

void add_store_commands(CLI::App& program, Invocation& invocation) {
  CLI::App& store = add_group(program, "store", "Inspect, verify and clean up the snapshot store.");
  store.require_subcommand(0, 1);
  store.callback([&store, &invocation] {
    if (store.get_subcommands().empty()) invocation.run = stats;
  });
  add_command(
      store, invocation,
      {.name = "stats",
       .description = "Show the content of the store, and the size and limit of each kind of data. `snap "
                      "store` does the same.",
       .examples = {{"snap store stats", ""}}},
      stats);
  add_command(
      store, invocation,
      {.name = "verify",
       .description = "Read and hash every blob and every snapshot, and list the damaged ones.",
       .examples = {{"snap store verify", ""}, {"snap store verify --json | jq .damages", ""}},
       .exit_codes =
           "0 the store is sound; 1 it is damaged, or something failed; 2 the command line is wrong."},
      verify);
  add_gc_command(store, invocation, "store");
}

}  // namespace snapgen::tools
