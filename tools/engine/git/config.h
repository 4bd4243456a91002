#pragma once
// Git's configuration (git-config(1)): system, global, local and work tree files, with their includes.
//
// Our own parser reads what it fully understands. Anything else (a syntax error, an include condition that
// needs refs or remotes, a value of the wrong type) sets `doubt`: then git itself must be asked.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/engine/git/disk.h"

namespace snapgen::core::git {

struct ConfigEntry {
  std::string key;  // section and name in lower case, subsection as written: "submodule.A.url"
  std::optional<std::string> value;  // nothing: the name stood alone, which means true

  bool operator==(const ConfigEntry&) const = default;
};

class Config {
 public:
  // Where `includeIf "gitdir:..."` looks, and what `~/` means.
  struct Folders {
    std::string git_dir;  // empty: outside a repository
    std::string home;
  };

  // Reads one file and its includes, behind what is there already. A missing file is an empty one.
  void add_file(const std::string& path, const Folders& place);
  // The same without following includes: git reads a repository's format in this way.
  void add_file_alone(const std::string& path);
  // The text of a file, without following includes. `name` is for the doubt's sentence.
  void add_text(std::string_view text, const std::string& name) { parse(text, name, nullptr, 0); }
  // Takes over what `git config -z --list` printed.
  void add_listing(std::string_view listing);

  const std::vector<ConfigEntry>& entries() const { return entries_; }
  const std::string& doubt() const { return doubt_; }  // empty: everything was understood
  void set_doubt(std::string reason);

  // The last value of a key. The typed ones set the doubt when the value is not of the type.
  const ConfigEntry* last(std::string_view key) const;
  std::string text(std::string_view key, std::string_view fallback = {});
  bool boolean(std::string_view key, bool fallback);
  std::int64_t integer(std::string_view key, std::int64_t fallback);

  // Whether every file that was read, or looked for, still has the stat it had.
  bool is_current() const;
  // The files that were read, and those that were missed.
  std::vector<std::string> files() const;

 private:
  struct Source {
    std::string path;
    std::optional<FileStat> stat;
    bool is_stable = false;
  };

  void parse(std::string_view bytes, const std::string& path, const Folders* place, int depth);
  void add_file(const std::string& path, const Folders* place, int depth);
  void include(const ConfigEntry& entry, const std::string& path, const Folders& place, int depth);

  std::vector<ConfigEntry> entries_;
  std::map<std::string, std::size_t, std::less<>> last_;
  std::vector<Source> sources_;
  std::string doubt_;
};

// Git's readings of a value; nothing when git would refuse it.
std::optional<bool> config_boolean(const std::optional<std::string>& value);
std::optional<std::int64_t> config_integer(std::string_view value);

// `~/x` resolved against home. Nothing for `~user` and `%(prefix)`, which only git resolves.
std::optional<std::string> config_path(std::string_view value, const std::string& home);

}  // namespace snapgen::core::git
