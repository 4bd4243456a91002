#include "tools/insight/package/package.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/json/document.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/insight/package/project_packages.h"

namespace snapgen::core {
namespace {

constexpr std::array<const char*, 3> install_hooks = {"preinstall", "install", "postinstall"};
constexpr std::size_t quoted_bytes_max = 200;
constexpr int similar_names_max = 10;  // Maximum number of similar names that a report on a package has.
// Maximum number of letters to compare when all names of a manifest are compared with one another: about
// those of 1,800 names.
constexpr std::size_t letters_compared_max = std::size_t{1} << 26;

std::vector<std::string> in_sentence(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& each : paths) out.push_back(path_in_sentence(each));
  return out;
}

// Returns the order of a severity: the most severe comes first.
int rank_of(PackageSeverity severity) {
  switch (severity) {
    case PackageSeverity::error: return 0;
    case PackageSeverity::warning: return 1;
    case PackageSeverity::info: break;
  }
  return 2;
}

// Returns the order of a package in the list: that of its most severe note, which is the first.
int rank_of(const PackageReport& report) {
  return report.notes.empty() ? 3 : rank_of(report.notes.front().severity);
}

bool is_version_source(Ecosystem ecosystem, std::string_view version) {
  return ecosystem == Ecosystem::npm ? is_npm_source(version) : version.find("://") != std::string_view::npos;
}

// Returns a sentence why a range does not determine a version; empty if it does.
std::string ambiguity(Ecosystem ecosystem, std::string_view range) {
  if (ecosystem == Ecosystem::go)
    return is_version(ecosystem, range) ? "" : json::quoted(range) + " is not one fixed version.";
  for (std::string_view any : {"", "*", "x", "latest", "next"})
    if (range == any) return "Any version matches, including future ones.";
  // Python projects rarely set an upper bound, so a missing one is not reported for them.
  if (ecosystem != Ecosystem::pypi && range.starts_with('>') && range.find('<') == std::string_view::npos)
    return "It has no upper bound, so future major versions match too.";
  return {};
}

class PackageJudge {
 public:
  PackageJudge(const ProjectPackages& found, PackageFiles& files) : found_(found), files_(files) {}

  // Returns a report on a package that is declared, or that could be added.
  PackageReport judge(const std::string& name, const std::optional<std::string>& version) const {
    const auto declared = found_.declared.find(comparable_name(found_.ecosystem, name));
    static const std::vector<Dependency> none;
    const std::vector<Dependency>& list = declared == found_.declared.end() ? none : declared->second;
    PackageReport report{.name = list.empty() ? name : list.front().name, .ecosystem = found_.ecosystem};
    if (list.empty()) note_undeclared(report, found_.manifests, found_.has_unread_manifest);
    for (const Dependency& each : list) {
      const std::string& shown = each.range.empty() ? each.source : each.range;
      if (report.declared.find(shown) == std::string::npos)
        report.declared += (report.declared.empty() ? "" : ", ") + shown;
    }
    judge_versions(report, list, version);
    const bool has_script = judge_lock(report, list, version);
    if (found_.ecosystem == Ecosystem::npm) judge_installed(report, list, has_script);
    if (is_compared_) note_namesakes(report, found_, list.empty());
    sort_notes(report);
    return report;
  }

  // Returns the reports on all declared packages.
  std::vector<PackageReport> judge_all() {
    std::size_t letters = 0;
    for (const auto& [name, list] : found_.declared) letters += name.size();
    is_compared_ = letters * found_.declared.size() <= letters_compared_max;
    if (!is_compared_)
      files_.add_sentence("The names of the " + std::to_string(found_.declared.size()) + " packages in " +
                          path_in_sentence(found_.manifests.front()) +
                          " were not compared with one another, because there are too many.");
    std::vector<PackageReport> reports;
    for (const auto& [name, list] : found_.declared) reports.push_back(judge(list.front().name, {}));
    return reports;
  }

