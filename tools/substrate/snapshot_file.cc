#include "schemas/substrate/snapshot_file.h"

#include "tools/core/encoding.h"
#include "tools/core/search/file.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

Result<SnapshotFileOutput> read(App& app, const SnapshotFileInput& in, const std::stop_token& stop) {
  Result<std::string> path = core::path_from_text(in.path);
  if (!path) return std::move(path).error();
  core::FileQuery query{.path = *std::move(path),
                        .start_line = in.start_line,
                        .end_line = in.end_line,
                        .bytes_max = static_cast<std::size_t>(in.max_bytes)};
  auto read = [&](core::View& view) { return core::read_file(view, query); };
  auto fill = [&](core::FileAnswer answer, auto& out) {
    out.blob = answer.blob.text();
    out.content = core::text_of_bytes(answer.content);
    out.path = core::text_of_path(query.path);
    out.size = answer.size;
    out.total_lines = answer.total_lines;
    out.truncated = answer.truncated;
  };
  return answer_hybrid<SnapshotFileImmutable, SnapshotFileWorktree, SnapshotFileOutput>(app, in, stop, read,
                                                                                        fill);
}

}  // namespace

Task<SnapshotFileOutput> snapshot_file(App& app, mcp::Call& call, const SnapshotFileInput& in) {
  auto job = [&] { return read(app, in, call.stop()); };
  Result<SnapshotFileOutput> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  co_return outcome;
}

}  // namespace snapgen::tools
