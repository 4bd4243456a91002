#include "tools/engine/patch/parse.h"

#include <algorithm>
#include <map>

#include "tools/engine/files/path.h"
#include "tools/engine/patch/binary.h"
#include "tools/engine/patch/file_header.h"
#include "tools/engine/patch/hunk.h"
#include "tools/engine/patch/section.h"
#include "tools/engine/patch/v4a.h"

namespace snapgen::core {
namespace {

constexpr std::string_view git_header = "diff --git ";

SectionFault malformed(PatchFault fault) { return {RejectReason::malformed, std::move(fault)}; }
SectionFault malformed(std::int64_t line, std::string message) {
  return malformed(PatchFault{line, std::move(message)});
}

bool has_backslash(const SideLine& side) { return side.name && side.name->find('\\') != std::string::npos; }

bool has_crlf_lines_only(std::string_view text) {
  std::size_t end = text.find('\n');
  const bool has_lines = end != std::string_view::npos;
  for (; end != std::string_view::npos; end = text.find('\n', end + 1))
    if (end == 0 || text[end - 1] != '\r') return false;
  return has_lines;
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view root) : lines_(text), root_(root) {
    patch_.has_crlf_lines = has_crlf_lines_only(text);
  }

  Patch run() {
    for (skip_text(); !lines_.at_end(); skip_text()) {
      if (begins_v4a_patch(lines_)) {
        read_v4a_patch();
        continue;
      }
      FilePatch file{.patch_line = lines_.number()};
      std::optional<SectionFault> fault = read_part(file);
      if (!fault) fault = fault_of_paths(file);
      if (fault) {
        reject(file.path(), {}, std::move(*fault));
        skip_to_next_part();
      } else if (!bare_) {
        add(std::move(file));
      }
    }
    if (patch_.files.empty() && patch_.rejects.empty()) {
      const std::string message = has_part_     ? "the patch changes nothing"
                                  : other_text_ ? "this line is not part of a patch, which begins with "
                                                  "`diff --git`, `--- a/PATH` or `*** Begin Patch`"
                                                : "the patch is empty";
      patch_.rejects.push_back(
          Reject{.message = message, .patch_line = has_part_ ? 1 : other_text_.value_or(1)});
    }
    sort_rejects(patch_.rejects);
    return std::move(patch_);
  }

 private:
  void reject(const std::string& path, std::optional<std::int64_t> hunk, SectionFault fault) {
    patch_.rejects.push_back(Reject{.path = path,
                                    .hunk_index = hunk,
                                    .reason = fault.reason,
                                    .message = std::move(fault.fault.message),
                                    .patch_line = fault.fault.patch_line});
  }

  // Returns true at a line `--- ` that has no line `+++ ` below it, but a hunk.
  bool is_at_incomplete_side_lines() const {
    PatchLines next = lines_;
    next.advance();
    return lines_.line().starts_with("--- ") && next.line().starts_with("@@");
  }

  // Skips text between the parts, such as explanations and Markdown fences.
  void skip_text() {
    for (; !lines_.at_end(); lines_.advance()) {
      if (begins_part(lines_) || lines_.line().starts_with("@@") || is_at_incomplete_side_lines() ||
          begins_v4a_patch(lines_))
        return;
      if (!other_text_ && !lines_.header_line().empty() && !is_fence(lines_.line()))
        other_text_ = lines_.number();
    }
  }

  void skip_to_next_part() {
    while (!lines_.at_end() && (lines_.number() == part_line_ || !is_at_next_part())) lines_.advance();
    // Below an invalid `diff --git` line, the first side lines are of the same part.
    if (!lacks_side_lines_ || begins_diff_part(lines_)) return;
    lacks_side_lines_ = false;
    part_line_ = lines_.number();
    skip_to_next_part();
  }

  // In an invalid part, a line `--- ` may be content, unless a hunk follows.
  bool is_at_next_part() const { return begins_diff_part(lines_) || begins_side_lines_with_hunk(lines_); }

  std::optional<SectionFault> read_part(FilePatch& file) {
    part_line_ = lines_.number();
    bare_ = false;
    has_part_ = true;
    lacks_side_lines_ = begins_diff_part(lines_);
    if (lines_.line().starts_with(git_header)) return read_git_part(file);
    if (lines_.line().starts_with("--- ")) return read_plain_part(file);
    if (lines_.line().starts_with("@@"))
      return malformed(lines_.number(),
                       "a hunk needs `--- a/PATH` and `+++ b/PATH` of its file in the lines before it");
    return malformed(lines_.number(), "this is the diff of a merge, which cannot be applied");
  }

