#include "tools/engine/patch/parse.h"

#include <unordered_map>

#include "tools/engine/patch/binary.h"
#include "tools/engine/patch/section.h"

namespace snapgen::core {
namespace {

constexpr std::string_view git_header = "diff --git ";

SectionFault malformed(PatchFault fault) { return {RejectReason::malformed, std::move(fault)}; }
SectionFault malformed(std::int64_t line, std::string message) {
  return malformed(PatchFault{line, std::move(message)});
}

bool has_backslash(const SideLine& side) { return side.name && side.name->find('\\') != std::string::npos; }

class Parser {
 public:
  explicit Parser(std::string_view text) : lines_(text) {}

  Patch run() {
    while (!lines_.at_end()) {
      if (lines_.line().empty()) {
        lines_.advance();
        continue;
      }
      parts_ = true;
      FilePatch file{.patch_line = lines_.number()};
      hunk_.reset();
      std::optional<SectionFault> fault = read_part(file);
      if (!fault) fault = fault_of_paths(file);
      if (!fault) {
        if (!bare_) patch_.files.push_back(std::move(file));
        continue;
      }
      reject(file, std::move(*fault));
      skip_to_next_part();
    }
    reject_duplicates();
    if (patch_.files.empty() && patch_.rejects.empty()) {
      patch_.rejects.push_back(
          Reject{.message = parts_ ? "the patch changes nothing" : "the patch is empty", .patch_line = 1});
    }
    sort_rejects(patch_.rejects);
    return std::move(patch_);
  }

 private:
  void reject(const FilePatch& file, SectionFault fault) {
    patch_.rejects.push_back(Reject{.path = file.path(),
                                    .hunk_index = hunk_,
                                    .reason = fault.reason,
                                    .message = std::move(fault.fault.message),
                                    .patch_line = fault.fault.patch_line});
  }

  // No line of a hunk begins with the git header, so an invalid part cannot hide the next one.
  void skip_to_next_part() {
    while (!lines_.at_end() && (lines_.number() == part_line_ || !lines_.line().starts_with(git_header)))
      lines_.advance();
  }

  std::optional<SectionFault> read_part(FilePatch& file) {
    part_line_ = lines_.number();
    bare_ = false;
    if (lines_.line().starts_with(git_header)) return read_git_part(file);
    if (lines_.line().starts_with("--- ")) return read_plain_part(file);
    if (lines_.line().starts_with("diff --cc ") || lines_.line().starts_with("diff --combined "))
      return malformed(lines_.number(), "this is the diff of a merge, which cannot be applied");
    if (lines_.line().starts_with("diff -")) {  // `diff -r` prints its command line above each file.
      lines_.advance();
      if (!lines_.at_end() && lines_.line().starts_with("--- ")) return read_plain_part(file);
    }
    return malformed(lines_.number(), std::string(why_no_part(lines_.line())));
  }

  // Explains texts that are commonly mistaken for a patch.
  static std::string_view why_no_part(std::string_view line) {
    if (line.starts_with("@@"))
      return "a hunk needs `--- a/PATH` and `+++ b/PATH` of its file in the lines before it";
    if (line.starts_with("***"))
      return "a patch is a unified diff here: `--- a/PATH`, `+++ b/PATH`, then hunks that begin with "
             "`@@ -1,3 +1,4 @@`";
    if (line.starts_with("```")) return "a Markdown fence is not part of a patch; leave it out";
    return "this line is not part of a patch, which begins with `diff --git` or `--- a/PATH`";
  }

