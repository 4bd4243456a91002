#include "tools/engine/git/repository/delegate.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "runtime/base/spawn.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/start_program.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/file_checks.h"
#include "tools/engine/git/repository/filters.h"

extern char** environ;

namespace snapgen::core::git {
namespace {

constexpr std::string_view safe_options[] = {"--no-optional-locks", "-c", "core.fsmonitor=false", "-c",
                                             "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false",
                                             // The output is parsed, so no pager and no colours.
                                             "--no-pager", "--literal-pathspecs"};

// The time after which to search for a file that may block git. The search takes a walk.
constexpr int check_after_default_ms = 500;

constexpr const char* unnamed_file_name = "snapgen-git";

// The path by which git opens its settings file: a descriptor, which git's own children inherit too.
constexpr std::string_view settings_path = "/proc/self/fd/3";
static_assert(further_descriptor == 3);

// Quotes text for subsections and values in a configuration file. A raw line break would end the line.
std::string in_double_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + "\"";
}

// Formats one entry of a configuration file (git-config(1)).
std::string as_file_entry(const ConfigEntry& entry) {
  const std::string_view key = entry.key;
  const std::size_t section_end = key.find('.');
  const std::size_t name_begin = key.rfind('.');
  std::string text = "[" + std::string(key.substr(0, section_end));
  if (name_begin > section_end)
    text += " " + in_double_quotes(key.substr(section_end + 1, name_begin - section_end - 1));
  return text + "]\n" + std::string(key.substr(name_begin + 1)) + " = " +
         in_double_quotes(entry.value.value_or("true")) + "\n";
}

// Returns a file with the settings, because thousands of them do not fit into an environment.
Fd settings_file(const std::vector<ConfigEntry>& settings) {
  std::string text;
  for (const ConfigEntry& entry : settings) text += as_file_entry(entry);
  return unnamed_file(unnamed_file_name, text);
}

std::vector<std::string> clean_environment(const Environment& environment, bool with_settings) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (name.starts_with("GIT_") || name.starts_with("LC_") || name == "LANG" || name == "LANGUAGE" ||
        name == "HOME" || name == "XDG_CONFIG_HOME" || name == "PATH") {
      continue;
    }
    out.emplace_back(text);
  }
  out.emplace_back("LC_ALL=C");
  out.push_back("PATH=" + environment.path_variable);
  if (!environment.home.empty()) out.push_back("HOME=" + environment.home);
  if (!environment.xdg_config_home.empty()) out.push_back("XDG_CONFIG_HOME=" + environment.xdg_config_home);
  // A query must never wait for user input or access the network.
  out.emplace_back("GIT_TERMINAL_PROMPT=0");
  out.emplace_back("GIT_OPTIONAL_LOCKS=0");
  // Forbids even to fetch missing objects of a partial clone: the remote's configuration can name programs to
  // run.
  out.emplace_back("GIT_NO_LAZY_FETCH=1");
  out.emplace_back("GIT_ALLOW_PROTOCOL=none");
  if (with_settings) {
    out.emplace_back("GIT_CONFIG_COUNT=1");
    out.emplace_back("GIT_CONFIG_KEY_0=include.path");
    out.push_back("GIT_CONFIG_VALUE_0=" + std::string(settings_path));
  }
  return out;
}

// Reads the available bytes. Returns false at the end of the stream.
bool drain(int fd, std::string& out) {
  char buffer[1 << 16];
  const ssize_t got = read(fd, buffer, sizeof buffer);
  if (got > 0) out.append(buffer, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

// Reads both outputs of git until it closes them. Kills it and returns an error if the stop is requested, or
// if it takes long and one of its files would block it.
Result<Unit> read_outputs(pid_t child, const Pipe& output, const Pipe& error_output, const Pipe& wake,
                          const std::string& git_dir, const std::string& root, const std::stop_token& stop,
                          GitAnswer& answer) {
  // Another thread requests the stop; its callback only writes a byte. The child is reaped later, so its
  // process id cannot be reused before it is killed.
  const int wake_fd = wake.write_end.get();
  const std::stop_callback on_stop(stop, [wake_fd] {
    const char byte = 0;
    [[maybe_unused]] const ssize_t written = write(wake_fd, &byte, 1);
  });
  pollfd polled[3] = {{output.read_end.get(), POLLIN, 0},
                      {error_output.read_end.get(), POLLIN, 0},
                      {wake.read_end.get(), POLLIN, 0}};
  int check_after_ms = check_after_default_ms;
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    const int ready_count = poll(polled, 3, check_after_ms);
    if (ready_count < 0 && errno == EINTR) continue;
    Result<Unit> checked = Unit{};
    if (ready_count == 0) {
      check_after_ms = -1;
      checked = check_git_files_by_walk(git_dir, root);
    }
    if (ready_count < 0 || (polled[2].revents & POLLIN) != 0 || !checked) {
      kill(-child, SIGKILL);
      return checked ? cancelled_call_error() : std::move(checked).error();
    }
    if (polled[0].revents != 0 && !drain(polled[0].fd, answer.output)) polled[0].fd = -1;
    if (polled[1].revents != 0 && !drain(polled[1].fd, answer.error_output)) polled[1].fd = -1;
  }
  return Unit{};
}

}  // namespace