  static void note(PackageReport& report, PackageIssue issue, PackageSeverity severity, std::string message) {
    report.notes.push_back({.issue = issue, .severity = severity, .message = std::move(message)});
  }

  static void note_undeclared(PackageReport& report, const std::vector<std::string>& manifests,
                              bool is_partly_unread) {
    const std::string all = enumerated(in_sentence(manifests), "and");
    std::string message =
        manifests.size() == 1 ? all + " does not declare it." : "None of " + all + " declares it.";
    if (is_partly_unread)
      message = "It is not known if " + all + (manifests.size() == 1 ? " declares" : " declare") +
                " it: not everything there could be read.";
    note(report, PackageIssue::undeclared, PackageSeverity::warning, std::move(message));
  }

  // Notes each declared dependency whose name differs from this package's by no more than a typing mistake.
  static void note_namesakes(PackageReport& report, const ProjectPackages& found, bool is_new) {
    constexpr std::size_t letters_min = 4;
    const std::string own = comparable_name(found.ecosystem, report.name);
    if (own.size() < letters_min) return;
    int notes_left = similar_names_max;
    for (const auto& [other, list] : found.declared) {
      if (notes_left == 0) return;
      if (other == own || other.size() < letters_min) continue;
      const std::size_t bound = own.size() > 8 ? 2 : 1;
      // Packages of one scope, or modules of one host and owner, have similar names on purpose.
      const std::size_t slash = own.rfind('/');
      const bool kin = slash != std::string::npos && other.starts_with(own.substr(0, slash + 1));
      if (kin || edit_distance(own, other, bound, LetterCase::matters) > bound) continue;
      --notes_left;
      note(report, PackageIssue::near_miss, is_new ? PackageSeverity::error : PackageSeverity::warning,
           "Its name is almost that of " + list.front().name + ", which " +
               path_in_sentence(list.front().manifest) + " declares" +
               (is_new ? ". Did you mean that one?" : " too."));
    }
  }

  static void sort_notes(PackageReport& report) {
    std::stable_sort(report.notes.begin(), report.notes.end(),
                     [](const auto& a, const auto& b) { return rank_of(a.severity) < rank_of(b.severity); });
  }

 private:
  static void note_source(PackageReport& report, std::string_view source) {
    note(report, PackageIssue::foreign_source, PackageSeverity::warning,
         "It does not come from the registry: " + shortened(source, quoted_bytes_max) + ".");
  }

  static void note_ambiguity(PackageReport& report, std::string why) {
    if (!why.empty()) note(report, PackageIssue::ambiguous_version, PackageSeverity::warning, std::move(why));
  }

  // Notes the first source that replaces the registry for this package.
  static void note_declared_source(PackageReport& report, const std::vector<Dependency>& list) {
    const auto is_foreign = [](const Dependency& each) { return !each.is_local && !each.source.empty(); };
    const auto found = std::ranges::find_if(list, is_foreign);
    if (found != list.end()) note_source(report, found->source);
  }

  // Judges the requested version, or if there is none, the declared ones.
  void judge_versions(PackageReport& report, const std::vector<Dependency>& list,
                      const std::optional<std::string>& version) const {
    if (version) {
      if (is_version_source(found_.ecosystem, *version)) return note_source(report, *version);
      // A project's setting may replace the requested version, too, such as "replace" of go.mod.
      note_declared_source(report, list);
      note_ambiguity(report, ambiguity(found_.ecosystem, *version));
      const bool is_one = is_version(found_.ecosystem, *version);
      for (const Dependency& each : list) {
        if (!each.is_valid) continue;
        const Fit fit = is_one ? fits(found_.ecosystem, *version, each.range)
                               : ranges_overlap(found_.ecosystem, *version, each.range);
        if (fit == Fit::no)
          note(
              report, PackageIssue::version_mismatch, PackageSeverity::warning,
              path_in_sentence(each.manifest) + " asks for " + each.range + ", and " +
                  (is_one ? *version + " is not in that range." : "no version is also in " + *version + "."));
      }
      return;
    }
    for (const Dependency& each : list) {
      if (each.is_local || !each.is_valid) continue;
      if (!each.source.empty())
        note_source(report, each.source);
      else if (!each.is_tool)
        note_ambiguity(report, ambiguity(found_.ecosystem, each.range));
      if (!report.notes.empty()) break;
    }
  }

