#include "tools/cli/store_command.h"

#include <ctime>
#include <utility>
#include <vector>

#include "runtime/json/writer.h"
#include "tools/core/collect/collect.h"
#include "tools/core/collect/sweep.h"
#include "tools/core/collect/verify.h"
#include "tools/core/encoding.h"
#include "tools/core/phrase.h"

namespace snapgen::tools {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t damages_shown = 100;   // Of each; --json has all.
constexpr std::size_t snapshots_shown = 10;  // Of one damage.

// 1234567 as "1,234,567".
std::string counted(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}
std::string counted(std::int64_t value) { return counted(static_cast<std::uint64_t>(value)); }

std::string sized(std::uint64_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  std::size_t unit = 1;
  std::uint64_t tenths = bytes * 10 / 1024;
  for (; tenths >= 10240 && unit + 1 < std::size(units); ++unit) tenths /= 1024;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + units[unit];
}
std::string sized(std::int64_t bytes) { return sized(static_cast<std::uint64_t>(bytes)); }

std::string dated(std::int64_t ms) {
  std::time_t seconds = ms / 1000;
  std::tm parts = {};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
  return {text, size};
}

std::string aligned(const Rows& rows) {
  std::size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, value] : rows)
    text += name + std::string(width + 2 - name.size(), ' ') + value + "\n";
  return text;
}

