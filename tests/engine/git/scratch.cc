#include "tests/engine/git/scratch.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/environment.h"
#include "runtime/base/spawn.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

// The variables and functions of every script. PATH is unchanged, so scripts can run the system's programs.
// Syncing and maintenance after commits are disabled, because both only cost time here.
constexpr std::string_view prelude =
    "export LC_ALL=C GIT_AUTHOR_NAME='Test User' GIT_AUTHOR_EMAIL=test@example.com GIT_COMMITTER_NAME='Test "
    "User' "
    "GIT_COMMITTER_EMAIL=test@example.com GIT_AUTHOR_DATE=2024-01-01T00:00:00Z "
    "GIT_COMMITTER_DATE=2024-01-01T00:00:00Z "
    "GIT_TEST_FSYNC=0 GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=maintenance.auto GIT_CONFIG_VALUE_0=false\n"
    // `new` creates a repository; `save` commits everything.
    "new() { git init -q -b main \"$@\" .; }\n"
    "save() { git add -A && git commit -q --allow-empty -m saved; }\n"
    // Scripts write thousands of files with `put`, so it starts a program only if the folder is missing.
    "put() { case $1 in */*) [ -d \"${1%/*}\" ] || mkdir -p -- \"${1%/*}\" ;; esac && printf '%s' \"$2\" > "
    "\"$1\"; }\n"
    // An old time, so that no index entry is racy.
    "age() { find . -path ./.git -prune -o -exec touch -h -d 2020-01-01T00:00:00Z {} +; }\n";

// The template of new repositories: the folders that scripts write to, without git's fourteen sample hooks.
// The folder is deleted when the process that created it exits.
class Template {
 public:
  Template() : owner_(::getpid()) {
    std::string name = (fs::temp_directory_path() / "snapgen-template-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot create a temporary folder";
    path_ = name;
    fs::create_directory(path_ + "/hooks");
    fs::create_directory(path_ + "/info");
    std::ofstream(path_ + "/info/exclude", std::ios::binary) << "# no patterns\n";
    // mkdtemp() allows only the owner to read the folder, and some tests change the user.
    fs::permissions(path_, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec |
                               fs::perms::group_read | fs::perms::others_read);
  }
  Template(const Template&) = delete;
  ~Template() {
    std::error_code ignored;
    if (::getpid() == owner_) fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  ::pid_t owner_;
  std::string path_;
};

// Runs `sh -e file` in a folder. Returns the status of waitpid().
int run_shell(const std::string& folder, const std::string& file, const std::string& home,
              const std::string& output, const std::string& errors) {
  static const Template git_template;
  const std::vector<std::string> variables = {"PATH=" + environment_variable("PATH").value_or(""),
                                              "HOME=" + home, "GIT_TEMPLATE_DIR=" + git_template.path()};
  const std::vector<std::string> words = {"sh", "-e", file};

  ::posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), flags, 0666);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), flags, 0666);
  ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  ::pid_t child = -1;
  const int error = ::posix_spawnp(&child, "sh", &actions, nullptr, null_terminated_pointers(words).data(),
                                   null_terminated_pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    ADD_FAILURE() << "cannot start sh: " << std::strerror(error);
    return -1;
  }
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string line(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::string bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "snapgen-git-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot create a temporary folder";
  folder_ = fs::canonical(name).string();
  repo_ = folder_ + "/repo";
  fs::create_directory(folder_ + "/home");
  fs::create_directory(repo_);
}

Scratch::~Scratch() {
  std::error_code error;
  fs::remove_all(folder_, error);
  if (!error) return;
  // Only root can delete the contents of a folder without permissions.
  const std::string open = "chmod -R u+rwx '" + folder_ + "' 2>/dev/null";
  [[maybe_unused]] const int done = std::system(open.c_str());
  fs::remove_all(folder_, error);
}

Environment Scratch::environment() const {
  Environment environment = Environment::of_process();
  environment.home = folder_ + "/home";
  environment.xdg_config_home.clear();
  return environment;
}

