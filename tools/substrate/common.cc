#include "tools/substrate/common.h"

#include <algorithm>
#include <utility>

#include "runtime/mcp/elicitation.h"
#include "schemas/common/discard_form.h"
#include "tools/app/work_notes.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::tools {
namespace {

std::optional<std::int64_t> unless_zero(std::int64_t count) {
  if (count == 0) return std::nullopt;
  return count;
}

// Returns whether something exists at `text`. Errors: it is no path, or no tool may change it.
Result<bool> has_content_to_lose(App& app, const std::string& text) {
  const std::string path = TRY(core::path_from_text(text));
  core::Workspace* workspace = TRY(app.workspace());
  TRY(write_rules_of(*workspace).check(path));
  const Result<core::FileStat> stat = root_of(*workspace).lstat(path);
  if (!stat && stat.error().code != ErrorCode::not_found) return stat.error();
  return static_cast<bool>(stat);
}

}  // namespace

Fingerprint to_schema(core::Fingerprint fingerprint) {
  return Fingerprint{.head_oid = std::move(fingerprint.head_oid),
                     .index_oid = std::move(fingerprint.index_oid),
                     .status_hash = std::move(fingerprint.status_hash)};
}

ManifestStats to_schema(const core::ManifestStats& stats) {
  return ManifestStats{.bytes = stats.bytes, .files = stats.file_count};
}

Skipped to_schema(const core::SkippedCounts& skipped) {
  return Skipped{.binary = unless_zero(skipped.binary),
                 .ignored = unless_zero(skipped.ignored),
                 .nested_repository = unless_zero(skipped.nested_repository),
                 .not_a_file = unless_zero(skipped.not_a_file),
                 .not_captured = unless_zero(skipped.not_captured),
                 .symlink = unless_zero(skipped.symlink),
                 .too_large = unless_zero(skipped.too_large),
                 .unreadable = unless_zero(skipped.unreadable)};
}

std::string blob_prefix_of(std::string_view blob) {
  core::take_prefix(blob, "sha256:");
  return std::string(blob);
}

std::optional<std::string> text_of_line(const std::optional<std::string>& line) {
  if (!line) return std::nullopt;
  return core::text_of_bytes(*line);
}

std::vector<std::vector<std::int64_t>> to_schema(const std::vector<core::LineRange>& ranges) {
  std::vector<std::vector<std::int64_t>> out;
  for (const core::LineRange& range : ranges) {
    const std::int64_t first = core::first_line_of(range);
    out.push_back({first, first + range.count - 1});
  }
  return out;
}

std::optional<TextEncoding> to_schema(core::TextEncoding encoding) {
  switch (encoding) {
    case core::TextEncoding::utf8: break;
    case core::TextEncoding::utf16le: return TextEncoding::utf_16le;
    case core::TextEncoding::utf16be: return TextEncoding::utf_16be;
    case core::TextEncoding::latin1: return TextEncoding::latin_1;
    case core::TextEncoding::windows1252: return TextEncoding::windows_1252;
  }
  return std::nullopt;
}

std::vector<ShownLines> to_schema(const std::vector<core::ShownLines>& parts) {
  std::vector<ShownLines> out;
  for (const core::ShownLines& part : parts)
    out.push_back({.line = part.first_line, .text = core::text_of_bytes(part.text)});
  return out;
}

std::vector<std::string> texts_as_arguments(const std::vector<std::string>& lines) {
  std::vector<std::string> texts;
  texts.reserve(lines.size());
  for (const std::string& line : lines) texts.push_back(core::text_of_bytes(line));
  return texts;
}

Result<core::ReadSource> read_source(const std::optional<ReadMode>& mode,
                                     const std::optional<std::string>& snapshot_id,
                                     const std::optional<std::string>& lease_id) {
  ReadMode chosen = mode.value_or(snapshot_id ? ReadMode::snapshot : ReadMode::worktree);
  if (chosen == ReadMode::snapshot && !snapshot_id) {
    return Error(ErrorCode::invalid_argument,
                 "The mode snapshot needs a snapshot_id. Pass one, or omit mode.");
  }
  if (chosen == ReadMode::snapshot && lease_id) {
    return Error(ErrorCode::invalid_argument,
                 "A snapshot never changes and has no lease. Omit lease_id or snapshot_id.");
  }
  if (chosen == ReadMode::worktree && snapshot_id) {
    return Error(ErrorCode::invalid_argument,
                 "The mode worktree does not accept a snapshot_id. Omit one of them.");
  }
  return core::ReadSource{.snapshot_id = snapshot_id, .lease_id = lease_id};
}

void audit_changed_files(App& app, std::string_view event, const std::vector<std::string>& paths,
                         const std::optional<core::UndoSnapshot>& undo) {
  constexpr std::size_t logged_paths_max = 20;
  if (paths.empty()) return;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(paths.size(), logged_paths_max); ++i)
    texts.push_back(core::text_of_path(paths[i]));
  queue_audit_line(
      app, event,
      with_undo(
          core::AuditMembers().add("files", static_cast<std::int64_t>(paths.size())).add("paths", texts),
          undo));
}

Task<Unit> confirm_discard(const App& app, mcp::Call& call, std::string content) {
  if (app.allows_discard) co_return Unit{};
  if (!call.client_abilities().form)
    co_return Error(
        ErrorCode::permission_denied,
        "discard loses content for good, so the user must agree, and this client cannot ask. Nothing "
        "was changed. Omit discard: then the old content is kept first. Only the user can allow "
        "discard, with \"allow_discard\": true in ~/.config/snapgen/config.json.");
  std::string question =
      std::string(call.tool().safe_name) + " is about to lose " + content + " for good. No copy is kept.";
  Task<mcp::ElicitExchange<DiscardForm>> asking = mcp::elicit<DiscardForm>(call, std::move(question));
  Result<mcp::ElicitExchange<DiscardForm>> outcome = co_await std::move(asking);
  if (!outcome && outcome.error().code != ErrorCode::unavailable) co_return std::move(outcome).error();
  if (!outcome || !outcome->content || !outcome->content->discard)
    co_return Error(ErrorCode::permission_denied,
                    "The user did not agree to lose " + content +
                        " for good. Nothing was changed. Omit discard: then the old content is kept first.");
  co_return Unit{};
}

Task<Unit> confirm_discard_at(App& app, mcp::Call& call, const std::string& path, std::string content) {
  auto examining = [&] { return has_content_to_lose(app, path); };
  Result<bool> examined = co_await call.offload(examining);
  const bool asks = co_await examined;
  if (!asks) co_return Unit{};
  Task<Unit> asking = confirm_discard(app, call, std::move(content));
  Result<Unit> agreed = co_await std::move(asking);
  co_return agreed;
}

}  // namespace snapgen::tools
