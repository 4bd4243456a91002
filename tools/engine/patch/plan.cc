#include "tools/engine/patch/plan.h"

#include <algorithm>
#include <climits>
#include <unordered_map>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/oid.h"
#include "tools/engine/patch/binary.h"
#include "tools/engine/patch/path_conflicts.h"

namespace snapgen::core {
namespace {

using NodeKind = TreeNode::Kind;

// Returns git's object id of a file's content, with the hash whose hex form is as long as `like`.
std::string oid_of(std::string_view content, std::string_view like) {
  return git::object_oid(like.size() == 40 ? HashKind::sha1 : HashKind::sha256, "blob", content).hex();
}

bool is_zero(std::string_view oid) { return oid.find_first_not_of('0') == std::string_view::npos; }

class PatchPlanner {
 public:
  PatchPlanner(const Patch& patch, FileTree& tree, const PatchPlanOptions& options, std::stop_token stop)
      : patch_(patch), tree_(tree), conflicts_(patch, tree), options_(options), stop_(std::move(stop)) {}

  Result<PatchPlan> run() {
    plan_.rejects = patch_.rejects;
    reject_repeated_paths();
    for (const FilePatch& file : patch_.files) {
      if (stop_.stop_requested()) return cancelled_write_error();
      TRY(plan_file(file));
    }
    for (std::string_view path : conflicts_.removed_paths()) {
      if (!conflicts_.created_paths().contains(path))
        plan_.changes.push_back(TreeChange{.kind = TreeChange::Kind::remove, .path = std::string(path)});
    }
    auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::sort(plan_.changes.begin(), plan_.changes.end(), by_path);
    std::sort(plan_.files.begin(), plan_.files.end(), by_path);
    sort_rejects(plan_.rejects);
    if (!plan_.rejects.empty()) plan_.changes.clear();
    return std::move(plan_);
  }

 private:
  void reject(const FilePatch& file, RejectReason reason, std::string message) {
    plan_.rejects.push_back(Reject{
        .path = file.path(), .reason = reason, .message = std::move(message), .patch_line = file.patch_line});
  }

  static Reject repeated_path(const FilePatch& file, std::int64_t first_line, std::int64_t line) {
    return Reject{
        .path = file.path(),
        .message = "the patch changes this path in another part too, at line " + std::to_string(first_line),
        .patch_line = line};
  }

  // A path may lose one file and get one file: a deletion and a creation of one path change its type, and two
  // renames may swap their files. Anything more would depend on the order of the parts.
  void reject_repeated_paths() {
    std::unordered_map<std::string_view, const FilePatch*> taken;
    std::unordered_map<std::string_view, const FilePatch*> made;
    for (const FilePatch& file : patch_.files) {
      bool takes = file.kind != FilePatch::Kind::create && file.kind != FilePatch::Kind::copy;
      bool makes = file.kind != FilePatch::Kind::remove;
      const FilePatch* earlier = nullptr;
      if (takes) {
        if (auto [at, fresh] = taken.emplace(file.old_path, &file); !fresh) earlier = at->second;
      }
      if (makes) {
        if (auto [at, fresh] = made.emplace(file.new_path, &file); !fresh && earlier == nullptr)
          earlier = at->second;
      }
      if (earlier == nullptr) continue;
      plan_.rejects.push_back(repeated_path(file, earlier->patch_line, file.patch_line));
    }
  }

  // Returns true for a part that does not change the content.
  static bool is_whole(const FilePatch& file) {
    return file.hunks.empty() && !file.binary && !file.has_faults;
  }

