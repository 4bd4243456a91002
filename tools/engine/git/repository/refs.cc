#include "tools/engine/git/repository/refs.h"

#include <cerrno>

#include <fcntl.h>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/git/repository/ascii.h"
#include "tools/engine/git/repository/disk.h"

namespace snapgen::core::git {
namespace {

constexpr int symref_depth_max = 5;  // git's own limit

std::string_view trimmed_end(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Per-work-tree references are in the git dir, all others in the common dir (gitglossary: "worktree").
bool is_per_worktree(std::string_view name) {
  if (!name.starts_with("refs/")) return true;
  return name.starts_with("refs/worktree/") || name.starts_with("refs/bisect/") ||
         name.starts_with("refs/rewritten/");
}

Head doubtful_head(std::string reason) {
  Head head;
  head.fallback_reason = std::move(reason);
  return head;
}

bool is_empty_folder(const std::string& path) {
  const FolderNames found = names_in_folder(path);
  return found.names.empty() && (found.error == 0 || found.error == ENOENT || found.error == ENOTDIR);
}

}  // namespace

bool is_safe_ref_name(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.back() == '/' || name.ends_with(".lock")) return false;
  for (const std::string_view bad : {"..", "//", "/.", "\\", "@{", " ", "~", "^", ":", "?", "*", "["}) {
    if (name.find(bad) != std::string_view::npos) return false;
  }
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  }
  return name != "@" && name.front() != '.';
}

void PackedRefs::refresh() {
  const std::optional<FileStat> stat = stat_of(path_);
  if (stat == stat_ && is_stable_) return;
  const std::int64_t now = file_clock_ns();
  FileBytes file = read_file(path_, limits::packed_refs);
  readable_ = file.error == 0 || file.error == ENOENT;
  bytes_ = std::move(file.bytes);
  has_replace_refs_ = bytes_.find(" refs/replace/") != std::string::npos;
  stat_ = file.error == 0 ? std::optional(file.stat) : std::nullopt;
  is_stable_ = readable_ && (!stat_ || stat_proves_content(*stat_, now));
}

PackedRefs::Found PackedRefs::find(std::string_view name) {
  const std::lock_guard lock(mutex_);
  refresh();
  Found out{.oid = {}, .readable = readable_};
  std::string wanted(1, ' ');
  wanted.append(name).append(1, '\n');
  for (std::size_t at = bytes_.find(wanted); at != std::string::npos && !out.oid;
       at = bytes_.find(wanted, at + 1)) {
    const std::size_t line = at == 0 ? std::string::npos : bytes_.rfind('\n', at - 1);
    const std::size_t begin = line == std::string::npos ? 0 : line + 1;
    out.oid = Oid::from_hex(std::string_view(bytes_).substr(begin, at - begin));
  }
  return out;
}

std::optional<Branches> PackedRefs::branches() {
  constexpr std::string_view prefix = "refs/heads/";
  const std::lock_guard lock(mutex_);
  refresh();
  if (!readable_) return std::nullopt;
  Branches found;
  std::string_view rest = bytes_;
  for (std::string_view line; next_line(rest, line);) {
    const std::size_t blank = line.find(' ');
    const std::optional<Oid> oid = Oid::from_hex(line.substr(0, blank));
    const std::string_view name = line.substr(blank + 1);
    if (oid && name.starts_with(prefix) && is_safe_ref_name(name)) found.emplace(name, *oid);
  }
  return found;
}

bool PackedRefs::has_replace_refs() {
  const std::lock_guard lock(mutex_);
  refresh();
  return has_replace_refs_ || !readable_;
}

Result<Head> read_head(const std::string& git_dir, const std::string& common_dir, PackedRefs& packed) {
  Head head;
  std::string name = "HEAD";
  for (int depth = 0; depth <= symref_depth_max; ++depth) {
    const std::string& folder = is_per_worktree(name) ? git_dir : common_dir;
    const std::string path = folder + "/" + name;
    head.read_paths.push_back(path);
    const std::optional<FileStat> stat = lstat_of(path);
    if (stat && S_ISLNK(stat->mode)) {
      // The legacy form: a symlink into refs/.
      const std::optional<std::string> target = read_link_at(AT_FDCWD, path.c_str());
      if (!target || !target->starts_with("refs/") || !is_safe_ref_name(*target)) {
        return doubtful_head("a reference is an unusual symlink");
      }
      name = *target;
      head.branch = name;
      continue;
    }
    const FileBytes file = read_file(path, limits::one_line);
    if (file.error == ENOENT || file.error == ENOTDIR || file.error == EISDIR) {
      if (name == "HEAD") return doubtful_head("HEAD is missing");
      const PackedRefs::Found found = packed.find(name);
      if (!found.readable) return doubtful_head("packed-refs cannot be read");
      head.commit = found.oid;
      // Git accepts a folder in place of the branch only if it is empty.
      if (!head.commit && file.error == EISDIR) return doubtful_head("a folder has the name of a reference");
      return head;
    }
    if (file.error == EFBIG) return oversized_file_error(path, limits::one_line);
    if (file.error != 0) return doubtful_head("a reference cannot be read");
    std::string_view text = file.bytes;
    if (text.starts_with("ref:")) {
      text.remove_prefix(4);
      while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
      name = std::string(trimmed_end(text));
      if (!is_safe_ref_name(name) || !name.starts_with("refs/"))
        return doubtful_head("HEAD names an unusual reference");
      head.branch = name;
      continue;
    }
    const std::size_t digits = text.find_first_of(" \t\r\n");
    head.commit = Oid::from_hex(text.substr(0, digits));
    if (!head.commit || head.commit->is_null()) return doubtful_head("a reference is damaged");
    return head;
  }
  return doubtful_head("references point to each other");
}

bool has_replace_refs(const std::string& common_dir, PackedRefs& packed) {
  return !is_empty_folder(common_dir + "/refs/replace") || packed.has_replace_refs();
}

}  // namespace snapgen::core::git