  // Returns the range of a dependency, or the one that replaces it in the whole project.
  const std::string& range_of(const Dependency& dependency) const {
    const auto found = found_.overrides.find(comparable_name(found_.ecosystem, dependency.name));
    return found == found_.overrides.end() ? dependency.range : found->second;
  }

  // Returns the locked versions that the manifest uses: one, or in Cargo, where a crate may be declared under
  // several names, one for each.
  std::vector<const LockedPackage*> used_versions(const std::vector<LockedPackage>& locked,
                                                  const std::vector<Dependency>& list) const {
    std::vector<const LockedPackage*> used;
    if (found_.ecosystem == Ecosystem::cargo && locked.size() > 1)
      for (const Dependency& each : list) {
        const LockedPackage* one = &likely_locked_version(locked, {each});
        if (std::ranges::find(used, one) == used.end()) used.push_back(one);
      }
    if (used.empty()) used.push_back(&likely_locked_version(locked, list));
    return used;
  }

  // Returns the locked version that the manifest most probably uses.
  const LockedPackage& likely_locked_version(const std::vector<LockedPackage>& locked,
                                             const std::vector<Dependency>& list) const {
    const LockedPackage* best = nullptr;
    int best_rank = -1;
    for (const LockedPackage& each : locked) {
      const auto is_chosen_for = [&](const Dependency& one) {
        return std::find(each.ranges.begin(), each.ranges.end(), one.range) != each.ranges.end();
      };
      const auto is_fitting = [&](const Dependency& one) {
        return fits(found_.ecosystem, each.version, range_of(one)) == Fit::yes;
      };
      const int rank = each.is_direct                                         ? 3
                       : std::any_of(list.begin(), list.end(), is_chosen_for) ? 2
                       : std::any_of(list.begin(), list.end(), is_fitting)    ? 1
                                                                              : 0;
      const bool is_later = rank == best_rank && is_earlier(found_.ecosystem, best->version, each.version);
      if (rank <= best_rank && !is_later) continue;
      best = &each;
      best_rank = rank;
    }
    return *best;
  }

  // Adds notes about the locked version. Returns whether the lock file says that the package runs a program
  // when it is installed.
  bool judge_lock(PackageReport& report, const std::vector<Dependency>& list,
                  const std::optional<std::string>& version) const {
    const auto at = found_.locked.find(comparable_name(found_.ecosystem, report.name));
    if (at == found_.locked.end()) {
      const bool is_expected =
          list.empty() || std::any_of(list.begin(), list.end(), [&](const Dependency& each) {
            // pnpm removes a dependency whose override is "-".
            return !each.is_local && !each.is_tool && range_of(each) != "-" &&
                   (each.source.empty() || found_.ecosystem != Ecosystem::go);
          });
      if (is_expected && !found_.has_unread_lock)
        note(report, PackageIssue::not_locked, PackageSeverity::warning,
             found_.lock_files.empty() && !found_.locked.empty()
                 ? "There is no lock file, and no requirements file has its exact version."
             : found_.lock_files.empty()
                 ? "There is no lock file."
                 : path_in_sentence(found_.lock_files.front()) + " does not name it.");
      return false;
    }
    bool has_script = false;
    for (const LockedPackage* locked : used_versions(at->second, list)) {
      report.locked += (report.locked.empty() ? "" : ", ") + locked->version;
      report.source = locked->source;
      if (locked->is_foreign)
        note(report, PackageIssue::foreign_source, PackageSeverity::warning,
             "The lock file has it from " + shortened(locked->source, quoted_bytes_max) + ".");
      if (!locked->has_hash)
        note(report, PackageIssue::no_integrity, PackageSeverity::warning,
             "The lock file has no hash of it.");
      has_script = has_script || locked->has_script;
    }
    const std::string& likely = likely_locked_version(at->second, list).version;
    compare_with_manifests(report, unlocked(list, at->second), likely, "locked");
    if (version) compare_with_lock(report, *version, likely);
    return has_script;
  }

