#include "tools/server/listeners/ui_diff.h"

#include <utility>

#include "runtime/base/enum_cast.h"
#include "runtime/json/reader.h"
#include "runtime/mcp/render.h"
#include "schemas/ui/history_diff_query.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/text/text_encodings.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::tools {
namespace {

Result<core::HistoryDiffQuery> parse_query(std::string_view text) {
  HistoryDiffQuery in;
  json::Reader reader(text);
  read(reader, in);
  reader.end();
  if (!reader.ok()) return mcp::invalid_arguments(reader);
  core::HistoryDiffQuery query{.target = std::move(in.target),
                               .paths = {},
                               .context = static_cast<std::uint32_t>(in.context),
                               .text_bytes_max = static_cast<std::size_t>(in.max_bytes)};
  query.paths = TRY(core::paths_of_texts(in.paths));
  return query;
}

HistoryDiffFile to_schema(core::HistoryFileDiff file) {
  HistoryDiffFile out;
  out.added = file.added_lines;
  out.by = std::move(file.authors);
  out.change = enum_cast<HistoryDiffFileChange>(file.kind);
  if (!file.text.empty()) out.diff = std::move(file.text);
  if (file.omission) out.omitted = enum_cast<HistoryDiffFileOmitted>(*file.omission);
  out.path = core::text_of_path(file.path);
  out.removed = file.removed_lines;
  return out;
}

}  // namespace

Result<HistoryDiff> diff_for_page(App& app, std::string_view query, const std::stop_token& stop) {
  const core::HistoryDiffQuery wanted = TRY(parse_query(query));
  core::Workspace* workspace = TRY(app.workspace());
  core::MomentTaker* taker = TRY(app.history());
  const core::Timeline timeline = TRY(taker->log().read());
  core::TextEncodings encodings(core::declarations_in(root_of(*workspace)));
  return page_diff(*workspace, timeline, encodings, wanted, stop);
}

Result<HistoryDiff> page_diff(core::Workspace& workspace, const core::Timeline& timeline,
                              core::TextEncodings& encodings, const core::HistoryDiffQuery& query,
                              const std::stop_token& stop) {
  core::HistoryDiff diff =
      TRY(core::history_diff(timeline, blobs_of(workspace), encodings, query, core::now_ms(), stop));
  HistoryDiff out;
  for (core::HistoryFileDiff& each : diff.files) out.files.push_back(to_schema(std::move(each)));
  if (diff.file_count > static_cast<std::int64_t>(out.files.size())) out.file_count = diff.file_count;
  return out;
}

}  // namespace snapgen::tools
