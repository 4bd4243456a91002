#include "tools/engine/operations/edit_files.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <variant>

#include "runtime/json/reader.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/edit/pattern.h"
#include "tools/engine/edit/plan_edits.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/change_worktree.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/search/globs.h"
#include "tools/engine/search/grep.h"
#include "tools/engine/text/text_encodings.h"
#include "tools/engine/workspace/live_view.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/engine/write/inspected_worktree.h"
#include "tools/engine/write/write_rules.h"
#include "tools/engine/write/write_target.h"

namespace snapgen::core {
namespace {

// A search for a content that an edit names examines so many of the latest snapshots.
constexpr std::size_t searched_snapshots_max = 50;
constexpr std::size_t whole_blob_digits = 64;

// The work tree as the source of edits. It records what it inspects.
class WorktreeSource final : public EditSource {
 public:
  WorktreeSource(Workspace& workspace, const std::stop_token& stop)
      : workspace_(workspace),
        stop_(stop),
        tree_(workspace.root(), stop),
        checks_(workspace.writer().rules()) {}

  FileTree& tree() override { return tree_; }

  Result<std::string> real_path(std::string_view path, bool follow_last) override {
    WriteTarget target = TRY(find_write_target(workspace_.root(), path, follow_last));
    std::move(target.followed_symlinks.begin(), target.followed_symlinks.end(),
              std::inserter(followed_symlinks_, followed_symlinks_.end()));
    return std::move(target.path);
  }

  Result<Unit> check_writable(std::string_view path) override { return checks_.check(path); }

  Result<std::vector<std::string>> search(const PatternEdit& edit) override {
    searched_view_.emplace(workspace_, false, stop_, false);
    const GrepQuery query{.pattern = Replacement::search_pattern(edit),
                          .fixed = edit.fixed,
                          .paths = edit.paths,
                          .globs = edit.globs,
                          .matches_max = SIZE_MAX,
                          .output = GrepOutput::files};
    GrepAnswer found = TRY(grep(*searched_view_, query));
    std::vector<std::string> paths;
    for (GrepFile& file : found.files) paths.push_back(std::move(file.path));
    return paths;
  }

  Result<bool> is_searched(const PatternEdit& edit, std::string_view path) override {
    const Globs globs = TRY(Globs::parse(edit.globs));
    if (!globs.selects(path)) return false;
    const Listing* listing = TRY(searched_view_->listing());
    const FileRange listed = range_below(*listing, path);
    bool is_ignored = false;
    if (listed.first == listed.last) is_ignored = TRY(workspace_.ignores(path, false));
    if (edit.paths.empty()) return !is_ignored;
    for (const std::string& named : edit.paths) {
      if (!named.empty() && !is_at_or_below_folder(path, named)) continue;
      if (!is_ignored) return true;
      if (named.empty()) continue;
      // A search includes the ignored files at or below an ignored path that is named.
      bool is_ignored_itself = TRY(workspace_.ignores(named, named != path));
      if (is_ignored_itself) return true;
    }
    return false;
  }

  std::optional<std::string> stored_content(std::string_view path, std::string_view blob_prefix) override {
    if (const std::shared_ptr<const std::string> content =
            workspace_.recent_contents().find(path, blob_prefix))
      return *content;
    if (blob_prefix.size() == whole_blob_digits) return content_of("sha256:" + std::string(blob_prefix));
    const Result<SnapshotNotes> notes = workspace_.snapshots().list();
    if (!notes) return std::nullopt;
    for (std::size_t i = 0; i < std::min(notes->size(), searched_snapshots_max); ++i) {
      const Result<std::shared_ptr<const Snapshot>> snapshot =
          workspace_.snapshots().load("sha256:" + (*notes)[i]->hex);
      if (!snapshot) continue;
      const std::vector<ManifestEntry>& entries = (*snapshot)->entries;
      const auto entry = std::ranges::lower_bound(entries, path, {}, &ManifestEntry::path);
      if (entry != entries.end() && entry->path == path && entry->blob.hex().starts_with(blob_prefix))
        return content_of(entry->blob.text());
    }
    return std::nullopt;
  }

