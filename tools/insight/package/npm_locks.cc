// Reads the lock files of Yarn and pnpm line by line.
#include <algorithm>
#include <utility>

#include "tools/engine/base/plain_text.h"
#include "tools/insight/package/project_packages.h"
#include "tools/insight/package/words.h"
#include "tools/insight/syntax/yaml.h"

namespace snapgen::core {
namespace {

std::string_view without_quotes(std::string_view text) {
  text = trimmed(text);
  const bool is_quoted = text.size() > 1 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

std::size_t indentation_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// Splits name@rest or @scope/name@rest into the name and the rest.
std::pair<std::string_view, std::string_view> at_parts(std::string_view text) {
  const std::size_t at = text.find('@', 1);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

// An entry of yarn.lock: its name and ranges, and the members that follow.
struct YarnEntry {
  std::string name;
  LockedPackage package;
  bool is_remote = false;
  bool has_hash = false;
};

void lock_entry(ProjectPackages& found, YarnEntry& entry) {
  if (!entry.name.empty()) {
    entry.package.has_hash = !entry.is_remote || entry.has_hash;
    found.add_locked(entry.name, std::move(entry.package));
  }
  entry = YarnEntry();
}

// Parses the key of an entry of yarn.lock: "name@^1.0.0", "name@npm:^1.0.0", other@1.
YarnEntry yarn_entry(std::string_view key) {
  YarnEntry entry;
  for (std::string_view part : split_by(key, ",")) {
    // Yarn 1 quotes each part, Yarn 2 the whole key.
    part = trimmed(part);
    take_prefix(part, "\"");
    if (part.ends_with('"')) part.remove_suffix(1);
    auto [name, range] = at_parts(part);
    // Yarn 2 also has this prefix for packages that are no alias of another one.
    if (!at_parts(range).second.empty())
      range = part.substr(name.size() + 1);
    else
      take_prefix(range, "npm:");
    if (entry.name.empty()) entry.name = name;
    entry.package.ranges.emplace_back(range);
  }
  if (entry.name.starts_with("__")) entry.name.clear();  // An entry such as __metadata is not a package.
  return entry;
}

void take_yarn_member(YarnEntry& entry, std::string_view line) {
  line = trimmed(line);
  const std::size_t end = std::min(line.find_first_of(": "), line.size());
  const std::string_view key = line.substr(0, end);
  std::string_view value = line.substr(end);
  take_prefix(value, ":");
  value = without_quotes(value);
  if (key == "version") {
    // Yarn writes this version for a package of the same workspace.
    if (value != "0.0.0-use.local") entry.package.version = value;
  } else if (key == "resolved") {
    entry.package.source = value;
    entry.is_remote = value.find("://") != std::string_view::npos;
    entry.package.is_foreign = entry.is_remote && !is_in_npm_registry(value);
    // Yarn 1 has the SHA-1 hash after `#` in this URL.
    if (value.find('#') != std::string_view::npos) entry.has_hash = true;
  } else if (key == "resolution") {
    const std::string_view source = at_parts(value).second;
    const bool is_own = source.starts_with("npm:") || source.starts_with("workspace:") ||
                        source.starts_with("virtual:") || source.starts_with("patch:");
    entry.is_remote = source.starts_with("npm:");
    entry.package.is_foreign = !is_own;
    if (!is_own) entry.package.source = source;
  } else if (key == "integrity" || key == "checksum") {
    entry.has_hash = true;
  }
}

// YamlPath: the keys of the mappings that a line of YAML is in, outermost first, and the scalar after the
// last key.
class YamlPath {
 public:
  // Takes the next line. Returns false if it has no key.
  bool take(std::string_view line) {
    const std::size_t indentation = indentation_of(line);
    const std::string_view content = trimmed(line);
    if (content.empty() || content[0] == '#' || content[0] == '-') return false;
    const bool is_quoted = content[0] == '\'' || content[0] == '"';
    std::size_t end = is_quoted ? content.find(content[0], 1) : 0;
    if (end == std::string_view::npos) return false;
    end = content.find(':', end);
    // A key ends at a colon with a blank or the line end after it; other colons belong to the key.
    while (end != std::string_view::npos && end + 1 < content.size() && content[end + 1] != ' ')
      end = content.find(':', end + 1);
    if (end == std::string_view::npos) return false;
    while (!keys_.empty() && keys_.back().first >= indentation) keys_.pop_back();
    keys_.emplace_back(indentation, without_quotes(content.substr(0, end)));
    value_ = without_quotes(content.substr(end + 1));
    return true;
  }
  std::size_t depth() const { return keys_.size(); }
  std::string_view key(std::size_t index) const { return keys_[index].second; }
  std::string_view value() const { return value_; }

 private:
  std::vector<std::pair<std::size_t, std::string_view>> keys_;
  std::string_view value_;
};

bool is_dependency_kind(std::string_view key) {
  return key == "dependencies" || key == "devDependencies" || key == "optionalDependencies";
}

// Splits the key of an entry of "packages" into name and version: name@1.2.3(peer@1), /name@1.2.3, or
// /name/1.2.3_peer@1.
std::pair<std::string_view, std::string_view> pnpm_key(std::string_view key) {
  take_prefix(key, "/");
  key = key.substr(0, key.find('('));
  auto [name, version] = at_parts(key);
  if (is_version(Ecosystem::npm, version)) return {name, version};
  const std::size_t scope = key.starts_with('@') ? std::min(key.find('/'), key.size() - 1) + 1 : 0;
  const std::size_t slash = key.find('/', scope);
  if (slash == std::string_view::npos) return {name, {}};
  version = key.substr(slash + 1);
  return {key.substr(0, slash), version.substr(0, version.find('_'))};
}

// Parses the version that pnpm-lock.yaml has for a direct dependency: 4.18.2, 4.18.2(peer@1), link:../x,
// https://...
LockedPackage pnpm_version(std::string_view value) {
  LockedPackage package{.version = {}, .source = {}, .ranges = {}};
  package.is_direct = true;
  std::string_view version = value.substr(0, value.find_first_of("(_"));
  // An alias has the name of the other package: other@4.18.2, /other/4.18.2.
  if (!is_version(Ecosystem::npm, version)) version = pnpm_key(value).second;
  if (is_version(Ecosystem::npm, version)) {
    package.version = version;
  } else if (!value.starts_with("link:")) {
    package.source = value;
    package.is_foreign = true;
  }
  return package;
}

}  // namespace

std::optional<SyntaxFault> yarn_lock_fault(std::string_view text) {
  // Since version 2, Yarn writes YAML.
  if (text.starts_with("__metadata:") || text.find("\n__metadata:") != std::string_view::npos)
    return yaml_fault(text);
  std::string_view rest = text, line;
  while (next_line(rest, line)) {
    const std::string_view content = trimmed(line);
    if (content.empty() || content[0] == '#' || content.ends_with(':')) continue;
    const bool has_value = line[0] == ' ' && content.find(' ') != std::string_view::npos;
    if (has_value && std::ranges::count(content, '"') % 2 == 0) continue;
    return fault_at(
        text, static_cast<std::size_t>(content.data() - text.data()),
        has_value ? "a quotation mark is never closed" : "neither an entry nor a member with a value");
  }
  return std::nullopt;
}

void add_yarn_lock(ProjectPackages& found, std::string_view text) {
  YarnEntry entry;
  std::string_view line;
  while (next_line(text, line)) {
    if (trimmed(line).empty() || line[0] == '#') continue;
    const std::size_t indentation = indentation_of(line);
    if (indentation == 0) {
      lock_entry(found, entry);
      std::string_view key = trimmed(line);
      if (key.ends_with(':')) entry = yarn_entry(key.substr(0, key.size() - 1));
    } else if (indentation == 2) {
      take_yarn_member(entry, line);
    }
  }
  lock_entry(found, entry);
}

void add_pnpm_lock(ProjectPackages& found, std::string_view text, const std::string& own) {
  const std::string importer = own.empty() ? "." : own;
  std::map<std::string, std::vector<LockedPackage>> others;  // The entries of "packages", by name.
  YamlPath path;
  std::string_view line;
  while (next_line(text, line)) {
    if (!path.take(line)) continue;
    const bool is_imported = path.depth() > 3 && path.key(0) == "importers" && path.key(1) == importer;
    // A lock file of a single package may have its dependencies at the top level, without "importers".
    const std::size_t from = is_imported ? 2 : 0;
    const std::size_t depth = path.depth() - from;
    if (depth > 1 && is_dependency_kind(path.key(from)) && (is_imported || own.empty())) {
      const bool has_version =
          depth == 2 ? !path.value().empty() : depth == 3 && path.key(from + 2) == "version";
      if (has_version) found.add_locked(std::string(path.key(from + 1)), pnpm_version(path.value()));
    } else if (path.depth() == 2 && path.key(0) == "overrides") {
      found.add_override(path.key(1), path.value());
    } else if (path.depth() == 3 && path.key(0) == "packages" && path.key(2) == "resolution") {
      const auto [name, version] = pnpm_key(path.key(1));
      const bool has_hash = path.value().find("integrity:") != std::string_view::npos;
      const std::size_t source = path.value().find("tarball: ");
      LockedPackage package{.version = std::string(version), .source = {}, .ranges = {}};
      package.has_hash = has_hash;
      if (source != std::string_view::npos) {
        const std::string_view rest = path.value().substr(source + 9);
        package.source = rest.substr(0, rest.find_first_of(",}"));
        package.is_foreign = !package.source.starts_with("https://registry.npmjs.org/");
      }
      others[std::string(name)].push_back(std::move(package));
    }
  }
  for (auto& [name, packages] : others) {
    const auto direct = found.locked.find(name);
    if (direct == found.locked.end()) {
      for (LockedPackage& each : packages) found.add_locked(name, std::move(each));
      continue;
    }
    for (LockedPackage& chosen : direct->second)
      for (const LockedPackage& each : packages)
        if (each.version == chosen.version) {
          chosen.has_hash = each.has_hash;
          chosen.source = each.source;
          chosen.is_foreign = each.is_foreign;
        }
  }
}

}  // namespace snapgen::core
