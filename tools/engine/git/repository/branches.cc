#include "tools/engine/git/repository/branches.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/git/repository/delegate.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/state.h"

namespace snapgen::core::git {
namespace {

constexpr std::string_view branches_folder = "refs/heads";
constexpr int depth_max = 100;

// Reads the references that are files. As git does, call it before packed-refs is read: meanwhile git may
// move references to that file.
class LooseBranches {
 public:
  explicit LooseBranches(const std::string& common_dir) : common_dir_(common_dir) {}

  // Returns false if only git can read them.
  bool read(const std::string& name, int depth = 0) {
    if (!is_safe_ref_name(name)) return true;  // git ignores it, too.
    const std::string path = common_dir_ + "/" + name;
    const std::optional<FileStat> stat = lstat_of(path);
    sources_[path] = stat;
    if (!stat) return true;
    if (!S_ISDIR(stat->mode)) return read_file_at(path, name, *stat);
    if (depth == depth_max) return false;
    const FolderNames found = names_in_folder(path);
    return found.error == 0 && std::ranges::all_of(found.names, [&](const std::string& each) {
             return read(name + "/" + each, depth + 1);
           });
  }

  // Adds the packed branches, without those that are files.
  Branches with_packed(Branches packed) && {
    for (auto& [name, oid] : found_) {
      packed.erase(name);
      if (oid) packed.emplace(name, *oid);
    }
    return packed;
  }
  std::map<std::string, std::optional<FileStat>>& sources() { return sources_; }

 private:
  bool read_file_at(const std::string& path, const std::string& name, const FileStat& stat) {
    if (S_ISLNK(stat.mode)) return found_.emplace(name, std::nullopt).second;
    const FileBytes file = read_file(path, limits::one_line, Follow::nothing);
    if (file.error == ENOENT) return true;
    const std::string_view text = file.bytes;
    const std::optional<Oid> oid = Oid::from_hex(text.substr(0, text.find_first_of(" \t\r\n")));
    found_.emplace(name, oid);
    return file.error == 0 && (oid || text.starts_with("ref:"));
  }

  const std::string& common_dir_;
  std::map<std::string, std::optional<Oid>> found_;  // nullopt: a symbolic reference.
  std::map<std::string, std::optional<FileStat>> sources_;
};

bool is_current(const KnownBranches& known) {
  return known.is_stable && std::ranges::all_of(known.sources, [](const auto& source) {
           return lstat_of(source.first) == source.second;
         });
}

// Returns the branches as `git for-each-ref` lists them.
Result<Branches> listed_branches(const Repository::State& state, const std::string& why,
                                 const std::stop_token& stop) {
  const std::vector<std::string> arguments{"for-each-ref", "--format=%(objectname) %(refname) %(symref)",
                                           std::string(branches_folder)};
  const GitAnswer answer =
      TRY(run_git(state.layout.git_dir, state.layout.root, state.environment, arguments, why, stop));
  if (answer.exit_code != 0) return git_command_error("git for-each-ref", answer);
  Branches branches;
  std::string_view rest = answer.output;
  for (std::string_view line; next_line(rest, line);) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    const std::optional<Oid> oid = Oid::from_hex(line.substr(0, first));
    if (oid && last + 1 == line.size()) branches.emplace(line.substr(first + 1, last - first - 1), *oid);
  }
  return branches;
}

}  // namespace

Result<std::shared_ptr<const Branches>> load_branches(Repository::State& state,
                                                      const RepositoryFormat& format,
                                                      const std::stop_token& stop) {
  {
    const std::lock_guard lock(state.mutex);
    if (state.branches.branches && is_current(state.branches)) return state.branches.branches;
  }
  const std::int64_t now = file_clock_ns();
  const std::string& common_dir = state.layout.common_dir;
  LooseBranches loose(common_dir);
  const std::string packed_path = common_dir + "/packed-refs";
  const bool is_read = format.fallback_reason.empty() && loose.read(std::string(branches_folder));
  loose.sources()[packed_path] = lstat_of(packed_path);
  std::optional<Branches> packed;
  if (is_read) packed = packed_refs(state).branches();
  KnownBranches known{.branches = {}, .sources = std::move(loose.sources()), .is_stable = packed.has_value()};
  if (packed) {
    known.branches = std::make_shared<const Branches>(std::move(loose).with_packed(*std::move(packed)));
  } else {
    const std::string why =
        format.fallback_reason.empty() ? "the branches cannot be read" : format.fallback_reason;
    known.branches = std::make_shared<const Branches>(TRY(listed_branches(state, why, stop)));
  }
  for (const auto& [path, stat] : known.sources)
    known.is_stable = known.is_stable && (!stat || stat_proves_content(*stat, now));
  const std::lock_guard lock(state.mutex);
  if (state.branches.branches && *state.branches.branches == *known.branches)
    known.branches = state.branches.branches;
  state.branches = std::move(known);
  return state.branches.branches;
}

}  // namespace snapgen::core::git
