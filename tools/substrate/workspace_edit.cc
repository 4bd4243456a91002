#include "schemas/substrate/workspace_edit.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "runtime/base/enum_cast.h"
#include "tools/app/work_notes.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/operations/edit_files.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

using Fault = core::EditFaultReason;

constexpr std::size_t named_files_max = 10;

// ---- From the arguments to edits

// The members of an edit that decide its kind, besides `path` and `new`.
enum class EditKind : std::uint8_t { text, lines, pattern, create, remove, move };

struct KindRow {
  EditKind kind;
  std::string_view member;                 // The member that decides.
  std::array<std::string_view, 6> others;  // The other ones that an edit of this kind may have.
};

constexpr std::array<KindRow, 6> kind_rows = {{
    {EditKind::text, "old", {"path", "new", "all", "tolerance"}},
    {EditKind::lines, "start_line", {"path", "new", "end_line", "blob"}},
    {EditKind::pattern, "pattern", {"new", "fixed", "word", "globs", "paths", "expect"}},
    {EditKind::create, "create", {"path", "executable"}},
    {EditKind::remove, "delete", {"path"}},
    {EditKind::move, "move_to", {"path"}},
}};

// Returns the names of the members that the edit has. A default counts as absent.
std::vector<std::string_view> members_of(const FileEdit& edit) {
  std::vector<std::string_view> members;
  auto add = [&](bool is_present, std::string_view name) {
    if (is_present) members.push_back(name);
  };
  add(edit.all, "all");
  add(edit.blob.has_value(), "blob");
  add(edit.create.has_value(), "create");
  add(edit.delete_, "delete");
  add(edit.end_line.has_value(), "end_line");
  add(edit.executable, "executable");
  add(edit.expect.has_value(), "expect");
  add(edit.fixed, "fixed");
  add(edit.globs.has_value(), "globs");
  add(edit.move_to.has_value(), "move_to");
  add(edit.new_.has_value(), "new");
  add(edit.old.has_value(), "old");
  add(edit.path.has_value(), "path");
  add(edit.paths.has_value(), "paths");
  add(edit.pattern.has_value(), "pattern");
  add(edit.start_line.has_value(), "start_line");
  add(edit.tolerance != FileEditTolerance::none, "tolerance");
  add(edit.word, "word");
  return members;
}