std::string find_program(std::string_view name, std::string_view program_path) {
  while (!program_path.empty()) {
    const std::size_t end = program_path.find(':');
    const std::string_view folder = program_path.substr(0, end);
    program_path.remove_prefix(end == std::string_view::npos ? program_path.size() : end + 1);
    if (!folder.starts_with('/')) continue;  // Never run a program from the current directory.
    const std::string candidate = joined_unless_absolute(folder, name);
    const std::optional<FileStat> stat = stat_of(candidate);
    if (stat && S_ISREG(stat->mode) && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

Result<GitAnswer> run_git(const std::string& git_dir, const std::string& root, const Environment& environment,
                          const std::vector<std::string>& arguments, std::string_view why,
                          std::stop_token stop, std::string_view input) {
  const std::vector<ConfigEntry> without = TRY(filter_disabling_settings(git_dir, root, environment, stop));
  return run_git_with(without, git_dir, root, environment, arguments, why, std::move(stop), input);
}

Result<GitAnswer> run_git_with(const std::vector<ConfigEntry>& settings, const std::string& git_dir,
                               const std::string& root, const Environment& environment,
                               const std::vector<std::string>& arguments, std::string_view why,
                               std::stop_token stop, std::string_view input) {
  const std::string program = find_program("git", environment.path_variable);
  if (program.empty()) {
    return Error(
        ErrorCode::unavailable,
        "The program git is not installed or not on PATH, and it is needed here: " + std::string(why) + ".");
  }
  const auto failed = [](const char* step) {
    const int number = errno;
    const std::string reason = number == E2BIG
                                   ? "its arguments are longer than the system allows. Name fewer paths"
                                   : std::string(std::strerror(number));
    return Error(ErrorCode::unavailable, "The program git cannot be started: " + reason + ".", {}, step);
  };
  if (stop.stop_requested()) return cancelled_call_error();
  TRY(check_git_files(git_dir, environment));

  std::vector<std::string> words{program};
  words.insert(words.end(), std::begin(safe_options), std::end(safe_options));
  // Explicit folders make git skip its search and its ownership check.
  words.push_back("--git-dir=" + git_dir);
  words.push_back("--work-tree=" + root);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<std::string> variables = clean_environment(environment, !settings.empty());

  Pipe output = make_pipe();
  Pipe error_output = make_pipe();
  const Pipe wake = make_pipe();
  if (!output || !error_output || !wake) return failed("pipe2");
  Fd settings_given;
  if (!settings.empty()) settings_given = settings_file(settings);
  Fd input_given;
  if (!input.empty()) input_given = unnamed_file(unnamed_file_name, input);
  if ((!settings.empty() && !settings_given) || (!input.empty() && !input_given))
    return failed("memfd_create");

  pid_t child = -1;
  const ProgramStart start{.words = words,
                           .variables = variables,
                           .folder = root,
                           .input = input_given.get(),
                           .output = output.write_end.get(),
                           .error_output = error_output.write_end.get(),
                           .further = settings_given.get()};
  if (const int error = start_program(start, child); error != 0) {
    errno = error;
    return failed("posix_spawn");
  }
  output.write_end.reset();
  error_output.write_end.reset();

  GitAnswer answer;
  const Result<Unit> read = read_outputs(child, output, error_output, wake, git_dir, root, stop, answer);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!read) return read.error();
  if (stop.stop_requested()) return cancelled_call_error();
  answer.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return answer;
}

Error git_command_error(std::string_view what, const GitAnswer& answer) {
  std::string_view line = answer.error_output;
  // Warnings precede the reason, which is on the line with "fatal:" or "error:".
  for (const std::string_view mark : {"fatal: ", "error: "}) {
    const std::size_t at = answer.error_output.find(mark);
    if (at == std::string::npos) continue;
    line = std::string_view(answer.error_output).substr(at + mark.size());
    break;
  }
  line = line.substr(0, line.find('\n'));
  std::string message = "git could not answer (" + std::string(what) + ")";
  if (!line.empty()) message += ": " + std::string(line);
  if (!message.ends_with('.')) message += '.';
  return Error(ErrorCode::unavailable, std::move(message), {}, answer.error_output);
}

}  // namespace snapgen::core::git