// `members` in the order of their names.
std::string object_of(const Rows& members) {
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

std::string json_of_sweep(const core::Swept& swept) {
  return object_of({{"at_ms", std::to_string(swept.at_ms)},
                    {"bytes_freed", std::to_string(swept.bytes_freed)},
                    {"failure", swept.failure.empty() ? "null" : json::quoted(swept.failure)},
                    {"snapshots_removed", array_of(swept.removed, quoted_id)}});
}

std::string line_of(const core::Swept& swept) {
  if (!swept.failure.empty()) return dated(swept.at_ms) + ": " + swept.failure;
  return dated(swept.at_ms) + ": " + counted(swept.removed.size()) + " snapshots removed, " +
         sized(swept.bytes_freed) + " freed";
}

Result<Report> stats(core::Substrate& substrate, const StoreCommand& command) {
  Result<core::Usage> usage = core::usage(substrate, {});
  if (!usage) return std::move(usage).error();
  std::optional<core::Swept> swept = core::last_sweep(substrate);
  if (command.json) {
    return Report{.text = object_of({{"blob_bytes", std::to_string(usage->blob_bytes)},
                                     {"blobs", std::to_string(usage->blobs)},
                                     {"copies", std::to_string(usage->copies)},
                                     {"last_sweep", swept ? json_of_sweep(*swept) : "null"},
                                     {"latest_ms", std::to_string(usage->latest_ms)},
                                     {"logical_bytes", std::to_string(usage->logical_bytes)},
                                     {"oldest_ms", std::to_string(usage->oldest_ms)},
                                     {"reclaimable_bytes", std::to_string(usage->reclaimable_bytes)},
                                     {"segments", std::to_string(usage->segments)},
                                     {"snapshots", std::to_string(usage->snapshots)},
                                     {"store", json::quoted(core::text_of_bytes(substrate.store_folder()))},
                                     {"stored_bytes", std::to_string(usage->stored_bytes)}}) +
                          "\n"};
  }
  Rows rows = {{"store", substrate.store_folder()}, {"snapshots", counted(usage->snapshots)}};
  if (usage->snapshots > 0) {
    rows.emplace_back("  oldest", dated(usage->oldest_ms));
    rows.emplace_back("  latest", dated(usage->latest_ms));
    rows.emplace_back("  as copies", sized(usage->logical_bytes));
  }
  rows.emplace_back("blobs", counted(usage->blobs));
  rows.emplace_back("  contents", sized(usage->blob_bytes));
  rows.emplace_back("segments", counted(usage->segments));
  rows.emplace_back("on disk", sized(usage->stored_bytes));
  if (swept) rows.emplace_back("last sweep", line_of(*swept));
  rows.emplace_back("reclaimable", sized(usage->reclaimable_bytes) + " (snap store gc)");
  return Report{.text = aligned(rows)};
}

std::string json_of(const core::Damage& damage) {
  Rows members;
  if (damage.blob) members.emplace_back("blob", "\"" + damage.blob->text() + "\"");
  if (!damage.segment.empty()) {
    members.emplace_back("offset", std::to_string(damage.offset));
    members.emplace_back("segment", json::quoted(damage.segment));
  }
  members.emplace_back("snapshots", array_of(damage.snapshots, quoted_id));
  members.emplace_back("stands_elsewhere", flag(damage.stands_elsewhere));
  members.emplace_back("why", json::quoted(core::text_of_bytes(damage.why)));
  return object_of(members);
}

std::string line_of(const core::Damage& damage) {
  std::string text = "damaged: " + (damage.blob ? damage.blob->text() : std::string("what no index names"));
  if (!damage.segment.empty())
    text += "\n  at        segment " + damage.segment + ", offset " + std::to_string(damage.offset);
  text += "\n  why       " + damage.why;
  if (damage.stands_elsewhere) text += "\n  but       another copy of it is sound";
  if (damage.blob) {
    text += "\n  needed by ";
    if (damage.snapshots.empty()) text += "no snapshot";
    for (std::size_t i = 0; i < damage.snapshots.size() && i < snapshots_shown; ++i)
      text += (i > 0 ? " " : "") + core::short_snapshot(damage.snapshots[i]);
    if (damage.snapshots.size() > snapshots_shown)
      text += " and " + counted(damage.snapshots.size() - snapshots_shown) + " more";
  }
  return text + "\n";
}

Result<Report> verify(core::Substrate& substrate, const StoreCommand& command) {
  Result<core::Verified> found = core::verify_store(substrate, {});
  if (!found) return std::move(found).error();
  int exit_code = found->is_sound() ? 0 : 1;
  if (command.json) {
    auto snapshot = [](const core::DamagedSnapshot& damaged) {
      return object_of({{"snapshot_id", quoted_id(damaged.hex)}, {"why", json::quoted(damaged.why)}});
    };
    return Report{.text = object_of({{"blobs", std::to_string(found->blobs)},
                                     {"bytes", std::to_string(found->bytes)},
                                     {"damaged_snapshots", array_of(found->damaged_snapshots, snapshot)},
                                     {"damages", array_of(found->damages, json_of)},
                                     {"segments", std::to_string(found->segments)},
                                     {"snapshots", std::to_string(found->snapshots)},
                                     {"sound", flag(found->is_sound())},
                                     {"torn_bytes", std::to_string(found->torn_bytes)},
                                     {"wrong_indexes", array_of(found->wrong_indexes, json::quoted)}}) +
                          "\n",
                  .exit_code = exit_code};
  }
  std::string text;
  for (std::size_t i = 0; i < found->damages.size() && i < damages_shown; ++i)
    text += line_of(found->damages[i]);
  if (found->damages.size() > damages_shown)
    text += "and " + counted(found->damages.size() - damages_shown) + " more; --json names them all\n";
  for (const core::DamagedSnapshot& damaged : found->damaged_snapshots)
    text += "damaged: the snapshot sha256:" + damaged.hex + "\n  why       " + damaged.why + "\n";
  for (const std::string& segment : found->wrong_indexes)
    text += "wrong: the index of the segment " + segment + "; its blobs are found by scanning\n";
  text += aligned({{"snapshots", counted(found->snapshots)},
                   {"blobs", counted(found->blobs) + " (" + sized(found->bytes) + ")"},
                   {"segments", counted(found->segments)},
                   {"torn ends", sized(found->torn_bytes) + " (harmless)"},
                   {"result", found->is_sound() ? "sound" : "DAMAGED"}});
  return Report{.text = std::move(text), .exit_code = exit_code};
}

Result<Report> gc(core::Substrate& substrate, const StoreCommand& command, core::Retention retention) {
  retention.keep_days = command.keep_days.value_or(retention.keep_days);
  retention.keep_count = command.keep_count.value_or(retention.keep_count);
  core::CollectQuery query{
      .retention = retention, .dry_run = command.dry_run, .drop_damaged = command.drop_damaged};
  Result<core::Collected> done = core::collect(substrate, query, {});
  if (!done) return std::move(done).error();
  if (command.json) {
    auto snapshot = [](const core::SnapshotNote& note) { return quoted_id(note.hex); };
    return Report{.text = object_of({{"blobs_removed", std::to_string(done->blobs_removed)},
                                     {"bytes_freed", std::to_string(done->bytes_freed)},
                                     {"dry_run", flag(command.dry_run)},
                                     {"segments_damaged", std::to_string(done->segments_damaged)},
                                     {"segments_in_use", std::to_string(done->segments_in_use)},
                                     {"segments_removed", std::to_string(done->segments_removed)},
                                     {"snapshots_kept", std::to_string(done->kept)},
                                     {"snapshots_removed", array_of(done->removed, snapshot)},
                                     {"stored_bytes", std::to_string(done->store_bytes)}}) +
                          "\n"};
  }
  std::string text;
  for (const core::SnapshotNote& note : done->removed) {
    text += (command.dry_run ? "would remove " : "removed ") + core::short_snapshot(note.hex) + "  " +
            dated(note.latest_ms);
    if (!note.message.empty()) text += "  " + note.message.substr(0, note.message.find('\n'));
    text += "\n";
  }
  Rows rows = {{"snapshots kept", counted(done->kept)},
               {command.dry_run ? "would remove" : "removed", counted(done->removed.size())},
               {command.dry_run ? "would free" : "freed", sized(done->bytes_freed)}};
  if (done->segments_in_use > 0)
    rows.emplace_back("left alone", counted(done->segments_in_use) + " segments that are being written");
  if (done->segments_damaged > 0)
    rows.emplace_back("left alone",
                      counted(done->segments_damaged) + " damaged segments (snap store verify)");
  rows.emplace_back("on disk", sized(done->store_bytes));
  return Report{.text = text + aligned(rows)};
}

}  // namespace

Result<Report> run_store_command(core::Substrate& substrate, const StoreCommand& command,
                                 core::Retention retention) {
  switch (command.action) {
    case StoreCommand::Action::stats: return stats(substrate, command);
    case StoreCommand::Action::verify: return verify(substrate, command);
    case StoreCommand::Action::gc: return gc(substrate, command, retention);
  }
  return Error(ErrorCode::internal, "There is no such command.");
}

}  // namespace snapgen::tools