  // Returns true if `node` has the expected kind. Without a mode, only a move as a whole accepts a symlink.
  bool is_right_kind(const FilePatch& file, const TreeNode& node) {
    bool whole = is_whole(file);
    bool link_wanted = file.old_mode == FileMode::symlink;
    bool right = (node.kind == NodeKind::file && !link_wanted) ||
                 (node.kind == NodeKind::symlink && (link_wanted || (whole && !file.old_mode)));
    if (right) return true;
    if (node.kind == NodeKind::missing) {
      reject(file, RejectReason::missing, "there is no " + path_in_sentence(file.old_path));
    } else {
      reject(file, RejectReason::wrong_kind,
             path_in_sentence(file.old_path) + " is " + std::string(noun(node.kind)) + ", not " +
                 (link_wanted ? "a symlink" : "a file"));
    }
    return false;
  }

  bool is_within(const FilePatch& file, std::int64_t bytes) {
    if (bytes <= options_.file_bytes_max) return true;
    reject(file, RejectReason::too_large,
           path_in_sentence(file.path()) + " exceeds the limit of " +
               std::to_string(options_.file_bytes_max) + " bytes");
    return false;
  }

  Result<Unit> plan_file(const FilePatch& file) {
    if (options_.exact_lines && !file.merged_lines.empty()) {
      plan_.rejects.push_back(repeated_path(file, file.patch_line, file.merged_lines.front()));
      return Unit{};
    }
    TreeNode node;  // The node at the old path.
    bool creates = file.kind == FilePatch::Kind::create;
    if (!creates) {
      std::optional<std::string> beyond;
      TreeNode found = TRY(conflicts_.node_at(file.old_path, beyond));
      node = found;
      if (beyond) {
        reject(file, RejectReason::forbidden_path,
               path_in_sentence(file.old_path) + " is beyond the symlink " + path_in_sentence(*beyond));
        return Unit{};
      }
      creates = file.may_create && node.kind == NodeKind::missing;
      if (!creates && !is_right_kind(file, node)) return Unit{};
    }
    bool moves = file.kind == FilePatch::Kind::rename || file.kind == FilePatch::Kind::copy;
    if (file.kind == FilePatch::Kind::create || moves) {
      std::optional<Obstacle> obstacle = TRY(conflicts_.obstacle_at(file.new_path));
      if (obstacle) {
        reject(file, obstacle->reason, obstacle->message);
        return Unit{};
      }
    }
    bool whole = is_whole(file);
    if (moves && whole) {
      plan_.changes.push_back(TreeChange{.kind = TreeChange::Kind::copy,
                                         .path = file.new_path,
                                         .mode = mode_after(file, node),
                                         .from = file.old_path});
    } else if (file.kind == FilePatch::Kind::modify && whole) {
      change_mode(file, node);
    } else {
      return change_content(file, node, creates);
    }
    plan_.files.push_back(outcome(file, file.kind));
    return Unit{};
  }

  FileMode mode_after(const FilePatch& file, const TreeNode& node) {
    return file.new_mode ? *file.new_mode : mode_of(node);
  }

  void change_mode(const FilePatch& file, const TreeNode& node) {
    FileMode mode = mode_after(file, node);
    if (mode != mode_of(node))
      plan_.changes.push_back(
          TreeChange{.kind = TreeChange::Kind::chmod, .path = file.new_path, .mode = mode});
  }

