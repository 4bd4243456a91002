#include "runtime/cli/pages.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "runtime/cli/completion.h"

namespace snapgen::cli {
namespace {

namespace fs = std::filesystem;

Result<Unit> write_file(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return Error(ErrorCode::unavailable, path.string() + " cannot be written.");
  return Unit{};
}

// Writes one file for zsh, which reads all completion files. bash and fish search for a file named after the
// typed command, so they get one for each name of the program.
Result<Unit> write_completion(const fs::path& folder, const Program& program, Shell shell) {
  std::vector<std::string> names = {program.command.name};
  if (shell != Shell::zsh)
    names.insert(names.end(), program.text.other_names.begin(), program.text.other_names.end());
  const std::string script = completion_script(program.command, shell, program.text.other_names);
  for (const std::string& name : names) {
    TRY(write_file(folder / completion_folder(shell) / completion_file_name(name, shell), script));
  }
  return Unit{};
}

}  // namespace

Result<Unit> write_manual_and_completions(const std::string& folder, const std::vector<Program>& programs) {
  for (const Program& program : programs) {
    for (const ManualPage& page : manual_pages(program.command, program.text)) {
      TRY(write_file(fs::path(folder) / "man/man1" / (page.name + ".1"), page.text));
    }
    for (const Shell shell : {Shell::bash, Shell::zsh, Shell::fish}) {
      TRY(write_completion(folder, program, shell));
    }
  }
  return Unit{};
}

}  // namespace snapgen::cli