  // Reads the parts below the line `*** Begin Patch`.
  void read_v4a_patch() {
    has_part_ = true;
    lines_.advance();
    while (std::optional<V4aPart> part = read_v4a_part(lines_, root_)) {
      FilePatch& file = part->file;
      std::optional<SectionFault> fault;
      if (part->fault)
        fault = malformed(std::move(*part->fault));
      else
        fault = fault_of_paths(file);
      if (fault) {
        reject(file.path(), {}, std::move(*fault));
        continue;
      }
      std::int64_t& hunk_count = hunk_counts_[file.new_path];
      for (Hunk& hunk : file.hunks) hunk.index += hunk_count;
      for (V4aPart::HunkFault& each : part->hunk_faults)
        reject(file.path(), each.hunk_index + hunk_count, malformed(std::move(each.fault)));
      hunk_count += static_cast<std::int64_t>(file.hunks.size() + part->hunk_faults.size());
      add(std::move(file));
    }
  }

  std::optional<SectionFault> read_git_part(FilePatch& file) {
    if (std::optional<PatchFault> fault = fault_of_header_line(lines_)) return malformed(std::move(*fault));
    std::string_view rest = lines_.header_line().substr(git_header.size());
    if (auto names = section_names(rest, {}))
      file.new_path =
          relative_name(names->second, root_);  // Names the file in rejects, until finish_header().
    lines_.advance();
    ExtendedHeader header;
    if (std::optional<PatchFault> fault = read_extended_header(lines_, header))
      return malformed(std::move(*fault));
    if (header.submodule)
      return SectionFault{RejectReason::unsupported,
                          {file.patch_line, "a submodule cannot be changed by a patch"}};

    SideLine old_side, new_side;
    bool has_sides = lines_.line().starts_with("--- ");
    lacks_side_lines_ = false;
    if (has_sides) {
      if (auto fault = read_side_line(lines_, "--- ", old_side)) return malformed(std::move(*fault));
      if (auto fault = read_side_line(lines_, "+++ ", new_side)) return malformed(std::move(*fault));
    }
    FilePatch finished{.patch_line = file.patch_line};
    HeaderNames names{.minus_name = old_side.name, .plus_name = new_side.name};
    if (has_sides && !header.describes_change()) {  // /dev/null alone says that a file is created or deleted.
      if (!old_side.name) header.created_mode = header.index_mode.value_or(FileMode::plain);
      if (!new_side.name) header.removed_mode = header.index_mode.value_or(FileMode::plain);
    }
    if (auto fault = finish_header(rest, header, names, finished)) return malformed(std::move(*fault));
    file = std::move(finished);
    file.old_path = relative_name(file.old_path, root_);
    file.new_path = relative_name(file.new_path, root_);
    bool creates = file.kind == FilePatch::Kind::create;
    bool removes = file.kind == FilePatch::Kind::remove;
    if (has_sides && (old_side.name.has_value() == creates || new_side.name.has_value() == removes))
      return malformed(file.patch_line, "/dev/null is used if and only if the file is created or deleted");

    if (has_sides) return read_hunks(file);
    if (lines_.header_line() == "GIT binary patch") return read_binary(file);
    if (lines_.line().starts_with("Binary files ") && lines_.header_line().ends_with(" differ"))
      return SectionFault{
          RejectReason::binary,
          {lines_.number(), "the patch only says that binary files differ; make it with git diff --binary"}};
    bare_ = !header.describes_change();
    if (bare_ && !header.old_oid.empty())
      return malformed(lines_.number(), "the file's index line is followed by no change");
    return std::nullopt;
  }

  // Without git's header lines, the kind of change follows from /dev/null, epoch timestamps and empty sides.
  std::optional<SectionFault> read_plain_part(FilePatch& file) {
    SideLine old_side, new_side;
    if (auto fault = read_side_line(lines_, "--- ", old_side)) return malformed(std::move(*fault));
    if (auto fault = read_side_line(lines_, "+++ ", new_side)) return malformed(std::move(*fault));
    std::optional<std::string> path = path_of_sides(old_side, new_side, root_);
    if (!path)
      return malformed(file.patch_line, has_backslash(old_side) || has_backslash(new_side)
                                            ? "the --- and +++ lines do not name the same file; / ends a "
                                              "folder's name, not \\"
                                            : "the --- and +++ lines do not name the same file");
    bool creates = !old_side.name || old_side.is_epoch;
    bool removes = !new_side.name || new_side.is_epoch;
    if (creates && removes) return malformed(file.patch_line, "the file is absent on both sides");
    file.kind = creates   ? FilePatch::Kind::create
                : removes ? FilePatch::Kind::remove
                          : FilePatch::Kind::modify;
    if (creates) file.new_mode = FileMode::plain;
    if (!creates) file.old_path = *path;
    if (!removes) file.new_path = *path;
    if (std::optional<SectionFault> fault = read_hunks(file)) return fault;
    file.may_create = file.kind == FilePatch::Kind::modify && file.hunks.size() == 1 && !file.has_faults &&
                      inserts_at_top(file.hunks.front());
    return std::nullopt;
  }