  Result<Unit> change_content(const FilePatch& file, const TreeNode& node, bool creates) {
    if (!is_within(file, node.size)) return Unit{};
    DecodedText decoded;
    if (!creates) {
      decoded.text = TRY(tree_.read(file.old_path));
      if (!is_within(file, static_cast<std::int64_t>(decoded.text.size()))) return Unit{};
    }
    const bool is_converted =
        options_.encodings != nullptr && !file.binary &&
        (creates ? mode_after(file, node) != FileMode::symlink : node.kind == NodeKind::file);
    if (is_converted && !creates)
      decoded = options_.encodings->text_of(file.old_path, std::move(decoded.text));
    const std::string& before = decoded.text;
    PatchedFile done = outcome(file, creates ? FilePatch::Kind::create : file.kind);
    std::string after;
    std::vector<LineRange> shown_lines;
    if (file.binary) {
      std::optional<std::string> made = binary_content(file, before, creates);
      if (!made) return Unit{};
      after = std::move(*made);
    } else {
      const ApplyOptions options{.exact_lines = options_.exact_lines,
                                 .patch_has_crlf_lines = patch_.has_crlf_lines};
      AppliedHunks applied = TRY(apply_hunks(before, file.hunks, options, stop_));
      for (Reject& rejected : applied.rejects) {
        rejected.path = file.path();
        plan_.rejects.push_back(std::move(rejected));
      }
      if (!applied.rejects.empty() || file.has_faults) return Unit{};
      after = std::move(applied.bytes);
      done.moved_hunks = std::move(applied.moved_hunks);
      done.corrected_counts = std::move(applied.corrected_counts);
      done.hunks_outside_headings = std::move(applied.hunks_outside_headings);
      done.changed_lines = std::move(applied.changed_lines);
      done.line_ends = applied.line_ends;
      shown_lines = std::move(applied.shown_lines);
    }
    if (file.kind == FilePatch::Kind::remove && !is_emptied_by(file, shown_lines, after)) return Unit{};
    const bool is_same = before == after;
    const bool is_unchanged = !creates && file.kind == FilePatch::Kind::modify && is_same &&
                              mode_after(file, node) == mode_of(node);
    if (file.kind != FilePatch::Kind::remove) {
      if (options_.context_lines > 0)
        done.shown = lines_around(after, done.changed_lines, options_.context_lines);
      if (is_converted && !encode(file, decoded, after, done.encoding)) return Unit{};
      done.blob = blob_id_of(after);
      if (!write(file, node, is_same, std::move(after))) return Unit{};
    }
    if (!is_unchanged) plan_.files.push_back(std::move(done));
    return Unit{};
  }

  // `shown_lines` are the lines of the file that the hunks show, in order.
  bool is_emptied_by(const FilePatch& file, const std::vector<LineRange>& shown_lines,
                     std::string_view after) {
    if (after.empty() || file.removes_any_content) return true;
    std::int64_t line = 1;  // The first line that the patch does not show.
    for (const LineRange& lines : shown_lines)
      if (lines.first == line) line += lines.count;
    plan_.rejects.push_back(
        Reject{.path = file.path(),
               .reason = RejectReason::context_mismatch,
               .message = file.hunks.empty()
                              ? "the file is not empty, but the patch deletes it without showing a line"
                              : "the patch deletes the file, but does not show all of its lines",
               .patch_line = file.patch_line,
               .line = line,
               .found = shown_line(after.substr(0, after.find('\n')))});
    return false;
  }

  // Replaces the new text by the bytes of the file. Returns false if its encoding lacks a character.
  bool encode(const FilePatch& file, const DecodedText& before, std::string& after, TextEncoding& encoding) {
    const std::string& path = file.kind == FilePatch::Kind::create ? file.new_path : file.old_path;
    EncodedText encoded = options_.encodings->encode(path, before.text, before.encoding, std::move(after));
    encoding = encoded.encoding;
    after = std::move(encoded.bytes);
    if (!encoded.missing) return true;
    const Hunk* const hunk = hunk_with(file, encoded.missing->character);
    Reject& reject = plan_.rejects.emplace_back();
    reject.path = file.path();
    reject.reason = RejectReason::encoding;
    reject.message = unencodable_message(*encoded.missing, encoding, file.path());
    reject.patch_line = hunk == nullptr ? file.patch_line : hunk->patch_line;
    if (hunk != nullptr) reject.hunk_index = hunk->index;
    return false;
  }

  // Returns the first hunk that adds a line with the text, or null.
  static const Hunk* hunk_with(const FilePatch& file, std::string_view text) {
    for (const Hunk& hunk : file.hunks) {
      std::string_view body = hunk.body;
      HunkLine line;
      while (next_line(body, line))
        if (line.kind == '+' && line.text.find(text) != std::string_view::npos) return &hunk;
    }
    return nullptr;
  }

