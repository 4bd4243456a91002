#include "tools/insight/package/package.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "runtime/json/document.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t manifest_bytes_max = 4 << 20;
constexpr std::int64_t lock_bytes_max = 64 << 20;

constexpr std::array<const char*, 4> dependency_kinds = {"dependencies", "devDependencies",
                                                         "optionalDependencies", "peerDependencies"};
constexpr std::array<const char*, 3> install_hooks = {"preinstall", "install", "postinstall"};

std::string node_text(const json::Node* node) {
  return node && node->is(json::Kind::string) ? node->text : std::string();
}

// Returns nullopt if the file does not exist. Errors: permission_denied, too_large, ...
Result<std::optional<std::string>> read_text(const Root& root, const std::string& path,
                                             std::int64_t bytes_max) {
  Result<Opened> file = root.open_file(path);
  if (!file && file.error().code == ErrorCode::not_found) return std::optional<std::string>();
  if (!file) return std::move(file).error();
  if (file->stat.size > bytes_max)
    return Error(ErrorCode::too_large, path_in_sentence(path) + " is too large to be read.");
  std::string text;
  TRY(read_steadily(*file, text));
  return std::optional<std::string>(std::move(text));
}

struct LockedVersion {
  std::string version, source, integrity;
  bool has_script = false;
};

struct LockFile {
  std::string path;
  std::map<std::string, LockedVersion> packages;  // The top-level packages, if the format is understood.
  std::string text;                               // The whole text, otherwise.
  bool is_understood = false;
};

LockedVersion locked_of(const json::Node& node) {
  const json::Node* script = node.find("hasInstallScript");
  return {.version = node_text(node.find("version")),
          .source = node_text(node.find("resolved")),
          .integrity = node_text(node.find("integrity")),
          .has_script = script && script->is(json::Kind::boolean) && script->boolean};
}

// Lock file versions 2 and 3 have "packages" by path, version 1 has "dependencies" by name.
void understand(LockFile& lock) {
  const json::Document document = json::parse_document(lock.text);
  if (!document.ok()) return;
  constexpr std::string_view prefix = "node_modules/";
  if (const json::Node* packages = document.root.find("packages")) {
    lock.is_understood = true;
    for (const json::Member& each : packages->members) {
      if (!each.key.starts_with(prefix)) continue;
      const std::string name = each.key.substr(prefix.size());
      if (name.find("/node_modules/") == std::string::npos) lock.packages[name] = locked_of(each.value);
    }
  } else if (const json::Node* dependencies = document.root.find("dependencies")) {
    lock.is_understood = true;
    for (const json::Member& each : dependencies->members) lock.packages[each.key] = locked_of(each.value);
  }
}

Result<std::optional<LockFile>> find_lock(const Root& root, const std::string& folder) {
  for (const char* name :
       {"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"}) {
    LockFile lock{.path = joined(folder, name), .packages = {}, .text = {}};
    std::optional<std::string> text = TRY(read_text(root, lock.path, lock_bytes_max));
    if (!text) continue;
    lock.text = *std::move(text);
    if (lock.path.ends_with(".json")) understand(lock);
    return std::optional(std::move(lock));
  }
  return std::optional<LockFile>();
}

bool is_registry(std::string_view source) {
  return source.starts_with("https://registry.npmjs.org/") ||
         source.starts_with("https://registry.yarnpkg.com/");
}

bool is_foreign_version(std::string_view wanted) {
  return wanted.find("://") != std::string_view::npos || wanted.starts_with("git") ||
         wanted.starts_with("file:") || wanted.starts_with("link:") ||
         (wanted.find('/') != std::string_view::npos && !wanted.starts_with("npm:") &&
          !wanted.starts_with("workspace:") && !wanted.starts_with('@'));
}

bool is_ambiguous(std::string_view wanted) {
  return wanted.empty() || wanted == "*" || wanted == "x" || wanted == "latest" || wanted == "next" ||
         wanted.starts_with(">");
}

// Whether a range is one exact version, such as 1.2.3.
bool is_exact(std::string_view wanted) {
  return !wanted.empty() && wanted[0] >= '0' && wanted[0] <= '9' &&
         wanted.find_first_of(" <>|*x") == std::string_view::npos &&
         std::count(wanted.begin(), wanted.end(), '.') >= 2;
}

