#include "tools/engine/operations/gc/sweep.h"

#include <sys/stat.h>
#include <unistd.h>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/operations/gc/gc.h"
#include "tools/engine/store/blobs/segment.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::core {
namespace {

constexpr std::string_view sweep_file_name = "sweep";
constexpr std::uint64_t sweep_file_bytes_max = 1 << 20;
constexpr const char* request_name = "sweep-requested";
constexpr std::int64_t hour_ms = 3600 * 1000;
// The minimum time between two sweeps for the quota or a request. Without it, a store that cannot be made
// small enough would be swept continuously.
constexpr std::int64_t quota_wait_ms = hour_ms;

constexpr std::string_view quota_is_too_small =
    "The snapshots that must be kept take more than quota_bytes, so none was removed early. Raise "
    "quota_bytes in .snapback/config.json, or exclude large files from snapshots with .gitignore.";

std::string encoded_sweep(const SweepResult& swept) {
  return JsonObject()
      .add("at_ms", swept.at_ms)
      .add("bytes_freed", swept.bytes_freed)
      .add("failure", text_of_bytes(swept.failure))
      .add("removed", swept.removed)
      .finish();
}

std::int64_t segment_bytes(const Workspace& workspace) {
  std::string folder = store_folder_of(workspace) + "/blobs";
  std::int64_t sum = 0;
  for (const std::string& name : segment_names(folder).value_or(std::vector<std::string>())) {
    struct stat st;
    if (::stat((folder + "/" + name + ".seg").c_str(), &st) == 0) sum += st.st_size;
  }
  return sum;
}

std::string request_path(const Workspace& workspace) {
  return store_folder_of(workspace) + "/" + request_name;
}

Result<Unit> write_down(const Workspace& workspace, const SweepResult& swept) {
  return replace_file(store_folder_of(workspace), sweep_file_name, encoded_sweep(swept),
                      Durability::process_crash);
}

}  // namespace

std::optional<SweepResult> last_sweep(const Workspace& workspace) {
  Result<std::string> text =
      read_whole_file(store_folder_of(workspace) + "/" + std::string(sweep_file_name), sweep_file_bytes_max);
  if (!text || !json::valid_utf8(*text)) return std::nullopt;
  SweepResult swept;
  json::Reader in(*text);
  json::read_members(in, "at_ms", swept.at_ms, "bytes_freed", swept.bytes_freed, "failure", swept.failure,
                     "removed", swept.removed);
  in.end();
  if (!in.ok()) return std::nullopt;
  return swept;
}

bool sweep_is_due(const Workspace& workspace, const Retention& retention) {
  if (retention.sweep_hours == 0) return false;
  std::int64_t now_ms = now_of(workspace) / 1'000'000;
  std::optional<SweepResult> last = last_sweep(workspace);
  // If the last sweep is in the future, the clock was or is wrong, and the interval begins again.
  if (last && (last->at_ms < 0 || last->at_ms > now_ms)) last.reset();
  if (!last) {
    Result<Unit> begun = write_down(workspace, SweepResult{.at_ms = now_ms, .removed = {}, .failure = {}});
    (void)begun;
    return segment_bytes(workspace) > retention.store_bytes_max();
  }
  if (now_ms - last->at_ms >= retention.sweep_hours * hour_ms) return true;
  if (now_ms - last->at_ms < quota_wait_ms) return false;
  return ::access(request_path(workspace).c_str(), F_OK) == 0 ||
         segment_bytes(workspace) > retention.store_bytes_max();
}

Result<Unit> request_sweep(const Workspace& workspace) {
  return make_file_if_missing(store_folder_of(workspace), request_name, "");
}

Result<SweepResult> sweep(Workspace& workspace, const Retention& retention, const GetSparedSnapshots& spared,
                          const std::stop_token& stop) {
  CollectQuery query{.retention = retention, .spared_snapshots = spared};
  ::unlink(request_path(workspace).c_str());  // A thinning meanwhile requests another sweep.
  Result<CollectResult> collected = collect_garbage(workspace, query, stop);
  if (!collected && collected.error().code == ErrorCode::cancelled) return std::move(collected).error();
  SweepResult swept{.at_ms = now_of(workspace) / 1'000'000, .removed = {}, .failure = {}};
  if (collected) {
    swept.bytes_freed = static_cast<std::int64_t>(collected->bytes_freed);
    for (const SnapshotNote& note : collected->removed) swept.removed.push_back(note.hex);
    if (collected->quota_is_too_small) swept.failure = quota_is_too_small;
  } else {
    swept.failure = collected.error().message;
  }
  TRY(write_down(workspace, swept));
  return swept;
}

}  // namespace snapgen::core
