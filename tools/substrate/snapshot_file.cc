#include "schemas/substrate/snapshot_file.h"

#include <optional>
#include <variant>

#include "runtime/mcp/uri_template.h"
#include "tools/app/resource_uris.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/read/file.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

Result<core::FileQuery> query_of(const SnapshotFileInput& in) {
  std::string path = TRY(core::path_from_text(in.path));
  return core::FileQuery{.path = std::move(path),
                         .start_line = in.start_line,
                         .end_line = in.end_line,
                         .bytes_max = static_cast<std::size_t>(in.max_bytes)};
}

// Puts the answer's members into either kind of output.
struct Fill {
  const core::FileQuery& query;

  void operator()(const core::FileAnswer& answer, auto& out) const {
    out.blob = answer.blob.text();
    out.content = core::text_of_bytes(answer.content);
    out.path = core::text_of_path(query.path);
    out.size = answer.size;
    out.total_lines = answer.total_lines;
    out.truncated = answer.truncated;
  }
};

Result<SnapshotFileOutput> read(App& app, const SnapshotFileInput& in, const std::stop_token& stop) {
  core::FileQuery query = TRY(query_of(in));
  auto read = [&](core::View& view) { return core::read_file(view, query); };
  return answer_hybrid<SnapshotFileImmutable, SnapshotFileWorktree, SnapshotFileOutput>(app, in, stop, read,
                                                                                        Fill{query});
}

// What costs less than the way to another thread and back; none if it would cost more.
std::optional<SnapshotFileOutput> read_now(App& app, const SnapshotFileInput& in) {
  Result<core::FileQuery> query = query_of(in);
  if (!query) return std::nullopt;
  auto read = [&](core::View& view) { return core::read_file(view, *query); };
  if (in.snapshot_id) {
    auto is_small = [&](core::SnapshotView& view) {
      return view.size_at(query->path).value_or(INT64_MAX) <= core::try_bytes_max;
    };
    std::optional<SnapshotFileImmutable> kept =
        answer_from_memory<SnapshotFileImmutable>(app, in, is_small, read, Fill{*query});
    if (!kept) return std::nullopt;
    return SnapshotFileOutput(*std::move(kept));
  }
  std::optional<SnapshotFileWorktree> out = try_answer<SnapshotFileWorktree>(app, in, read, Fill{*query});
  if (!out) return std::nullopt;
  return SnapshotFileOutput(*std::move(out));
}

// With where the rest of a file is that was cut. Who limits the answer knows what that leaves out.
mcp::Summarized<SnapshotFileOutput> with_link(SnapshotFileOutput output, const SnapshotFileInput& in) {
  mcp::Summarized<SnapshotFileOutput> answer{.output = std::move(output), .summary = {}};
  if (in.max_bytes != SnapshotFileInput().max_bytes) return answer;
  auto describe = [&](const auto& file, const std::string& uri) {
    if (!file.truncated) return;
    answer.summary = "This is not the whole of " + file.path + ", which has " + std::to_string(file.size) +
                     " bytes; go on with start_line, or with a larger max_bytes.";
    if (file.size > static_cast<std::int64_t>(resource_bytes_max)) return;
    mcp::ResourceLink& link = answer.links.emplace_back();
    link.uri = uri;
    link.name = file.path;
    link.description = "The whole file.";
    link.size = file.size;
  };
  if (const auto* live = std::get_if<SnapshotFileWorktree>(&answer.output))
    describe(*live, mcp::expand_uri(file_uri, {{"path", live->path}}));
  if (const auto* kept = std::get_if<SnapshotFileImmutable>(&answer.output))
    describe(*kept,
             mcp::expand_uri(snapshot_file_uri, {{"snapshot_id", *in.snapshot_id}, {"path", kept->path}}));
  return answer;
}

}  // namespace

Task<mcp::Summarized<SnapshotFileOutput>> snapshot_file(App& app, mcp::Call& call,
                                                        const SnapshotFileInput& in) {
  if (std::optional<SnapshotFileOutput> now = read_now(app, in)) co_return with_link(*std::move(now), in);
  auto job = [&] { return read(app, in, call.stop()); };
  Result<SnapshotFileOutput> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  SnapshotFileOutput output = co_await outcome;
  co_return with_link(std::move(output), in);
}

}  // namespace snapgen::tools
