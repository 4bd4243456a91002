#pragma once
// The configuration that affects the output of a status, read as git reads it.
#include <cstdint>
#include <string>

#include "tools/engine/git/repository/config.h"

namespace snapgen::core::git {

enum class ShowUntracked : std::uint8_t { no, normal, all };
enum class Renames : std::uint8_t { off, on, copies };
enum class AutoCrlf : std::uint8_t { off, on, input };
enum class LineEnd : std::uint8_t { unset, lf, crlf, native };

struct Settings {
  bool file_mode = true;
  bool symlinks = true;
  bool ignore_case = false;
  bool trust_ctime = true;
  bool check_stat = true;
  bool replace_refs = true;
  bool sparse_checkout = false;
  bool sparse_expects_files = false;  // sparse.expectFilesOutsideOfPatterns
  ShowUntracked show_untracked = ShowUntracked::normal;
  Renames renames = Renames::on;
  std::int64_t rename_limit = 1000;
  AutoCrlf auto_crlf = AutoCrlf::off;
  LineEnd line_end = LineEnd::unset;
  std::string excludes_file;    // Absolute; empty if none.
  std::string attributes_file;  // Absolute; empty if none.
  std::string fallback_reason;  // Why the git program must decide; empty if it need not.
};

// Returns true if a status surely includes untracked files.
inline bool shows_untracked(const Settings& settings) {
  return settings.show_untracked != ShowUntracked::no && settings.fallback_reason.empty();
}

// Reads the settings of a status. Relative paths in them are relative to `root`.
Settings read_settings(Config& config, const std::string& root, const std::string& home,
                       const std::string& xdg_config_home);

}  // namespace snapgen::core::git
