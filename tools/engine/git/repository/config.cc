#include "tools/engine/git/repository/config.h"

#include <cerrno>
#include <cinttypes>
#include <limits>

#include "runtime/base/text.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/git/repository/ascii.h"
#include "tools/engine/git/repository/wildmatch.h"

namespace snapgen::core::git {
namespace {

constexpr int include_depth_max = 10;  // git's own limit

bool is_key_byte(int c) { return is_alphanumeric(static_cast<char>(c)) || c == '-'; }

// Scanner implements the syntax of git-config(1). Reads past the end return a line break.
class Scanner {
 public:
  explicit Scanner(std::string_view bytes) : bytes_(bytes) {
    if (bytes_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  }

  bool at_end() const { return ended_; }

  int next() {
    if (at_ >= bytes_.size()) {
      ended_ = true;
      return '\n';
    }
    if (bytes_[at_] == '\r' && at_ + 1 < bytes_.size() && bytes_[at_ + 1] == '\n') ++at_;
    return static_cast<unsigned char>(bytes_[at_++]);
  }

  // Parses the rest of `[...]` into "section." or "section.subsection.". Returns false on a syntax error.
  bool section(std::string& prefix) {
    prefix.clear();
    for (int c = next();; c = next()) {
      if (c == ']' && !ended_) break;
      if (is_space(c)) return subsection(prefix, c);
      if (!is_key_byte(c) && c != '.') return false;
      prefix += to_lower(static_cast<char>(c));
    }
    prefix += '.';
    return true;
  }

  // Parses the rest of `name = value`, after the first byte of the name.
  bool entry(ConfigEntry& out, bool& tab_seen) {
    int c = next();
    while (!ended_ && is_key_byte(c)) {
      out.key += to_lower(static_cast<char>(c));
      c = next();
    }
    while (c == ' ' || c == '\t') c = next();
    if (c == '\n') return true;
    return c == '=' && value(out.value.emplace(), tab_seen);
  }

 private:
  bool subsection(std::string& prefix, int c) {
    while (is_space(c)) {
      if (c == '\n') return false;
      c = next();
    }
    if (c != '"') return false;
    prefix += '.';
    for (c = next(); c != '"'; c = next()) {
      if (c == '\\') c = next();
      if (c == '\n') return false;
      prefix += static_cast<char>(c);
    }
    prefix += '.';
    return next() == ']' && !ended_;
  }

  bool value(std::string& out, bool& tab_seen) {
    bool quoted = false;
    std::string space;  // Delayed, because trailing white space is not part of the value.
    for (;;) {
      int c = next();
      if (c == '\n') return !quoted;
      if (!quoted && is_space(c)) {
        if (!out.empty()) space += static_cast<char>(c);
        continue;
      }
      if (!quoted && (c == ';' || c == '#')) {
        while (next() != '\n') {
        }
        return true;
      }
      tab_seen |= space.find_first_not_of(' ') != std::string::npos;
      out += space;
      space.clear();
      if (c == '"') {
        quoted = !quoted;
        continue;
      }
      if (c == '\\') {
        c = next();
        if (c == '\n') {
          if (ended_) return !quoted;
          continue;
        }
        switch (c) {
          case 't': c = '\t'; break;
          case 'b': c = '\b'; break;
          case 'n': c = '\n'; break;
          case '\\':
          case '"': break;
          default: return false;
        }
      }
      out += static_cast<char>(c);
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

// Evaluates includeIf "gitdir:<pattern>". Returns nullopt if the git program must decide.
std::optional<bool> git_dir_matches(std::string_view condition, const std::string& file,
                                    const Config::Folders& folders, bool fold_case) {
  if (folders.git_dir.empty()) return false;
  const std::optional<std::string> expanded = config_path(condition, folders.home);
  if (!expanded) return std::nullopt;
  std::string pattern = *expanded;
  std::size_t literal = 0;
  if (pattern.starts_with("./")) {
    const std::optional<std::string> real = real_path(file);
    if (!real) return std::nullopt;
    const std::string folder = folder_of(*real);
    pattern.replace(0, 1, folder);
    literal = folder.size() + 1;
  } else if (!pattern.starts_with('/')) {
    pattern.insert(0, "**/");
  }
  if (pattern.ends_with('/')) pattern += "**";
  std::vector<std::string> texts;
  if (std::optional<std::string> real = real_path(folders.git_dir)) texts.push_back(std::move(*real));
  texts.push_back(folders.git_dir);
  for (const std::string& text : texts) {
    if (text.size() < literal) continue;
    const std::string head = text.substr(0, literal);
    const std::string wanted = pattern.substr(0, literal);
    const bool same = fold_case ? to_lower(head) == to_lower(wanted) : head == wanted;
    const std::string_view rest = std::string_view(pattern).substr(literal);
    if (same && wildmatch(rest, std::string_view(text).substr(literal), WildmatchMode::path, fold_case))
      return true;
  }
  return false;
}

}  // namespace

void Config::set_fallback_reason(std::string reason) {
  if (fallback_reason_.empty()) fallback_reason_ = std::move(reason);
}

void Config::add_file(const std::string& path, const Folders& folders) {
  add_file(path, &folders, 0, Entries::all);
}
void Config::add_format_file(const std::string& path) { add_file(path, nullptr, 0, Entries::of_format); }

void Config::add_file(const std::string& path, const Folders* folders, int depth, Entries entries) {
  const std::int64_t now = file_clock_ns();
  const FileBytes file = read_file(path, limits::config);
  Source source{.path = path};
  if (file.error == 0) {
    source.stat = file.stat;
    source.stat_proves_content = stat_proves_content(file.stat, now);
  }
  sources_.push_back(std::move(source));
  if (file.error == ENOENT || file.error == ENOTDIR) return;
  if (file.error == EFBIG && !error_) error_ = oversized_file_error(path, limits::config);
  if (file.error != 0) {
    set_fallback_reason("a configuration file cannot be read: " + path);
    return;
  }
  parse(file.bytes, path, folders, depth, entries);
}

void Config::parse(std::string_view bytes, const std::string& path, const Folders* folders, int depth,
                   Entries entries) {
  if (bytes.find('\0') != std::string_view::npos) {
    set_fallback_reason("a configuration file contains a NUL byte: " + path);
    return;
  }
  Scanner in(bytes);
  std::string prefix;
  bool tab_seen = false;
  for (;;) {
    const int c = in.next();
    if (in.at_end()) break;
    if (is_space(c)) continue;
    if (c == '#' || c == ';') {
      while (in.next() != '\n') {
      }
      continue;
    }
    bool good = true;
    if (c == '[') {
      good = in.section(prefix);
    } else {
      ConfigEntry entry;
      entry.key = prefix + to_lower(static_cast<char>(c));
      good = is_letter(static_cast<char>(c)) && !prefix.empty() && in.entry(entry, tab_seen);
      const bool is_of_format = prefix == "core." || prefix == "extensions.";
      if (good && (entries == Entries::all || is_of_format)) {
        last_[entry.key] = entries_.size();
        entries_.push_back(entry);
        if (folders != nullptr) include(entry, path, *folders, depth);
      }
    }
    if (!good) {
      set_fallback_reason("a configuration file has a syntax error: " + path);
      return;
    }
  }
  // Git before 2.45 turns white space inside an unquoted value into blanks; later versions preserve it.
  if (tab_seen) set_fallback_reason("a configuration value contains an unquoted tab: " + path);
}

void Config::include(const ConfigEntry& entry, const std::string& path, const Folders& folders, int depth) {
  bool wanted = entry.key == "include.path";
  const std::string_view key = entry.key;
  if (!wanted) {
    constexpr std::string_view head = "includeif.";
    constexpr std::string_view tail = ".path";
    if (!key.starts_with(head) || !key.ends_with(tail) || key.size() < head.size() + tail.size()) return;
    const std::string_view condition = key.substr(head.size(), key.size() - head.size() - tail.size());
    std::optional<bool> holds = std::nullopt;
    if (condition.starts_with("gitdir:")) {
      holds = git_dir_matches(condition.substr(7), path, folders, false);
    } else if (condition.starts_with("gitdir/i:")) {
      holds = git_dir_matches(condition.substr(9), path, folders, true);
    } else if (condition.starts_with("onbranch:") && folders.git_dir.empty()) {
      holds = false;
    }
    if (!holds) {
      set_fallback_reason("an include condition needs git");
      return;
    }
    wanted = *holds;
  }
  if (!wanted) return;
  const std::optional<std::string> target =
      entry.value ? config_path(*entry.value, folders.home) : std::nullopt;
  if (!target || depth + 1 > include_depth_max) {
    set_fallback_reason("an include needs git");
    return;
  }
  add_file(joined_unless_absolute(folder_of(path), *target), &folders, depth + 1, Entries::all);
}

void Config::add_listing(std::string_view listing) {
  for (std::string_view record; next_part(listing, record, '\0');) {
    ConfigEntry entry;
    const std::size_t line = record.find('\n');
    entry.key = std::string(record.substr(0, line));
    if (line != std::string_view::npos) entry.value = std::string(record.substr(line + 1));
    last_[entry.key] = entries_.size();
    entries_.push_back(std::move(entry));
  }
}

const ConfigEntry* Config::last_entry(std::string_view key) const {
  const auto found = last_.find(key);
  return found == last_.end() ? nullptr : &entries_[found->second];
}

std::string Config::text(std::string_view key, std::string_view fallback) {
  const ConfigEntry* entry = last_entry(key);
  if (entry == nullptr) return std::string(fallback);
  if (!entry->value) set_fallback_reason("a configuration value is missing: " + entry->key);
  return entry->value.value_or(std::string(fallback));
}

bool Config::boolean(std::string_view key, bool fallback) {
  const ConfigEntry* entry = last_entry(key);
  if (entry == nullptr) return fallback;
  const std::optional<bool> value = config_boolean(entry->value);
  if (!value) set_fallback_reason("a configuration value is not a boolean: " + entry->key);
  return value.value_or(fallback);
}

std::int64_t Config::integer(std::string_view key, std::int64_t fallback) {
  const ConfigEntry* entry = last_entry(key);
  if (entry == nullptr) return fallback;
  const std::optional<std::int64_t> value = entry->value ? config_integer(*entry->value) : std::nullopt;
  if (!value) set_fallback_reason("a configuration value is not a number: " + entry->key);
  return value.value_or(fallback);
}

bool Config::is_current() const {
  for (const Source& source : sources_) {
    if (source.stat && !source.stat_proves_content) return false;
    if (stat_of(source.path) != source.stat) return false;
  }
  return true;
}

std::vector<std::string> Config::files() const {
  std::vector<std::string> paths;
  for (const Source& source : sources_) paths.push_back(source.path);
  return paths;
}

std::optional<bool> config_boolean(const std::optional<std::string>& value) {
  if (!value) return true;
  if (value->empty()) return false;
  const std::string word = to_lower(*value);
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "no" || word == "off") return false;
  if (const std::optional<std::int64_t> number = config_integer(*value)) return *number != 0;
  return std::nullopt;
}

std::optional<std::int64_t> config_integer(std::string_view value) {
  const std::string text(value);
  char* end = nullptr;
  errno = 0;
  const std::intmax_t number = std::strtoimax(text.c_str(), &end, 0);
  if (errno != 0 || end == text.c_str()) return std::nullopt;
  const std::string unit = to_lower(std::string_view(end));
  std::intmax_t factor = 1;
  if (unit == "k") {
    factor = 1024;
  } else if (unit == "m") {
    factor = 1024 * 1024;
  } else if (unit == "g") {
    factor = 1024 * 1024 * 1024;
  } else if (!unit.empty()) {
    return std::nullopt;
  }
  constexpr std::intmax_t limit = std::numeric_limits<std::int32_t>::max();  // The limit of git_config_int().
  if (number > limit / factor || number < -(limit / factor)) return std::nullopt;
  return number * factor;
}

std::optional<std::string> config_path(std::string_view value, const std::string& home) {
  if (value.starts_with("%(prefix)/")) return std::nullopt;
  if (!value.starts_with('~')) return std::string(value);
  if (value.size() > 1 && value[1] != '/') return std::nullopt;
  if (home.empty()) return std::nullopt;
  return home + std::string(value.substr(1));
}

}  // namespace snapgen::core::git