  // `is_same`: the patch does not change the content.
  bool write(const FilePatch& file, const TreeNode& node, bool is_same, std::string after) {
    FileMode mode = mode_after(file, node);
    if (mode == FileMode::symlink &&
        (after.empty() || after.size() >= PATH_MAX || after.find('\0') != std::string::npos)) {
      reject(file, RejectReason::malformed,
             "the patch makes a symlink whose target is empty, too long or contains a NUL");
      return false;
    }
    if (!is_within(file, static_cast<std::int64_t>(after.size()))) return false;
    total_bytes_ += static_cast<std::int64_t>(after.size());
    if (total_bytes_ > options_.total_bytes_max) {
      reject(file, RejectReason::too_large,
             "the patch writes more than the limit of " + std::to_string(options_.total_bytes_max) +
                 " bytes in all");
      return false;
    }
    bool in_place = node.kind != NodeKind::missing && file.kind == FilePatch::Kind::modify;
    if (in_place && is_same) {
      change_mode(file, node);
    } else {
      const bool moves = file.kind == FilePatch::Kind::rename || file.kind == FilePatch::Kind::copy;
      plan_.changes.push_back(TreeChange{.path = file.new_path,
                                         .mode = mode,
                                         .bytes = std::move(after),
                                         .from = moves ? file.old_path : std::string()});
    }
    return true;
  }

  // Returns the content after a binary patch. Like git, requires that both object ids of the index line
  // match.
  std::optional<std::string> binary_content(const FilePatch& file, const std::string& before, bool creates) {
    auto mismatch = [&](RejectReason reason, std::string message, std::optional<std::string> expected = {},
                        std::optional<std::string> found = {}) {
      plan_.rejects.push_back(Reject{.path = file.path(),
                                     .reason = reason,
                                     .message = std::move(message),
                                     .patch_line = file.binary->patch_line,
                                     .expected = std::move(expected),
                                     .found = std::move(found)});
      return std::nullopt;
    };
    if (creates != is_zero(file.old_oid) || (file.kind == FilePatch::Kind::remove) != is_zero(file.new_oid))
      return mismatch(RejectReason::binary, "the index line does not match what the patch does to the file");
    if (!creates) {
      std::string oid = oid_of(before, file.old_oid);
      if (oid != file.old_oid)
        return mismatch(RejectReason::context_mismatch,
                        "the file is not the one that the binary patch was made for", file.old_oid, oid);
    }
    if (file.kind == FilePatch::Kind::remove) return std::string();
    Result<std::string> after = apply_binary_hunk(*file.binary, before, options_.file_bytes_max);
    if (!after)
      return mismatch(
          after.error().code == ErrorCode::too_large ? RejectReason::too_large : RejectReason::binary,
          after.error().message);
    if (oid_of(*after, file.new_oid) != file.new_oid)
      return mismatch(RejectReason::binary,
                      "the binary data does not make the file that the index line names");
    return std::move(*after);
  }

  static PatchedFile outcome(const FilePatch& file, FilePatch::Kind kind) {
    bool moved = kind == FilePatch::Kind::rename || kind == FilePatch::Kind::copy;
    return PatchedFile{.path = file.path(), .from = moved ? file.old_path : std::string(), .kind = kind};
  }

  const Patch& patch_;
  FileTree& tree_;
  PathConflicts conflicts_;
  const PatchPlanOptions& options_;
  std::stop_token stop_;
  PatchPlan plan_;
  std::int64_t total_bytes_ = 0;
};

}  // namespace

Result<PatchPlan> plan_patch(const Patch& patch, FileTree& tree, const PatchPlanOptions& options,
                             std::stop_token stop) {
  return PatchPlanner(patch, tree, options, std::move(stop)).run();
}

}  // namespace snapgen::core