class Looker {
 public:
  Looker(const Root& root, std::string folder) : root_(root), folder_(std::move(folder)) {}

  Result<PackageAnswer> run(const PackageQuery& query) {
    TRY(read_manifest());
    lock_ = TRY(find_lock(root_, folder_));
    PackageAnswer answer{.manifest = manifest_, .lock_file = lock_ ? lock_->path : "", .packages = {}};
    if (query.name) {
      answer.packages.push_back(look(*query.name, query.version));
    } else {
      for (const auto& each : declared_) answer.packages.push_back(look(each.first, {}));
      std::stable_sort(answer.packages.begin(), answer.packages.end(),
                       [](const auto& a, const auto& b) { return weight(a) > weight(b); });
    }
    return answer;
  }

 private:
  static int weight(const PackageReport& report) {
    int heaviest = 0;
    for (const PackageNote& each : report.notes)
      heaviest = std::max(heaviest, each.severity == PackageSeverity::error     ? 3
                                    : each.severity == PackageSeverity::warning ? 2
                                                                                : 1);
    return heaviest;
  }

  Result<Unit> read_manifest() {
    manifest_ = joined(folder_, "package.json");
    std::optional<std::string> text = TRY(read_text(root_, manifest_, manifest_bytes_max));
    if (!text)
      return Error(ErrorCode::not_found,
                   "There is no " + path_in_sentence(manifest_) + ": only npm's manifests are understood.");
    const json::Document document = json::parse_document(*text);
    if (!document.ok() || !document.root.is(json::Kind::object))
      return Error(ErrorCode::invalid_argument, path_in_sentence(manifest_) + " is not a JSON object.");
    for (const char* kind : dependency_kinds) {
      const json::Node* list = document.root.find(kind);
      if (!list) continue;
      for (const json::Member& each : list->members) declared_.emplace(each.key, node_text(&each.value));
    }
    return Unit{};
  }

  PackageReport look(const std::string& name, const std::optional<std::string>& version) {
    PackageReport report{.name = name};
    if (auto at = declared_.find(name); at != declared_.end())
      report.declared = at->second;
    else
      note(report, PackageIssue::undeclared, PackageSeverity::warning, "The manifest does not declare it.");
    judge_version(report, version.value_or(report.declared), version || declared_.contains(name));
    look_at_lock(report);
    look_at_installed(report);
    look_for_namesakes(report);
    std::stable_sort(
        report.notes.begin(), report.notes.end(), [](const PackageNote& a, const PackageNote& b) {
          constexpr std::array<int, 3> order = {0, 2, 1};
          return order[static_cast<std::size_t>(a.severity)] < order[static_cast<std::size_t>(b.severity)];
        });
    return report;
  }

  static void note(PackageReport& report, PackageIssue issue, PackageSeverity severity, std::string message) {
    report.notes.push_back({.issue = issue, .severity = severity, .message = std::move(message)});
  }

  static void judge_version(PackageReport& report, std::string_view wanted, bool is_known) {
    if (!is_known) return;
    if (is_foreign_version(wanted))
      note(report, PackageIssue::foreign_source, PackageSeverity::warning,
           "It does not come from the registry: " + std::string(wanted.substr(0, 200)) + ".");
    else if (is_ambiguous(wanted))
      note(report, PackageIssue::ambiguous_version, PackageSeverity::warning,
           "Any version matches, including future ones.");
  }