  std::optional<SectionFault> read_git_part(FilePatch& file) {
    if (std::optional<PatchFault> fault = fault_of_header_line(lines_)) return malformed(std::move(*fault));
    std::string_view rest = lines_.line().substr(git_header.size());
    if (auto names = section_names(rest, {}))
      file.new_path = std::move(names->second);  // Names the file in rejects, until finish_header().
    lines_.advance();
    ExtendedHeader header;
    if (std::optional<PatchFault> fault = read_extended_header(lines_, header))
      return malformed(std::move(*fault));
    if (header.submodule)
      return SectionFault{RejectReason::unsupported,
                          {file.patch_line, "a submodule cannot be changed by a patch"}};

    SideLine old_side, new_side;
    bool has_sides = !lines_.at_end() && lines_.line().starts_with("--- ");
    if (has_sides) {
      if (auto fault = read_side_line(lines_, "--- ", old_side)) return malformed(std::move(*fault));
      if (auto fault = read_side_line(lines_, "+++ ", new_side)) return malformed(std::move(*fault));
    }
    FilePatch finished{.patch_line = file.patch_line};
    HeaderNames names{.minus_name = old_side.name, .plus_name = new_side.name};
    if (auto fault = finish_header(rest, header, names, finished)) return malformed(std::move(*fault));
    file = std::move(finished);
    bool creates = file.kind == FilePatch::Kind::create;
    bool removes = file.kind == FilePatch::Kind::remove;
    if (has_sides && (old_side.name.has_value() == creates || new_side.name.has_value() == removes))
      return malformed(file.patch_line, "/dev/null is used if and only if the file is created or deleted");

    if (has_sides) return read_hunks(file);
    if (!lines_.at_end() && lines_.line() == "GIT binary patch") return read_binary(file);
    if (!lines_.at_end() && lines_.line().starts_with("Binary files ") && lines_.line().ends_with(" differ"))
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
    std::optional<std::string> path;
    if (old_side.name && new_side.name) path = common_file_name(*old_side.name, *new_side.name);
    if (!old_side.name && new_side.name) path = without_prefix(*new_side.name, "b/");
    if (old_side.name && !new_side.name) path = without_prefix(*old_side.name, "a/");
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
    const LineRange& only = file.hunks.front().before;
    file.may_create =
        file.kind == FilePatch::Kind::modify && file.hunks.size() == 1 && only.count == 0 && only.first == 0;
    return std::nullopt;
  }

  static std::string without_prefix(const std::string& name, std::string_view prefix) {
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  }

  std::optional<SectionFault> read_hunks(FilePatch& file) {
    bool ended = false;
    while (!lines_.at_end() && lines_.line().starts_with("@@")) {
      hunk_ = static_cast<std::int64_t>(file.hunks.size());
      ParsedHunk read;
      if (std::optional<PatchFault> fault = read_hunk(lines_, read)) return malformed(std::move(*fault));
      std::int64_t line = read.hunk.patch_line;
      if (ended) return malformed(line, "a hunk follows the one that is marked as the file's last");
      if (file.kind == FilePatch::Kind::create && first_line_of(read.hunk.before) != 1)
        return malformed(line, "the hunk does not begin at line 1 of a file that is created");
      if (file.kind == FilePatch::Kind::create && read.hunk.before.count != 0)
        return malformed(line, "the hunk shows old lines of a file that is created");
      if (file.kind == FilePatch::Kind::remove && read.hunk.after.count != 0)
        return malformed(line, "the hunk leaves lines in a file that is deleted");
      if (!file.hunks.empty()) {
        const LineRange& last = file.hunks.back().before;
        const std::int64_t first = first_line_of(read.hunk.before);
        if (first < first_line_of(last))
          return malformed(line, "the hunks of a file must be in order of their lines");
        // Two insertions at one position are rejected, because their order would be a guess.
        const bool same_position = last.count == 0 && read.hunk.before.count == 0;
        if (first < first_line_of(last) + last.count + (same_position ? 1 : 0))
          return malformed(line, "the hunk overlaps the one before it");
      }
      ended = read.lacks_final_newline;
      file.hunks.push_back(read.hunk);
    }
    if (file.hunks.empty())
      return malformed(lines_.number(), "the --- and +++ lines are followed by no hunk");
    hunk_.reset();
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

  static std::optional<SectionFault> fault_of_paths(const FilePatch& file) {
    std::string_view refusal;
    if (file.kind != FilePatch::Kind::create) refusal = refusal_of_path(file.old_path);
    if (file.kind != FilePatch::Kind::remove && refusal.empty()) refusal = refusal_of_path(file.new_path);
    if (refusal.empty()) return std::nullopt;
    return SectionFault{RejectReason::forbidden_path,
                        {file.patch_line, "the path of this file is rejected: " + std::string(refusal)}};
  }

  // A path may lose one file and get one file: a deletion and a creation of one path change its type, and two
  // renames may swap their files. Anything more would depend on the order of the parts.
  void reject_duplicates() {
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
      patch_.rejects.push_back(Reject{.path = file.path(),
                                      .message = "the patch changes this path in another part too, at line " +
                                                 std::to_string(earlier->patch_line),
                                      .patch_line = file.patch_line});
    }
  }

  PatchLines lines_;
  Patch patch_;
  std::optional<std::int64_t> hunk_;  // The current hunk.
  std::int64_t part_line_ = 0;
  bool parts_ = false;  // The patch has more than blank lines.
  bool bare_ = false;   // The part is only a header.
};

}  // namespace

Patch parse_patch(std::string_view text) { return Parser(text).run(); }

}  // namespace snapgen::core