  // Returns the dependencies that no locked version fits. In Python, a package may be locked several times,
  // with markers that exclude each other, and in Cargo for several names. Elsewhere a further version is that
  // of another dependent.
  std::vector<Dependency> unlocked(std::vector<Dependency> list,
                                   const std::vector<LockedPackage>& locked) const {
    if ((found_.ecosystem != Ecosystem::pypi && found_.ecosystem != Ecosystem::cargo) || locked.size() < 2)
      return list;
    std::erase_if(list, [&](const Dependency& each) {
      return std::ranges::any_of(locked, [&](const LockedPackage& one) {
        return fits(found_.ecosystem, one.version, range_of(each)) == Fit::yes;
      });
    });
    return list;
  }

  // Notes the manifests whose range lacks the version, which is the one that is `state`: locked or installed.
  void compare_with_manifests(PackageReport& report, const std::vector<Dependency>& list,
                              const std::string& version, std::string_view state) const {
    for (const Dependency& each : list) {
      const bool is_compared = each.is_valid && !each.is_local && each.source.empty();
      if (is_compared && fits(found_.ecosystem, version, range_of(each)) == Fit::no)
        note(report, PackageIssue::version_mismatch, PackageSeverity::error,
             path_in_sentence(each.manifest) + " asks for " + range_of(each) + ", " + std::string(state) +
                 " is " + version + ".");
    }
  }

  void compare_with_lock(PackageReport& report, const std::string& version, const std::string& locked) const {
    if (locked.empty() || version == locked) return;
    const bool is_one = is_version(found_.ecosystem, version);
    if (is_one && !is_earlier(found_.ecosystem, version, locked) &&
        !is_earlier(found_.ecosystem, locked, version))
      return;  // The versions are equal, in different forms, such as 1.0 and 1.0.0 in Python.
    // In Cargo a version is also a range that allows later ones, but here it means only itself.
    if (is_one || fits(found_.ecosystem, locked, version) == Fit::no)
      note(report, PackageIssue::version_mismatch, PackageSeverity::warning,
           "Locked is " + locked + ", which is not " + version + ".");
  }

  // Returns whether the source of the package is a folder of the workspace, whose owner needs no licence.
  bool is_folder_of_workspace(const PackageReport& report, const std::vector<Dependency>& list) const {
    const auto locked = found_.locked.find(comparable_name(found_.ecosystem, report.name));
    if (locked != found_.locked.end() && likely_locked_version(locked->second, list).is_link) return true;
    return std::ranges::any_of(list, [&](const Dependency& each) {
      std::string_view path = each.source;
      const bool is_path = take_prefix(path, "file:") || take_prefix(path, "link:");
      const bool is_archive = path.ends_with(".tgz") || path.ends_with(".tar.gz");
      return each.is_local ||
             (is_path && !is_archive && normalized_path(parent_path(each.manifest), path).has_value());
    });
  }