  static bool inserts_at_top(const Hunk& hunk) {
    return hunk.before_count == 0 && hunk.stated && hunk.stated->before.count == 0 &&
           hunk.stated->before.first == 0;
  }

  // Reads all hunks of a part, and rejects the invalid ones.
  std::optional<SectionFault> read_hunks(FilePatch& file) {
    std::int64_t index = 0;
    if (file.kind == FilePatch::Kind::modify)
      if (auto earlier = hunk_counts_.find(file.new_path); earlier != hunk_counts_.end())
        index = earlier->second;
    PatchLines below_blank_lines = lines_;
    while (!below_blank_lines.at_end() && below_blank_lines.header_line().empty())
      below_blank_lines.advance();
    if (below_blank_lines.line().starts_with("@@")) lines_ = below_blank_lines;
    while (lines_.line().starts_with("@@")) {
      Hunk hunk{.index = index++};
      std::optional<PatchFault> fault = read_hunk(lines_, hunk);
      const bool is_complete = !fault;
      if (!fault && file.kind == FilePatch::Kind::create && hunk.before_count != 0)
        fault = PatchFault{hunk.patch_line, "the hunk shows old lines of a file that is created"};
      if (!fault && file.kind == FilePatch::Kind::remove && hunk.after_count != 0)
        fault = PatchFault{hunk.patch_line, "the hunk leaves lines in a file that is deleted"};
      if (!fault) {
        file.hunks.push_back(hunk);
        continue;
      }
      file.has_faults = true;
      reject(file.path(), hunk.index, malformed(std::move(*fault)));
      while (!is_complete && !lines_.at_end() && !lines_.line().starts_with("@@") && !is_at_next_part())
        lines_.advance();
    }
    if (file.hunks.empty() && !file.has_faults)
      return malformed(lines_.number(), "the --- and +++ lines are followed by no hunk");
    if (file.kind == FilePatch::Kind::modify) hunk_counts_[file.new_path] = index;
    return std::nullopt;
  }

  std::optional<SectionFault> read_binary(FilePatch& file) {
    std::int64_t line = lines_.number();
    lines_.advance();
    BinaryHunk forward;
    if (auto fault = read_binary_hunk(lines_, forward)) return malformed(std::move(*fault));
    if (!lines_.at_end() && (lines_.line().starts_with("literal ") || lines_.line().starts_with("delta "))) {
      BinaryHunk backward;
      if (auto fault = read_binary_hunk(lines_, backward)) return malformed(std::move(*fault));
    }
    auto is_full = [](std::string_view oid) { return oid.size() == 40 || oid.size() == 64; };
    if (!is_full(file.old_oid) || file.old_oid.size() != file.new_oid.size())
      return malformed(
          line, "a binary patch needs an index line with full object names; make it with git diff --binary");
    file.binary = forward;
    return std::nullopt;
  }

  std::string refusal_of(const std::string& path) const {
    if (path.starts_with('/') && !root_.empty())
      return "it is outside of the workspace " + path_in_sentence(root_);
    return std::string(refusal_of_path(path));
  }

  std::optional<SectionFault> fault_of_paths(const FilePatch& file) const {
    std::string refusal;
    if (file.kind != FilePatch::Kind::create) refusal = refusal_of(file.old_path);
    if (file.kind != FilePatch::Kind::remove && refusal.empty()) refusal = refusal_of(file.new_path);
    if (refusal.empty()) return std::nullopt;
    return SectionFault{RejectReason::forbidden_path,
                        {file.patch_line, "the path of this file is rejected: " + refusal}};
  }

  void add(FilePatch file) {
    if (only_changes_lines(file)) {
      const auto [earlier, is_first] = mergeable_.emplace(file.new_path, patch_.files.size());
      if (!is_first) {
        FilePatch& whole = patch_.files[earlier->second];
        whole.hunks.insert(whole.hunks.end(), file.hunks.begin(), file.hunks.end());
        whole.merged_lines.push_back(file.patch_line);
        whole.has_faults |= file.has_faults;
        whole.may_create = false;
        return;
      }
    }
    patch_.files.push_back(std::move(file));
  }

  PatchLines lines_;
  std::string_view root_;
  Patch patch_;
  std::map<std::string, std::size_t> mergeable_;     // Indexes in the patch's files, by path.
  std::map<std::string, std::int64_t> hunk_counts_;  // The number of hunks of each modified file.
  std::optional<std::int64_t> other_text_;           // The first line that is not part of the patch.
  std::int64_t part_line_ = 0;
  bool has_part_ = false;
  bool bare_ = false;              // The part is only a header.
  bool lacks_side_lines_ = false;  // The part may have side lines below the current line.
};

}  // namespace

Patch parse_patch(std::string_view text, std::string_view root) { return Parser(text, root).run(); }

}  // namespace snapgen::core
