#pragma once
// Git's configuration (git-config(1)): system, global, local and work tree files, with their includes.
//
// Our parser reads only what it fully understands. Anything else (a syntax error, an include condition that
// needs refs or remotes, a value of the wrong type) sets `fallback_reason`: then the git program must be run.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/git/repository/disk.h"

namespace snapgen::core::git {

struct ConfigEntry {
  std::string key;  // section and name in lower case, subsection as written: "submodule.A.url"
  std::optional<std::string> value;  // nullopt: the name has no value, which means true

  bool operator==(const ConfigEntry&) const = default;
};

class Config {
 public:
  // The folders that `includeIf "gitdir:..."` compares with, and that `~/` means.
  struct Folders {
    std::string git_dir;  // empty: outside a repository
    std::string home;
  };

  // Appends the entries of one file and its includes. A missing file counts as empty.
  void add_file(const std::string& path, const Folders& folders);
  // Appends the entries of `core` and `extensions` in one file, without includes: git reads a repository's
  // format in this way. There may be many other entries.
  void add_format_file(const std::string& path);
  // Parses a file's text, without includes. `name` appears in `fallback_reason`.
  void add_text(std::string_view text, const std::string& name) {
    parse(text, name, nullptr, 0, Entries::all);
  }
  // Adds the output of `git config -z --list`.
  void add_listing(std::string_view listing);

  const std::vector<ConfigEntry>& entries() const { return entries_; }
  const std::string& fallback_reason() const {
    return fallback_reason_;
  }  // Empty if everything was understood.
  void set_fallback_reason(std::string reason);
  // Set if a file is too large to be read, also by the git program.
  const std::optional<Error>& error() const { return error_; }

  // Returns the last value of a key. The typed getters set the fallback reason if the value has another type.
  const ConfigEntry* last_entry(std::string_view key) const;
  std::string text(std::string_view key, std::string_view fallback = {});
  bool boolean(std::string_view key, bool fallback);
  std::int64_t integer(std::string_view key, std::int64_t fallback);

  // Returns true if every file that was read or found missing has the same stat as then.
  bool is_current() const;
  // Returns the files that were read and those that were missing.
  std::vector<std::string> files() const;

 private:
  struct Source {
    std::string path;
    std::optional<FileStat> stat;
    bool stat_proves_content = false;
  };

  enum class Entries : std::uint8_t { all, of_format };
  void parse(std::string_view bytes, const std::string& path, const Folders* folders, int depth,
             Entries entries);
  void add_file(const std::string& path, const Folders* folders, int depth, Entries entries);
  void include(const ConfigEntry& entry, const std::string& path, const Folders& folders, int depth);

  std::vector<ConfigEntry> entries_;
  std::map<std::string, std::size_t, std::less<>> last_;
  std::vector<Source> sources_;
  std::string fallback_reason_;
  std::optional<Error> error_;
};

// Parse a value as git does; nullopt if git would reject it.
std::optional<bool> config_boolean(const std::optional<std::string>& value);
std::optional<std::int64_t> config_integer(std::string_view value);

// Resolves `~/x` against home. Returns nullopt for `~user` and `%(prefix)`, which only git resolves.
std::optional<std::string> config_path(std::string_view value, const std::string& home);

}  // namespace snapgen::core::git