  // Returns the records of everything that the edits depend on. Errors: repo_changed.
  Result<std::vector<FileRecord>> inspected_files() const {
    std::vector<FileRecord> records = tree_.inspected_files();
    for (const std::string& link : followed_symlinks_) {
      Result<FileRecord> record = observe_file(workspace_.root(), link, stop_);
      if (!record) return changed_while_read_error(link);
      records.push_back(*std::move(record));
    }
    return records;
  }

  const InspectedWorktree& inspected_tree() const { return tree_; }

 private:
  std::optional<std::string> content_of(const std::string& blob) const {
    const std::optional<BlobId> id = BlobId::from_text(blob);
    if (!id) return std::nullopt;
    Result<std::string> content = workspace_.blobs().get(*id);
    if (!content) return std::nullopt;
    return *std::move(content);
  }

  Workspace& workspace_;
  std::stop_token stop_;
  InspectedWorktree tree_;
  WriteChecks checks_;                     // The writer checks again, right before it writes.
  std::optional<LiveView> searched_view_;  // Of the last search().
  std::set<std::string> followed_symlinks_;
};

// Returns true if all texts of the edits are UTF-8. Other ones are bytes of files, which are not converted.
bool have_text(const std::vector<Edit>& edits) {
  const auto has_text = [](const auto& edit) {
    bool is_text = true;
    if constexpr (requires { edit.old_text; }) is_text = json::valid_utf8(edit.old_text);
    if constexpr (requires { edit.new_text; }) is_text = is_text && json::valid_utf8(edit.new_text);
    return is_text;
  };
  return std::ranges::all_of(edits, [&](const Edit& edit) { return std::visit(has_text, edit); });
}

// The message of the undo snapshot. It names the first changed files, a renamed file by its old path.
std::string undo_message_of(const std::vector<EditedFile>& files) {
  constexpr std::size_t named_max = 3;
  std::vector<std::string> paths;
  for (const EditedFile& file : files) paths.push_back(file.from.empty() ? file.path : file.from);
  return "before editing " + some_of(paths, named_max);
}

// The paths that do not exist and that a fault is about.
MissingPaths paths_missed_by(const InspectedWorktree& tree, const std::vector<EditFault>& faults) {
  MissingPaths missed;
  for (const EditFault& fault : faults)
    if (!fault.path.empty() && tree.is_missing(fault.path)) missed.push_back(fault.path);
  return missed;
}

}  // namespace

Result<ChangeResult<EditAnswer>> edit_files(Workspace& workspace, const std::optional<std::string>& lease_id,
                                            const EditQuery& query, const std::stop_token& stop) {
  auto plan = [&](MissingPaths& missed) -> Result<ProposedChange<EditAnswer>> {
    WorktreeSource source(workspace, stop);
    TextEncodings encodings(declarations_in(workspace.root()));
    const EditPlanOptions options{.context_lines = query.context_lines,
                                  .encodings = have_text(query.edits) ? &encodings : nullptr};
    EditPlan planned = TRY(plan_edits(query.edits, source, options, stop));
    ProposedChange<EditAnswer> proposal;
    proposal.answer = {.is_applied = planned.faults.empty() && !query.dry_run,
                       .files = std::move(planned.files),
                       .faults = std::move(planned.faults),
                       .notes = std::move(planned.notes),
                       .diff = {}};
    if (query.dry_run) {
      proposal.answer.diff = TRY(planned_diff(planned.changes, source.tree(), options.encodings));
    }
    const EditAnswer& answer = proposal.answer;
    if (answer.is_applied)
      proposal.plan.writes = source.inspected_tree().writes_of(std::move(planned.changes));
    proposal.plan.options.prune_empty_folders = true;
    proposal.plan.undo = {.is_wanted = !query.discard_contents, .message = undo_message_of(answer.files)};
    proposal.plan.inspected_files = TRY(source.inspected_files());
    if (!answer.is_applied) missed = paths_missed_by(source.inspected_tree(), answer.faults);
    return proposal;
  };
  return change_worktree(workspace, lease_id, stop, plan);
}

}  // namespace snapgen::core