  void judge_installed(PackageReport& report, const std::vector<Dependency>& list, bool has_script) const {
    std::optional<json::Node> manifest;
    bool is_unread = false;
    for (const std::string& folder : files_.ancestor_folders()) {
      const Result<std::string> path = path_from_text(joined_path(folder, "node_modules/" + report.name));
      if (path) manifest = files_.read_installed_manifest(joined_path(*path, "package.json"), is_unread);
      if (manifest || is_unread) break;
    }
    if (is_unread) return;
    if (!manifest) {
      note(report, PackageIssue::not_installed, PackageSeverity::info, "It is not in node_modules.");
      if (has_script)
        note(report, PackageIssue::install_script, PackageSeverity::warning,
             "The lock file says that it runs a program when it is installed.");
      return;
    }
    const json::Node& package = *manifest;
    report.installed = string_member(package, "version");
    report.licence = string_member(package, "license");
    if (const json::Node* old = package.find("license"); old && report.licence.empty())
      report.licence = string_member(*old, "type");
    const bool lacks_licence = report.licence.empty() || report.licence == "UNLICENSED";
    if (lacks_licence && !is_folder_of_workspace(report, list))
      note(report, PackageIssue::no_licence, PackageSeverity::warning, "It does not declare a licence.");
    if (!report.locked.empty() && !report.installed.empty() && report.locked != report.installed)
      note(report, PackageIssue::version_mismatch, PackageSeverity::error,
           "Installed is " + report.installed + ", locked is " + report.locked + ".");
    if (!report.installed.empty() && report.locked != report.installed)
      compare_with_manifests(report, list, report.installed, "installed");
    if (const json::Node* scripts = package.find("scripts"))
      for (const char* hook : install_hooks)
        if (const json::Node* script = scripts->find(hook); script && script->is(json::Kind::string))
          report.install_scripts.push_back(std::string(hook) + ": " +
                                           shortened(script->text, quoted_bytes_max));
    if (has_script || !report.install_scripts.empty())
      note(report, PackageIssue::install_script, PackageSeverity::warning,
           "It runs a program when it is installed.");
  }

  const ProjectPackages& found_;
  PackageFiles& files_;
  bool is_compared_ = true;  // The name of a package is compared with those of the others.
};

// The ecosystems, of those used in this folder, that a package of this name belongs to.
struct PackageHomes {
  std::vector<const ProjectPackages*> list;
  // True if a manifest or lock file has the name; false if only the form of the name was compared.
  bool is_known = false;
};

PackageHomes homes_of(const std::vector<ProjectPackages>& all, const std::string& name) {
  std::vector<const ProjectPackages*> declared, locked, possible;
  for (const ProjectPackages& each : all) {
    if (each.manifests.empty()) continue;  // Nothing of this ecosystem could be read.
    const std::string compared = comparable_name(each.ecosystem, name);
    if (each.declared.contains(compared)) declared.push_back(&each);
    if (each.locked.contains(compared)) locked.push_back(&each);
    if (is_valid_name(each.ecosystem, name)) possible.push_back(&each);
  }
  if (!declared.empty()) return {.list = std::move(declared), .is_known = true};
  if (!locked.empty()) return {.list = std::move(locked), .is_known = true};
  return {.list = std::move(possible), .is_known = false};
}

// Returns whether the ecosystem's manifests can have this text as the version of a package.
bool can_be_version(Ecosystem ecosystem, std::string_view version) {
  return is_range(ecosystem, version) || is_version_source(ecosystem, version);
}

Result<Unit> check_version(const std::string& version, const std::vector<const ProjectPackages*>& homes) {
  std::string expected;
  for (const ProjectPackages* each : homes) {
    if (can_be_version(each->ecosystem, version)) return Unit{};
    expected += (expected.empty() ? "" : " or ") + std::string(title_of(each->ecosystem)) + " (such as " +
                std::string(examples_of_ranges(each->ecosystem)) + ")";
  }
  if (expected.empty()) return Unit{};
  return Error(ErrorCode::invalid_argument, json::quoted(shortened(version, quoted_bytes_max)) +
                                                " is not a version that a package can have in " + expected +
                                                ".");
}

// Checks that the name is one that a package of one of these ecosystems can have.
Result<Unit> check_name(const std::string& name, const std::vector<ProjectPackages>& all) {
  std::vector<std::string> titles;
  for (const ProjectPackages& each : all) {
    if (is_valid_name(each.ecosystem, name)) return Unit{};
    titles.emplace_back(title_of(each.ecosystem));
  }
  return Error(ErrorCode::invalid_argument,
               json::quoted(shortened(name, quoted_bytes_max)) + " is not the name of a package of " +
                   enumerated(titles, "and") + ". Pass the name alone, and a version in `version`.");
}

// Adds a report on the package that the query names.
Result<Unit> report_named(PackageAnswer& answer, const std::vector<ProjectPackages>& all, PackageFiles& files,
                          const PackageQuery& query) {
  const PackageHomes homes = homes_of(all, *query.name);
  if (homes.list.empty()) TRY(check_name(*query.name, all));
  if (query.version) TRY(check_version(*query.version, homes.list));
  if (homes.is_known || homes.list.size() == 1) {
    for (const ProjectPackages* each : homes.list) {
      const bool is_compared = query.version && can_be_version(each->ecosystem, *query.version);
      answer.packages.push_back(
          PackageJudge(*each, files)
              .judge(*query.name, is_compared ? query.version : std::optional<std::string>()));
    }
    return Unit{};
  }
  PackageReport report{.name = *query.name, .ecosystem = {}};
  PackageJudge::note_undeclared(report, answer.manifests, answer.has_unread_manifest);
  for (const ProjectPackages& each : all) PackageJudge::note_namesakes(report, each, true);
  PackageJudge::sort_notes(report);
  answer.packages.push_back(std::move(report));
  return Unit{};
}

// Returns the glob of the folders that a pattern in the manifest of `folder` names; "!" excludes them.
std::optional<std::string> glob_of_workspace(std::string_view folder, std::string_view pattern) {
  const bool excludes = take_prefix(pattern, "!");
  const std::optional<std::string> path = normalized_path(folder, pattern);
  if (!path || path->empty()) return std::nullopt;
  return (excludes ? "!/" : "/") + *path;
}

}  // namespace