  void look_at_lock(PackageReport& report) {
    if (!lock_) {
      note(report, PackageIssue::not_locked, PackageSeverity::warning, "There is no lock file.");
      return;
    }
    if (!lock_->is_understood) {
      if (lock_->text.find(report.name + "@") == std::string::npos &&
          lock_->text.find(report.name) == std::string::npos)
        note(report, PackageIssue::not_locked, PackageSeverity::warning,
             path_in_sentence(lock_->path) + " does not name it.");
      return;
    }
    auto at = lock_->packages.find(report.name);
    if (at == lock_->packages.end()) {
      note(report, PackageIssue::not_locked, PackageSeverity::warning,
           path_in_sentence(lock_->path) + " does not name it.");
      return;
    }
    const LockedVersion& locked = at->second;
    report.locked = locked.version;
    report.source = locked.source;
    const bool is_remote = locked.source.find("://") != std::string::npos;
    if (is_remote && !is_registry(locked.source))
      note(report, PackageIssue::foreign_source, PackageSeverity::warning,
           "The lock file has it from " + locked.source.substr(0, 200) + ".");
    if (is_remote && locked.integrity.empty())
      note(report, PackageIssue::no_integrity, PackageSeverity::warning, "The lock file has no hash of it.");
    if (is_exact(report.declared) && !locked.version.empty() && report.declared != locked.version)
      note(report, PackageIssue::version_mismatch, PackageSeverity::error,
           "The manifest asks for " + report.declared + ", locked is " + locked.version + ".");
    if (locked.has_script) has_script_ = true;
  }

  void look_at_installed(PackageReport& report) {
    const bool locked_script = std::exchange(has_script_, false);
    Result<std::string> folder = path_from_text(joined(folder_, "node_modules/" + report.name));
    Result<std::optional<std::string>> text =
        folder ? read_text(root_, joined(*folder, "package.json"), manifest_bytes_max)
               : Result<std::optional<std::string>>(std::optional<std::string>());
    if (!text || !*text) {
      note(report, PackageIssue::not_installed, PackageSeverity::info, "It is not in node_modules.");
      if (locked_script)
        note(report, PackageIssue::install_script, PackageSeverity::warning,
             "The lock file says that it runs a program when it is installed.");
      return;
    }
    const json::Document document = json::parse_document(**text);
    const json::Node& package = document.root;
    report.installed = node_text(package.find("version"));
    report.licence = node_text(package.find("license"));
    if (const json::Node* old = package.find("license"); old && report.licence.empty())
      report.licence = node_text(old->find("type"));
    if (report.licence.empty() || report.licence == "UNLICENSED")
      note(report, PackageIssue::no_licence, PackageSeverity::warning, "It does not declare a licence.");
    if (!report.locked.empty() && !report.installed.empty() && report.locked != report.installed)
      note(report, PackageIssue::version_mismatch, PackageSeverity::error,
           "Installed is " + report.installed + ", locked is " + report.locked + ".");
    if (const json::Node* scripts = package.find("scripts"))
      for (const char* hook : install_hooks)
        if (const json::Node* script = scripts->find(hook); script && script->is(json::Kind::string))
          report.install_scripts.push_back(std::string(hook) + ": " + script->text.substr(0, 200));
    if (locked_script || !report.install_scripts.empty())
      note(report, PackageIssue::install_script, PackageSeverity::warning,
           "It runs a program when it is installed.");
  }

  // Reports a name that is a typing mistake away from another dependency's.
  void look_for_namesakes(PackageReport& report) {
    constexpr std::size_t letters_min = 4;
    if (report.name.size() < letters_min) return;
    for (const auto& each : declared_) {
      if (each.first == report.name || each.first.size() < letters_min) continue;
      const std::size_t bound = report.name.size() > 8 ? 2 : 1;
      // Packages of one scope have similar names on purpose.
      const bool kin =
          report.name[0] == '@' && each.first.starts_with(report.name.substr(0, report.name.find('/') + 1));
      if (kin || edits_between(report.name, each.first, bound) > bound) continue;
      const bool is_new = !declared_.contains(report.name);
      note(report, PackageIssue::near_miss, is_new ? PackageSeverity::error : PackageSeverity::warning,
           "Its name is almost that of " + each.first + ", which the manifest declares" +
               (is_new ? ". Did you mean that one?" : " too."));
    }
  }

  const Root& root_;
  const std::string folder_;
  std::string manifest_;
  std::map<std::string, std::string> declared_;
  std::optional<LockFile> lock_;
  bool has_script_ = false;
};

}  // namespace

std::size_t edits_between(std::string_view a, std::string_view b, std::size_t bound) {
  const std::size_t more = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (more > bound) return bound + 1;
  // Three rows of the table: a swap of neighbours refers to two rows back.
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return std::min(above[b.size()], bound + 1);
}

Result<PackageAnswer> look_at_packages(const Root& root, const PackageQuery& query) {
  return Looker(root, query.folder).run(query);
}

}  // namespace snapgen::core
