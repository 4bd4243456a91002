#include "schemas/substrate/snapshot_file.h"

#include <optional>
#include <variant>

#include "runtime/mcp/uri_template.h"
#include "tools/app/file_lines.h"
#include "tools/app/resource_uris.h"
#include "tools/engine/base/encoding.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

Result<core::FileQuery> file_query(mcp::Call& call, const SnapshotFileInput& in) {
  std::string path = TRY(core::path_from_text(in.path));
  return core::FileQuery{.path = std::move(path),
                         .start_line = in.start_line,
                         .end_line = in.end_line,
                         .bytes_max = content_bytes_max(call, in)};
}

SnapshotFileOutput file_output(core::ReadAnswer<core::FileAnswer> answer, const core::FileQuery& query) {
  auto fill = [&](auto& out) {
    out.blob = answer.value.blob.text();
    out.content = core::text_of_bytes(answer.value.content);
    out.path = core::text_of_path(query.path);
    out.size = answer.value.size;
    out.total_lines = answer.value.total_lines;
    out.truncated = answer.value.truncated;
    end_at_line(out, query.start_line.value_or(1));
  };
  return hybrid_output<SnapshotFileImmutable, SnapshotFileWorktree, SnapshotFileOutput>(
      std::move(answer.lease), fill);
}

// Adds a link to the whole file if the content was cut at the default length. A call that sets another
// max_bytes expects a part, and a host with a limit has its own words for it, so they get no link.
mcp::Summarized<SnapshotFileOutput> with_link(SnapshotFileOutput output, const SnapshotFileInput& in,
                                              const core::FileQuery& query) {
  mcp::Summarized<SnapshotFileOutput> answer{.output = std::move(output), .summary = {}};
  if (query.bytes_max != static_cast<std::size_t>(SnapshotFileInput::max_bytes_default)) return answer;
  auto describe = [&](const auto& file, const std::string& uri) {
    if (!file.truncated) return;
    answer.summary = "This is only a part of " + file.path + ", which has " + std::to_string(file.size) +
                     " bytes. Continue with start_line, or with a larger max_bytes.";
    if (file.size > static_cast<std::int64_t>(resource_bytes_max)) return;
    mcp::ResourceLink& link = answer.links.emplace_back();
    link.uri = uri;
    link.name = file.path;
    link.description = "The whole file.";
    link.size = file.size;
  };
  if (const auto* live = std::get_if<SnapshotFileWorktree>(&answer.output))
    describe(*live, mcp::expand_uri(file_uri, {{"path", live->path}}));
  if (const auto* immutable = std::get_if<SnapshotFileImmutable>(&answer.output))
    describe(*immutable, mcp::expand_uri(snapshot_file_uri,
                                         {{"snapshot_id", *in.snapshot_id}, {"path", immutable->path}}));
  return answer;
}

}  // namespace

Task<mcp::Summarized<SnapshotFileOutput>> snapshot_file(App& app, mcp::Call& call,
                                                        const SnapshotFileInput& in) {
  core::FileQuery query = co_await file_query(call, in);
  core::ReadSource source = co_await read_source(in.mode, in.snapshot_id, in.lease_id);
  // A small read costs less than passing it to the thread pool, so it is tried here first.
  if (core::Workspace* const workspace = app.try_workspace()) {
    std::optional<core::ReadAnswer<core::FileAnswer>> now = core::try_read_file(*workspace, source, query);
    if (now) co_return with_link(file_output(*std::move(now), query), in, query);
  }
  auto job = [&]() -> Result<core::ReadAnswer<core::FileAnswer>> {
    core::Workspace* const workspace = TRY(app.workspace());
    return core::read_file(*workspace, source, query, call.stop());
  };
  Result<core::ReadAnswer<core::FileAnswer>> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  core::ReadAnswer<core::FileAnswer> answer = co_await outcome;
  co_return with_link(file_output(std::move(answer), query), in, query);
}

}  // namespace snapgen::tools
