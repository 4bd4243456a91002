#include "schemas/substrate/snapshot_file.h"

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "runtime/mcp/uri_template.h"
#include "tools/app/file_lines.h"
#include "tools/app/resource_uris.h"
#include "tools/engine/base/encoding.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

Result<core::FileQuery> file_query(mcp::Call& call, const SnapshotFileInput& in) {
  if (!in.path) return Error(ErrorCode::invalid_argument, "Pass path, or paths for several files.");
  std::string path = TRY(core::path_from_text(*in.path));
  return core::FileQuery{.path = std::move(path),
                         .start_line = in.start_line,
                         .end_line = in.end_line,
                         .bytes_max = content_bytes_max(call, in),
                         .converts_text = true};
}

Result<core::FilesQuery> files_query(mcp::Call& call, const SnapshotFileInput& in) {
  if (in.path || in.start_line || in.end_line)
    return Error(ErrorCode::invalid_argument,
                 "path, start_line and end_line are for one file. Pass paths without them.");
  return core::FilesQuery{.paths = TRY(core::paths_of_texts(*in.paths)),
                          .bytes_max = content_bytes_max(call, in),
                          .converts_text = true};
}

// Sets the members that both forms of a file have: alone, and as one of several.
template <class File>
void fill_file(File& out, const core::FileAnswer& file, std::string_view path, std::int64_t start_line,
               bool has_line_numbers) {
  out.blob = file.blob.text();
  out.content = file.is_utf8 ? core::text_of_utf8(file.content) : core::text_of_bytes(file.content);
  out.encoding = to_schema(file.encoding);
  out.path = core::text_of_path(path);
  out.size = file.size;
  out.total_lines = file.total_lines;
  out.truncated = file.truncated;
  end_at_line(out, start_line);
  if (has_line_numbers && out.total_lines && !out.content.starts_with(core::base64_prefix))
    out.content = numbered_lines(out.content, start_line);
}

SnapshotFileOutput file_output(core::ReadAnswer<core::FileAnswer> answer, const SnapshotFileInput& in,
                               const core::FileQuery& query) {
  const std::int64_t start_line = query.start_line.value_or(1);
  auto fill = [&](auto& out) {
    fill_file(out, answer.value, query.path, start_line, in.line_numbers);
    if ((!query.start_line && !query.end_line) || out.content.empty()) return;
    out.start_line = start_line;
    out.end_line = last_line_of(out.content, start_line);
  };
  return hybrid_output<SnapshotFileImmutable, SnapshotFileWorktree, SnapshotFileOutput>(
      std::move(answer.lease), fill);
}

SnapshotFileOutput files_output(core::ReadAnswer<core::FilesAnswer> answer, const SnapshotFileInput& in,
                                const core::FilesQuery& query) {
  auto fill = [&](auto& out) {
    for (std::size_t i = 0; i < query.paths.size(); ++i) {
      SnapshotOneFile& file = out.files.emplace_back();
      const Result<core::FileAnswer>& one = answer.value[i];
      if (one) {
        fill_file(file, *one, query.paths[i], 1, in.line_numbers);
      } else {
        file.path = core::text_of_path(query.paths[i]);
        file.problem = one.error().message;
      }
    }
  };
  return hybrid_output<SnapshotFilesImmutable, SnapshotFilesWorktree, SnapshotFileOutput>(
      std::move(answer.lease), fill);
}

Task<SnapshotFileOutput> read_several(App& app, mcp::Call& call, const SnapshotFileInput& in) {
  const core::FilesQuery query = co_await files_query(call, in);
  const core::ReadSource source = co_await read_source(in.mode, in.snapshot_id, in.lease_id);
  auto job = [&]() -> Result<SnapshotFileOutput> {
    core::Workspace* const workspace = TRY(app.workspace());
    return files_output(TRY(core::read_files(*workspace, source, query, call.stop())), in, query);
  };
  Result<SnapshotFileOutput> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  co_return outcome;
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
  if (in.paths) {
    Task<SnapshotFileOutput> reading = read_several(app, call, in);
    Result<SnapshotFileOutput> files = co_await std::move(reading);
    SnapshotFileOutput output = co_await files;
    co_return mcp::Summarized<SnapshotFileOutput>{.output = std::move(output), .summary = {}};
  }
  core::FileQuery query = co_await file_query(call, in);
  core::ReadSource source = co_await read_source(in.mode, in.snapshot_id, in.lease_id);
  // A small read costs less than passing it to the thread pool, so it is tried here first.
  if (core::Workspace* const workspace = app.try_workspace()) {
    std::optional<core::ReadAnswer<core::FileAnswer>> now = core::try_read_file(*workspace, source, query);
    if (now) co_return with_link(file_output(*std::move(now), in, query), in, query);
  }
  auto job = [&]() -> Result<core::ReadAnswer<core::FileAnswer>> {
    core::Workspace* const workspace = TRY(app.workspace());
    return core::read_file(*workspace, source, query, call.stop());
  };
  Result<core::ReadAnswer<core::FileAnswer>> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  core::ReadAnswer<core::FileAnswer> answer = co_await outcome;
  co_return with_link(file_output(std::move(answer), in, query), in, query);
}

}  // namespace snapgen::tools