Scratch::Answer Scratch::answer(std::string_view script) const {
  const std::string file = folder_ + "/script";
  const std::string output = folder_ + "/output";
  std::ofstream(file, std::ios::binary) << prelude << script << '\n';
  const int status = run_shell(repo_, file, folder_ + "/home", output, folder_ + "/complaint");
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1, .output = bytes_of_file(output)};
}

void Scratch::run(std::string_view script) const {
  const Answer answered = answer(script);
  if (answered.exit_code == 0) return;
  ADD_FAILURE() << "the script ended with " << answered.exit_code << ":\n"
                << script << "\n"
                << bytes_of_file(folder_ + "/complaint");
}

void Scratch::write(std::string_view path, std::string_view content) const {
  const fs::path file = repo_ + "/" + std::string(path);
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
}

Scratch::Truth Scratch::truth() const {
  Truth truth;
  const Answer answered = answer(
      "r=0; git --no-optional-locks -c core.fsmonitor=false status --porcelain=v1 -z > ../status || r=$?\n"
      "git rev-parse -q --verify HEAD > ../head || true\n"
      "d=$PWD/.git; [ -d .git ] || d=$(git rev-parse --absolute-git-dir)\n"
      "[ ! -f \"$d/index\" ] || cp \"$d/index\" \"$d/index.copy\"\n"
      "GIT_INDEX_FILE=\"$d/index.copy\" git write-tree > ../index-tree || true\n"
      "rm -f \"$d/index.copy\"; exit $r");
  truth.failed = answered.exit_code != 0;
  truth.status = bytes_of_file(outside("status"));
  truth.head_oid = line(bytes_of_file(outside("head")));
  truth.index_oid = line(bytes_of_file(outside("index-tree")));
  return truth;
}

std::string Scratch::listed_files() const {
  const Answer listed = answer("git ls-files -z -c -o --exclude-standard");
  std::set<std::string> paths;
  std::istringstream in(listed.output);
  for (std::string path; std::getline(in, path, '\0');) {
    struct stat status{};
    const std::string full = repo_ + "/" + path;
    // git also lists paths of the index that were deleted or that are beyond a symlink. These are not files
    // of the work tree.
    std::error_code ignored;
    const fs::path parent = fs::path(full).parent_path();
    const bool in_place = fs::canonical(parent, ignored) == parent;
    if (!in_place || ::lstat(full.c_str(), &status) != 0) continue;
    if (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)) paths.insert(path);
  }
  std::string out;
  for (const std::string& path : paths) out += path + std::string(1, '\0');
  return out;
}

std::string paths_of(const FileListing& listing) {
  std::string out;
  for (const WorktreeFile& file : listing.files) out += file.path + std::string(1, '\0');
  return out;
}

std::string listing_text(const FileListing& listing) {
  std::vector<std::string> lines;
  for (const WorktreeFile& file : listing.files) {
    lines.push_back(shown(file.path) + (file.is_symlink ? " symlink" : "") +
                    (file.is_tracked ? " tracked" : "") + (file.is_hard_linked ? " other names" : "") +
                    " inode " + std::to_string(file.stat.inode) + " size " + std::to_string(file.stat.size));
  }
  const auto left_out = static_cast<std::ptrdiff_t>(lines.size());
  for (const SkippedPath& one : listing.skipped)
    lines.push_back(shown(one.path) + " skipped for reason " + std::to_string(static_cast<int>(one.reason)));
  std::sort(lines.begin() + left_out, lines.end());
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

std::string Scratch::git_dir_listing() const {
  std::vector<std::string> lines;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(repo_ + "/.git", ignored)) {
    struct stat status{};
    if (::lstat(entry.path().c_str(), &status) != 0) continue;
    std::ostringstream line;
    line << entry.path().string() << ' ' << status.st_size << ' ' << status.st_ino << ' '
         << status.st_mtim.tv_sec << '.' << status.st_mtim.tv_nsec << ' ' << status.st_ctim.tv_sec << '.'
         << status.st_ctim.tv_nsec << '\n';
    lines.push_back(line.str());
  }
  std::sort(lines.begin(), lines.end());
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

std::string shown(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    if (c == '\0') {
      out += "\\0\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      char hex[8];
      std::snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned char>(c));
      out += hex;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace snapgen::core