// Returns the members that an edit of this kind must have and `members` lacks, as words. The engine asks for
// `expect`, with the number of matches.
std::string missing_members(const KindRow& row, const std::vector<std::string_view>& members) {
  constexpr std::array<std::string_view, 4> required = {"path", "new", "end_line", "blob"};
  std::string missing;
  for (const std::string_view name : required) {
    const bool is_wanted = std::ranges::find(row.others, name) != row.others.end();
    if (is_wanted && std::ranges::find(members, name) == members.end())
      missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  return missing;
}

// Returns the kind of the edit, or a sentence on what is wrong with its members.
std::pair<const KindRow*, std::string> kind_of(const FileEdit& edit) {
  const std::vector<std::string_view> members = members_of(edit);
  const KindRow* kind = nullptr;
  for (const KindRow& row : kind_rows) {
    if (std::ranges::find(members, row.member) == members.end()) continue;
    if (kind != nullptr)
      return {nullptr, std::string(kind->member) + " and " + std::string(row.member) +
                           " are of different edits. Send one edit for each."};
    kind = &row;
  }
  if (kind == nullptr)
    return {nullptr,
            "The edit has neither old, start_line, pattern, create, delete nor move_to, so it does not say "
            "what to change. To replace a text send path, old and new."};
  for (const std::string_view member : members)
    if (member != kind->member && std::ranges::find(kind->others, member) == kind->others.end()) {
      // Without a path, the edit would change files that were not meant.
      const bool takes_paths = std::ranges::find(kind->others, "paths") != kind->others.end();
      const std::string advice =
          member == "path" && takes_paths ? "Send the file in the list paths." : "Omit it.";
      return {nullptr,
              "An edit with " + std::string(kind->member) + " has no " + std::string(member) + ". " + advice};
    }
  const std::string missing = missing_members(*kind, members);
  if (!missing.empty())
    return {nullptr, "An edit with " + std::string(kind->member) + " also needs " + missing + "."};
  return {kind, {}};
}

core::InvalidEdit invalid_edit(std::string path, Fault reason, std::string message) {
  return {.path = std::move(path), .reason = reason, .message = std::move(message)};
}

// The members of an edit as the engine has them: paths, and contents as bytes. An absent one is empty.
struct DecodedEdit {
  std::string path;
  std::string target;
  std::vector<std::string> paths;
  std::string old_text;
  std::string new_text;
  std::string created;
};

// Returns the decoded members, or what is wrong with them.
std::variant<DecodedEdit, core::InvalidEdit> decoded(const FileEdit& edit) {
  DecodedEdit out;
  auto decode_path = [](const std::optional<std::string>& text, std::string& path) -> Result<Unit> {
    if (text) {
      path = TRY(core::file_path_from_text(*text));
    }
    return Unit{};
  };
  auto decode_text = [](const std::optional<std::string>& text, std::string& bytes) -> Result<Unit> {
    if (text) {
      bytes = TRY(core::bytes_of_text(*text));
    }
    return Unit{};
  };
  for (const auto& [text, path] : {std::pair(&edit.path, &out.path), std::pair(&edit.move_to, &out.target)}) {
    const Result<Unit> read = decode_path(*text, *path);
    if (!read) return invalid_edit({}, Fault::forbidden_path, read.error().message);
  }
  Result<std::vector<std::string>> paths = core::paths_of_texts(edit.paths);
  if (!paths) return invalid_edit({}, Fault::forbidden_path, paths.error().message);
  out.paths = *std::move(paths);
  for (const auto& [text, bytes] : {std::pair(&edit.old, &out.old_text), std::pair(&edit.new_, &out.new_text),
                                    std::pair(&edit.create, &out.created)}) {
    const Result<Unit> read = decode_text(*text, *bytes);
    if (!read) return invalid_edit(out.path, Fault::malformed, read.error().message);
  }
  return out;
}

core::Edit to_engine(const FileEdit& edit) {
  const auto [row, fault] = kind_of(edit);
  auto members = decoded(edit);
  if (auto* invalid = std::get_if<core::InvalidEdit>(&members)) return std::move(*invalid);
  auto& in = std::get<DecodedEdit>(members);
  if (row == nullptr) return invalid_edit(std::move(in.path), Fault::malformed, fault);
  switch (row->kind) {
    case EditKind::text:
      return core::TextEdit{.path = std::move(in.path),
                            .old_text = std::move(in.old_text),
                            .new_text = std::move(in.new_text),
                            .all = edit.all,
                            .tolerates_white_space = edit.tolerance == FileEditTolerance::whitespace};
    case EditKind::lines:
      return core::LinesEdit{.path = std::move(in.path),
                             .first_line = *edit.start_line,
                             .last_line = *edit.end_line,
                             .blob_prefix = blob_prefix_of(*edit.blob),
                             .new_text = std::move(in.new_text)};
    case EditKind::pattern:
      return core::PatternEdit{.pattern = *edit.pattern,
                               .new_text = std::move(in.new_text),
                               .fixed = edit.fixed,
                               .word = edit.word,
                               .globs = edit.globs.value_or(std::vector<std::string>()),
                               .paths = std::move(in.paths),
                               .expected_count = edit.expect};
    case EditKind::create:
      return core::CreateEdit{.path = std::move(in.path),
                              .content = std::move(in.created),
                              .executable = edit.executable,
                              .is_text = !edit.create->starts_with(core::base64_prefix)};
    case EditKind::remove: return core::DeleteEdit{.path = std::move(in.path)};
    case EditKind::move: break;
  }
  return core::MoveEdit{.path = std::move(in.path), .target = std::move(in.target)};
}

core::EditQuery edit_query(const WorkspaceEditInput& in, bool dry_run) {
  core::EditQuery query{
      .edits = {}, .dry_run = dry_run, .context_lines = in.context, .discard_contents = in.discard};
  for (const FileEdit& edit : in.edits) query.edits.push_back(to_engine(edit));
  return query;
}

// ---- From the answer to the output

EditFaultReason to_edit_schema(Fault reason) {
  switch (reason) {
    case Fault::malformed: return EditFaultReason::malformed;
    case Fault::forbidden_path: return EditFaultReason::path;
    case Fault::missing: return EditFaultReason::missing;
    case Fault::exists: return EditFaultReason::exists;
    case Fault::wrong_kind: return EditFaultReason::wrong_kind;
    case Fault::context_mismatch: return EditFaultReason::context_mismatch;
    case Fault::already_applied: return EditFaultReason::already_applied;
    case Fault::ambiguous: return EditFaultReason::ambiguous;
    case Fault::changed: return EditFaultReason::changed;
    case Fault::count: return EditFaultReason::count;
    case Fault::overlap: return EditFaultReason::overlap;
    case Fault::too_large: return EditFaultReason::too_large;
    case Fault::encoding: return EditFaultReason::encoding;
  }
  return EditFaultReason::malformed;
}

WorkspaceEditFile to_edit_schema(const core::EditedFile& file) {
  WorkspaceEditFile out;
  out.path = core::text_of_path(file.path);
  out.status = enum_cast<WorkspaceEditFileStatus>(file.status);
  if (!file.from.empty()) out.from = core::text_of_path(file.from);
  if (file.blob) out.blob = file.blob->text();
  out.encoding = to_schema(file.encoding);
  fill_changed_lines(file.changed_lines, file.shown, out);
  return out;
}

EditFault to_edit_schema(const core::EditFault& fault) {
  EditFault out;
  out.edit = fault.edit;
  out.message = fault.message;
  out.reason = to_edit_schema(fault.reason);
  if (!fault.path.empty()) out.path = core::text_of_path(fault.path);
  if (!fault.diff.empty()) out.diff = core::text_of_bytes(fault.diff);
  if (!fault.lines.empty()) out.lines = fault.lines;
  out.lines_total = total_if_more(fault.lines_total, fault.lines.size());
  if (fault.nearest) out.nearest = differences_of<WorkspaceEditDifference>(*fault.nearest);
  if (fault.reason != Fault::count) return out;
  std::vector<WorkspaceEditMatch>& matches = out.matches.emplace();
  for (const core::MatchPlace& match : fault.matches)
    matches.push_back({.line = match.line, .path = core::text_of_path(match.path)});
  out.matches_total = fault.matches_total;
  return out;
}

std::vector<std::string> notes_of(const std::vector<core::EditNote>& notes) {
  std::vector<std::string> out;
  for (const core::EditNote& note : notes)
    out.push_back((note.edit ? "edits[" + std::to_string(*note.edit) + "]: " : "") + note.message);
  return out;
}

// The files whose content the edits replace or delete, by their old paths.
std::vector<std::string> files_replaced_by_edits(const std::vector<core::EditedFile>& files) {
  std::vector<std::string> paths;
  for (const core::EditedFile& file : files)
    if (file.status != core::EditedFile::Status::added)
      paths.push_back(file.from.empty() ? file.path : file.from);
  return paths;
}

Result<WorkspaceEditOutput> edit_input(App& app, const WorkspaceEditInput& in, const std::stop_token& stop) {
  core::Workspace* workspace = TRY(app.workspace());
  core::ChangeResult<core::EditAnswer> edited =
      TRY(core::edit_files(*workspace, in.lease_id, edit_query(in, in.dry_run), stop));
  if (edited.undo) app.collect_garbage_if_due(*workspace);
  const core::EditAnswer& answer = edited.value;
  if (answer.is_applied) audit_changed_files(app, "edit", files_replaced_by_edits(answer.files), edited.undo);
  WorkspaceEdited out;
  out.applied = answer.is_applied;
  for (const core::EditFault& fault : answer.faults) out.faults.push_back(to_edit_schema(fault));
  for (const core::EditedFile& file : answer.files) out.files.push_back(to_edit_schema(file));
  if (!answer.notes.empty()) out.notes = notes_of(answer.notes);
  fill_planned_diff(answer.diff, out);
  out.fingerprint = tools::to_schema(std::move(edited.lease.fingerprint));
  out.lease_id = std::move(edited.lease.lease_id);
  out.undo = undo_snapshot_id_of(edited.undo);
  return WorkspaceEditOutput(std::move(out));
}

// Returns the files whose content the edits replace or delete, for a question; empty if there are none, or an
// edit has a fault.
Result<std::string> content_edits_lose(App& app, const WorkspaceEditInput& in, const std::stop_token& stop) {
  if (in.dry_run) return std::string();
  core::Workspace* workspace = TRY(app.workspace());
  const core::ChangeResult<core::EditAnswer> planned =
      TRY(core::edit_files(*workspace, in.lease_id, edit_query(in, true), stop));
  const std::vector<std::string> paths = files_replaced_by_edits(planned.value.files);
  if (paths.empty() || !planned.value.faults.empty()) return std::string();
  return "the content of " + core::some_of(paths, named_files_max);
}

}  // namespace

Task<WorkspaceEditOutput> workspace_edit(App& app, mcp::Call& call, const WorkspaceEditInput& in) {
  if (in.discard) {
    Task<Unit> asking = confirm_planned_discard(app, call, in, content_edits_lose);
    Result<Unit> agreed = co_await std::move(asking);
    if (!agreed) co_return std::move(agreed).error();
  }
  Task<WorkspaceEditOutput> editing = offload_and_log(app, call, in, edit_input);
  Result<WorkspaceEditOutput> edited = co_await std::move(editing);
  if (const WorkspaceEdited* done = edited ? std::get_if<WorkspaceEdited>(&*edited) : nullptr)
    note_forbidden_path(call, done->faults, EditFaultReason::path);
  co_return edited;
}

}  // namespace snapgen::tools