std::string_view manifest_names_text() {
  return "package.json, pyproject.toml, requirements*.txt, Pipfile, Cargo.toml, go.mod";
}

bool is_manifest_file_name(std::string_view name) {
  for (std::string_view each : {"package.json", "pyproject.toml", "Pipfile", "Cargo.toml", "go.mod"})
    if (name == each) return true;
  return name.starts_with("requirements") && name.ends_with(".txt");
}

Result<PackageAnswer> inspect_packages(const Root& root, const PackageQuery& query) {
  if (query.version && !query.name)
    return Error(ErrorCode::invalid_argument, "version needs package, the name of the package to add.");
  TRY(root.open_folder(query.folder));
  PackageFiles files(root, query.folder);
  std::vector<ProjectPackages> all;
  for (const auto read : {&read_npm, &read_python, &read_crates, &read_go}) {
    ProjectPackages found = read(files);
    if (!found.is_empty()) all.push_back(std::move(found));
  }
  if (all.empty())
    return Error(
        ErrorCode::not_found,
        "There is no manifest in " +
            (query.folder.empty() ? "the workspace's root" : path_in_sentence(query.folder)) + ": " +
            std::string(manifest_names_text()) + ".",
        hint_details("Pass the folder of a manifest. Packages of other ecosystems cannot be analyzed."));
  PackageAnswer answer;
  for (const ProjectPackages& each : all) {
    answer.has_unread_manifest |= each.has_unread_manifest;
    for (const std::string& pattern : each.workspace_patterns)
      if (const auto glob = glob_of_workspace(query.folder, pattern)) answer.workspace_globs.push_back(*glob);
    answer.manifests.insert(answer.manifests.end(), each.manifests.begin(), each.manifests.end());
    answer.lock_files.insert(answer.lock_files.end(), each.lock_files.begin(), each.lock_files.end());
  }
  if (answer.manifests.empty())
    return Error(ErrorCode::invalid_argument, files.problems().front(),
                 hint_details("Ask the user to correct the manifest, or pass the folder of another one."));
  if (query.name) {
    TRY(report_named(answer, all, files, query));
  } else {
    for (const ProjectPackages& each : all) {
      std::vector<PackageReport> reports = PackageJudge(each, files).judge_all();
      std::ranges::move(reports, std::back_inserter(answer.packages));
    }
  }
  std::stable_sort(answer.packages.begin(), answer.packages.end(),
                   [](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
  answer.problems = files.problems();
  return answer;
}

}  // namespace snapgen::core
