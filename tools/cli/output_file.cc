#include "tools/cli/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/cli/terminal.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {
namespace {

Error cannot_write(const std::string& path) {
  return Error(ErrorCode::unavailable,
               printable(path) + " cannot be written: " + std::string(std::strerror(errno)) + ".");
}

Result<Unit> check_rules(const App& app, const std::string& typed, const std::filesystem::path& target) {
  if (!app.workspace_folder()) return Unit{};
  const std::string within = target.lexically_relative(*app.workspace_folder()).string();
  if (within.empty() || within == ".." || within.starts_with("../")) return Unit{};
  if (core::is_reserved_path(within))
    return Error(
        ErrorCode::permission_denied,
        printable(typed) + " is in a folder of git or of the server. Write the file to another folder.");
  return app.write_rules.check(within);
}

// Returns an error if a file at the path may not be overwritten.
Result<Unit> check_place(const OutputFile& file, const std::string& target) {
  struct stat there;
  if (::lstat(target.c_str(), &there) != 0) return Unit{};
  const std::string name = printable(file.path);
  if (S_ISDIR(there.st_mode))
    return Error(ErrorCode::invalid_argument, name + " is a folder; name a file in it.");
  if (!S_ISREG(there.st_mode))
    return Error(ErrorCode::permission_denied,
                 name + " is not a regular file, so it is not overwritten. Name another file.");
  if (!file.force)
    return Error(ErrorCode::permission_denied, name + " already exists. Pass --force to overwrite it.");
  return Unit{};
}

}  // namespace

Result<Unit> write_output(const App& app, const OutputFile& file, std::string_view bytes) {
  if (file.path.empty() || file.path.ends_with('/'))
    return Error(ErrorCode::invalid_argument, "The file to write must have a name.");
  // Symlinks to folders are resolved, so that none bypasses the write rules.
  std::error_code failed;
  const std::filesystem::path typed = std::filesystem::absolute(file.path).lexically_normal();
  const std::filesystem::path folder = std::filesystem::weakly_canonical(typed.parent_path(), failed);
  const std::filesystem::path target = failed ? typed : folder / typed.filename();
  TRY(check_place(file, target));
  TRY(check_rules(app, file.path, target));
  const std::string beside = target.string() + ".part" + std::to_string(::getpid());
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return cannot_write(file.path);
  const Result<Unit> written = Terminal{.fd = fd}.print(bytes);
  const bool is_synced = ::fsync(fd) == 0;
  ::close(fd);
  if (written && is_synced && ::rename(beside.c_str(), target.c_str()) == 0) return Unit{};
  const Error failure = written ? cannot_write(file.path) : written.error();
  ::unlink(beside.c_str());
  return failure;
}

}  // namespace snapgen::tools
