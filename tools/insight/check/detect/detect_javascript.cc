// Detectors for TypeScript, ESLint, Biome, and the scripts of package.json.
#include <algorithm>
#include <array>

#include "runtime/json/document.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/insight/check/detect/detection_builder.h"
#include "tools/insight/check/detect/typescript_projects.h"

namespace snapgen::core {
namespace {

// The parts of package.json that detection uses.
struct Package {
  json::Document document;

  const std::string* text(std::string_view object, std::string_view key) const {
    const json::Node* inner = document.root.find(object);
    const json::Node* value = inner ? inner->find(key) : nullptr;
    return value && value->is(json::Kind::string) ? &value->text : nullptr;
  }
  std::string manager() const {
    const json::Node* value = document.root.find("packageManager");
    if (!value || !value->is(json::Kind::string)) return {};
    return value->text.substr(0, value->text.find('@'));
  }
};

std::string manager_of(const ProjectFolder& here, const Package& package) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> locks = {
      {{"pnpm-lock.yaml", "pnpm"},
       {"yarn.lock", "yarn"},
       {"bun.lock", "bun"},
       {"bun.lockb", "bun"},
       {"package-lock.json", "npm"},
       {"npm-shrinkwrap.json", "npm"}}};
  std::string named = package.manager();
  for (std::string_view known : {"npm", "pnpm", "yarn", "bun"})
    if (named == known) return named;
  for (const auto& [lock, manager] : locks)
    if (here.contains(lock)) return std::string(manager);
  return "npm";
}

// Returns the words of a script that runs without a shell; empty if the script has shell syntax.
std::vector<std::string> simple_words(std::string_view script) {
  if (script.find_first_of("|&;<>$`\"'\\*?(){}[]~!#\n=") != std::string_view::npos) return {};
  std::vector<std::string> words;
  while (!script.empty()) {
    const std::size_t end = std::min(script.find(' '), script.size());
    if (end > 0) words.emplace_back(script.substr(0, end));
    script.remove_prefix(std::min(end + 1, script.size()));
  }
  return words;
}

bool is_any(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Returns the words of a script, of which quotes and brackets are no part. Operators of the shell, which end
// a command, are words, too.
std::vector<std::string_view> words_of(std::string_view script) {
  constexpr std::string_view operators = ";&|\n";
  std::vector<std::string_view> words;
  while (!script.empty()) {
    const std::size_t end = operators.find(script[0]) != std::string_view::npos
                                ? 1
                                : std::min(script.find_first_of(" \t\"'`()\\;&|\n"), script.size());
    if (end > 0) words.push_back(script.substr(0, end));
    script.remove_prefix(std::max<std::size_t>(end, 1));
  }
  return words;
}

bool is_operator(std::string_view word) { return is_any(word, {";", "&", "|", "\n"}); }

// Returns whether one of the words of a script is in `flags`, or begins with one and an equals sign. npm's -w
// names a package, and is no flag of the script.
bool has_flag(const std::string& script, std::initializer_list<std::string_view> flags) {
  bool is_npm = false;
  for (const std::string_view word : words_of(script)) {
    if (is_operator(word) || word == "--") is_npm = false;
    if (word == "npm") is_npm = true;
    if (is_any(word.substr(0, word.find('=')), flags) && !(is_npm && word == "-w")) return true;
  }
  return false;
}

// Returns whether a command runs scripts of other packages: "npm run lint --workspaces", "turbo run lint".
bool runs_in_packages(const std::vector<std::string_view>& command) {
  return std::ranges::any_of(command, [](std::string_view word) {
    return is_any(word.substr(0, word.find('=')),
                  {"--workspaces", "-ws", "--workspace", "-w", "-r", "--recursive", "--filter", "-F",
                   "workspaces", "workspace", "--prefix", "-C", "--dir", "--cwd", "turbo", "lerna", "nx"});
  });
}

// Returns whether a script runs `tsc --build`.
bool runs_tsc_build(std::string_view script) {
  bool is_tsc = false;
  for (const std::string_view word : words_of(script)) {
    if (is_operator(word)) is_tsc = false;
    if (is_any(base_name(word), {"tsc", "vue-tsc"})) is_tsc = true;
    if (is_tsc && is_any(word, {"-b", "--build"})) return true;
  }
  return false;
}

class Detection {
 public:
  Detection(const ProjectFolder& here, DetectionBuilder& found) : here_(here), found_(found) {
    const std::string text = here.text("package.json");
    package_.document = json::parse_document(text);
    if (!text.empty()) report_syntax_error(text);
  }

  struct Wanted {
    bool types = true;
    bool lint = true;
    bool tests = true;
  };

  void run(Wanted wanted) {
    if (wanted.types) types();
    if (wanted.lint) lint();
    if (wanted.tests) tests();
  }

  // Returns the folders of the workspace's packages whose patterns are literal or end with a star: "web",
  // "packages/*".
  std::vector<std::string> workspaces() const {
    std::vector<std::string> folders;
    for (std::string& pattern : workspace_patterns()) {
      const bool has_star = pattern.ends_with("/*");
      if (has_star) pattern.resize(pattern.size() - 2);
      if (pattern.find_first_of("*?[{!") != std::string::npos) continue;
      const std::optional<std::string> folder = normalized_path(here_.folder(), pattern);
      if (!folder || folder->empty()) continue;
      if (!has_star)
        folders.push_back(*folder);
      else
        for (const std::string& name : here_.at(*folder).folders())
          folders.push_back(joined_path(*folder, name));
    }
    std::sort(folders.begin(), folders.end());
    folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
    return folders;
  }

 private:
  // Returns the patterns in package.json's `workspaces`, and those under `packages` in pnpm-workspace.yaml.
  std::vector<std::string> workspace_patterns() const {
    std::vector<std::string> patterns;
    const json::Node* list = package_.document.root.find("workspaces");
    if (list && list->find("packages")) list = list->find("packages");
    if (list && list->is(json::Kind::array))
      for (const json::Node& each : list->items)
        if (each.is(json::Kind::string)) patterns.push_back(each.text);
    const std::string pnpm = here_.text("pnpm-workspace.yaml");
    bool in_packages = false;
    std::string_view rest = pnpm, line;
    while (next_line(rest, line)) {
      std::string_view item = trimmed(line);
      if (take_prefix(item, "- ")) {
        if (!in_packages) continue;
        std::string pattern(trimmed(item.substr(0, item.find(" #"))));
        std::erase_if(pattern, [](char c) { return c == '\'' || c == '"'; });
        patterns.push_back(std::move(pattern));
      } else if (!item.empty() && !item.starts_with('#')) {
        in_packages = item == "packages:";
      }
    }
    return patterns;
  }

  // Reports that checks are skipped because package.json, which names them, has a syntax error.
  void report_syntax_error(const std::string& text) {
    const std::optional<json::Problem> error = json::first_syntax_error(text);
    if (!error) return;
    const std::string location = joined_path(here_.folder(), "package.json") + ":" +
                                 std::to_string(json::line_column_at(text, error->offset).line);
    for (Subsystem each : {Subsystem::types, Subsystem::lint, Subsystem::tests})
      found_.skip(each, location + " is not valid JSON");
  }

  const std::string* script(std::string_view name) const { return package_.text("scripts", name); }

  bool depends_on(std::string_view name) const {
    return package_.text("dependencies", name) || package_.text("devDependencies", name);
  }

  // Returns whether package managers run other scripts before or after this one.
  bool has_hooks(const std::string& name) const { return script("pre" + name) || script("post" + name); }

  // Adds a script, with the ones before and after it, and those that it calls with a package manager: their
  // names to `names`, each once, and those of packages with their texts to `in_packages`.
  void add_called_scripts(const std::string& name, std::vector<std::string>& names,
                          std::string& in_packages) const {
    for (const std::string& each : {"pre" + name, name, "post" + name}) {
      const std::string* text = script(each);
      if (!text || std::ranges::find(names, each) != names.end()) continue;
      names.push_back(each);
      std::vector<std::string_view> command;
      const std::string ended = *text + ";";
      for (const std::string_view word : words_of(ended)) {
        if (!is_operator(word)) {
          command.push_back(word);
          continue;
        }
        add_called_by(command, names, in_packages);
        command.clear();
      }
    }
  }

  // Does as add_called_scripts() for one command.
  void add_called_by(const std::vector<std::string_view>& command, std::vector<std::string>& names,
                     std::string& in_packages) const {
    const auto manager = std::ranges::find_if(command, [](std::string_view word) {
      return is_any(word, {"npm", "pnpm", "yarn", "bun", "npm-run-all", "npm-run-all2", "run-s", "run-p",
                           "turbo", "lerna", "nx"});
    });
    if (manager == command.end()) return;
    const bool has_packages = runs_in_packages(command);
    for (auto word = manager + 1; word != command.end(); ++word) {
      if (script(*word)) add_called_scripts(std::string(*word), names, in_packages);
      if (has_packages) add_scripts_of_packages(std::string(*word), in_packages);
    }
  }

  // Adds the texts of the scripts that the packages of the workspace run for this name.
  void add_scripts_of_packages(const std::string& name, std::string& texts) const {
    for (const std::string& folder : workspaces()) {
      const ProjectFolder there = here_.at(folder);
      DetectionBuilder unused;
      const Detection package(there, unused);
      if (!package.script(name)) continue;
      const std::string text = "; " + folder + " " + name + ": " + package.text_of_all_called(name);
      if (texts.find(text) == std::string::npos) texts += text;
    }
  }

  // Returns the text of all scripts that a package manager runs for this one: it, the scripts before and
  // after it, and those that they call.
  std::string text_of_all_called(const std::string& name) const {
    std::vector<std::string> names;
    std::string all, called, in_packages;
    add_called_scripts(name, names, in_packages);
    for (const std::string& each : {"pre" + name, name, "post" + name})
      if (const std::string* text = script(each)) all += (all.empty() ? "" : " && ") + *text;
    for (const std::string& each : names)
      if (each != name && each != "pre" + name && each != "post" + name)
        called += "; " + each + ": " + *script(each);
    return all + called + in_packages;
  }

  // Adds `npm run NAME`, whose output format is unknown.
  void run_script(Subsystem subsystem, const std::string& name) {
    const std::string text = text_of_all_called(name);
    if (subsystem == Subsystem::lint && changes_files(text))
      return found_.skip(subsystem, "the script " + name + " changes files");
    if (has_flag(*script(name), {"--watch", "--watchAll", "-w"}))
      return found_.skip(subsystem, "the script " + name + " does not end");
    const std::string manager = manager_of(here_, package_);
    const std::optional<std::string> program = here_.program_in_path(manager);
    if (!program) return found_.skip(subsystem, manager + " is not installed");
    std::vector<std::string> argv = {*program, "run"};
    if (manager == "npm" || manager == "pnpm") argv.emplace_back("--silent");
    argv.push_back(name);
    CheckCommand command =
        here_.command(subsystem, manager + " run " + name, std::move(argv), OutputFormat::text);
    command.script_text = text;
    found_.add(std::move(command));
  }

  // Returns the name of the workspace's own script that checks types, or an empty name.
  std::string typecheck_script() const {
    for (const char* name : {"typecheck", "type-check", "check-types", "types", "tsc"})
      if (script(name)) return name;
    return {};
  }

  void types() {
    const std::string name = typecheck_script();
    if (here_.contains("tsconfig.json")) {
      if (const auto tsc = here_.node_program("tsc")) return type_script(*tsc, name);
    }
    if (!name.empty()) return run_script(Subsystem::types, name);
    if (here_.contains("tsconfig.json")) found_.skip(Subsystem::types, "typescript is not in node_modules");
    // Without a type checker, building is the next best check of the types.
    if (script("build")) run_script(Subsystem::build, "build");
  }

  // Returns the script that builds the referenced projects of TypeScript, or an empty name.
  std::string script_with_tsc_build() const {
    for (const char* name : {"typecheck", "type-check", "check-types", "types", "tsc", "build"})
      if (script(name) && runs_tsc_build(text_of_all_called(name))) return name;
    return {};
  }

  // Checks types with the workspace's own script, or with tsc as that calls it.
  void type_script(const std::string& tsc, const std::string& own) {
    TypescriptProjects projects = read_typescript_projects(here_);
    const std::string name = projects.dependent.empty() ? std::string() : script_with_tsc_build();
    const bool has_manager = here_.program_in_path(manager_of(here_, package_)).has_value();
    // The workspace's own command may write what a check may not: the declarations of referenced projects.
    if (!name.empty() && has_manager)
      return run_script(name == "build" ? Subsystem::build : Subsystem::types, name);
    std::vector<std::string> words =
        own.empty() || has_hooks(own) ? std::vector<std::string>() : simple_words(*script(own));
    const bool is_tsc = !words.empty() && words[0] == "tsc";
    if (!own.empty() && !is_tsc && has_manager) return run_script(Subsystem::types, own);
    std::vector<std::string> options;
    if (is_tsc && !runs_tsc_build(*script(own))) {
      options = options_of_tsc(words);
      if (const std::optional<std::string> named = project_of_tsc(words)) {
        projects = {};
        projects.alone.push_back(read_typescript_project(here_, *named));
      }
    }
    for (const TypescriptProject& each : projects.alone) {
      std::vector<std::string> argv = {tsc, "--project", argument_of(each.path), "--noEmit"};
      // With `composite` or `incremental`, tsc writes a .tsbuildinfo despite --noEmit.
      if (each.is_referenced || each.is_composite)
        argv.insert(argv.end(), {"--composite", "false", "--incremental", "false"});
      if (each.is_composite) argv.insert(argv.end(), {"--declaration", "true"});
      argv.insert(argv.end(), options.begin(), options.end());
      argv.insert(argv.end(), {"--pretty", "false"});
      found_.add(here_.command(Subsystem::types, name_of_tsc(each.path), std::move(argv), OutputFormat::tsc));
    }
    for (const TypescriptProject& each : projects.dependent)
      found_.skip(Subsystem::types, "tsc: " + path_in_sentence(each.path) +
                                        " references other projects, and no script runs tsc --build, which " +
                                        "writes their declarations");
    if (projects.is_cut)
      found_.skip(Subsystem::types, "tsc: only the first " + std::to_string(typescript_projects_max) +
                                        " referenced projects were read");
  }

  // Returns the path, relative to the root, of the configuration that `tsc -p` names.
  std::optional<std::string> project_of_tsc(const std::vector<std::string>& words) const {
    const auto option = std::ranges::find_if(
        words, [](const std::string& word) { return is_any(word, {"-p", "--project"}); });
    if (option == words.end() || option + 1 == words.end()) return std::nullopt;
    std::optional<std::string> path = normalized_path(here_.folder(), *(option + 1));
    if (path && !path->ends_with(".json")) path = joined_path(*path, "tsconfig.json");
    return path && is_at_or_below_folder(*path, here_.folder()) ? path : std::nullopt;
  }

  // Returns the other options of tsc, except those that a check sets itself.
  static std::vector<std::string> options_of_tsc(const std::vector<std::string>& words) {
    std::vector<std::string> options;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const bool has_value = i + 1 < words.size() && !words[i + 1].starts_with('-');
      if (is_any(words[i], {"-p", "--project", "--noEmit", "--pretty", "--incremental", "--composite",
                            "--watch", "-w"}))
        i += has_value ? 1 : 0;
      else
        options.push_back(words[i]);
    }
    return options;
  }

  // Returns the path of a project relative to this folder, where tsc runs. `path` is relative to the root.
  std::string argument_of(const std::string& path) const {
    const std::string& folder = here_.folder();
    return folder.empty() ? path : path.substr(folder.size() + 1);
  }

  std::string name_of_tsc(const std::string& path) const {
    const std::string argument = argument_of(path);
    return argument == "tsconfig.json" ? "tsc" : "tsc of " + argument;
  }

  void lint() {
    const bool eslint =
        here_.contains_any({"eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts",
                            "eslint.config.mts", ".eslintrc", ".eslintrc.js", ".eslintrc.cjs",
                            ".eslintrc.json", ".eslintrc.yml", ".eslintrc.yaml"}) ||
        package_.document.root.find("eslintConfig");
    const bool biome = here_.contains_any({"biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"});
    const std::vector<std::string> words =
        script("lint") && !has_hooks("lint") ? simple_words(*script("lint")) : std::vector<std::string>();
    const std::string first = words.empty() ? std::string() : words[0];
    const std::string all = script("lint") ? text_of_all_called("lint") : std::string();
    // A linter that the script calls in its own way runs with the script, unless that changes files.
    const auto is_in_script = [&](std::string_view linter) {
      return first != linter && all.find(linter) != std::string::npos && !changes_files(all) &&
             here_.program_in_path(manager_of(here_, package_));
    };
    const bool runs_eslint = eslint && !is_in_script("eslint");
    const bool runs_biome = biome && !is_in_script("biome");
    if (runs_eslint) es_lint(first == "eslint" ? words : std::vector<std::string>());
    if (runs_biome) biome_lint(first == "biome" ? words : std::vector<std::string>());
    const bool is_left_out = eslint != runs_eslint || biome != runs_biome;
    if (script("lint") && (is_left_out || (!eslint && !biome))) run_script(Subsystem::lint, "lint");
  }

  static bool changes_files(const std::string& script) {
    return has_flag(script, {"--fix", "--write", "--apply", "--apply-unsafe", "-w"});
  }

  // `words` has the script that calls biome, or nothing.
  void biome_lint(const std::vector<std::string>& words) {
    const auto program = here_.node_program("biome");
    if (!program) return found_.skip(Subsystem::lint, "biome is not in node_modules");
    const bool is_own = words.size() > 1 && is_any(words[1], {"check", "ci", "lint"});
    std::vector<std::string> argv = {*program, is_own ? words[1] : "check", "--reporter=github",
                                     "--max-diagnostics=200", "--no-errors-on-unmatched"};
    bool names_something = false;
    for (std::size_t i = 2; is_own && i < words.size(); ++i) {
      if (changes_files(words[i]) || words[i].starts_with("--reporter") ||
          words[i].starts_with("--max-diagnostics"))
        continue;
      names_something = names_something || (!words[i].starts_with('-') && words[i] != ".");
      if (words[i] != ".") argv.push_back(words[i]);
    }
    CheckCommand command = here_.command(Subsystem::lint, "biome", std::move(argv), OutputFormat::biome);
    if (!names_something) {
      command.endings = {".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".json", ".css"};
      command.all_files_arguments = {"."};
    }
    found_.add(std::move(command));
  }

  // `words` has the script that calls eslint, or nothing.
  void es_lint(const std::vector<std::string>& words) {
    const auto program = here_.node_program("eslint");
    if (!program) return found_.skip(Subsystem::lint, "eslint is not in node_modules");
    std::vector<std::string> argv = {*program, "--format", "json", "--no-error-on-unmatched-pattern"};
    bool names_something = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string option = words[i].substr(0, words[i].find('='));
      if (is_any(option, {"--fix", "--fix-dry-run", "--cache"})) continue;
      if (is_any(words[i], {"-f", "--format", "-o", "--output-file", "--fix-type"})) {
        ++i;
        continue;
      }
      names_something = names_something || !words[i].starts_with('-');
      argv.push_back(words[i]);
    }
    CheckCommand command = here_.command(Subsystem::lint, "eslint", std::move(argv), OutputFormat::eslint);
    if (!names_something) {
      command.endings = {".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts"};
      command.all_files_arguments = {"."};
    }
    found_.add(std::move(command));
  }

  // Returns the command line of a test runner: with the script's arguments if the script calls the runner by
  // name, else without arguments.
  std::vector<std::string> runner(const std::string& program, std::string_view name,
                                  const std::vector<std::string>& words) const {
    std::vector<std::string> argv = {program};
    if (!words.empty() && words[0] == name)
      for (std::size_t i = 1; i < words.size(); ++i)
        if (!is_any(words[i], {"run", "watch", "--watch", "--watchAll"})) argv.push_back(words[i]);
    return argv;
  }

  void tests() {
    const std::string* test = script("test");
    const bool is_placeholder = test && test->find("no test specified") != std::string::npos;
    if (is_placeholder) test = nullptr;
    const std::vector<std::string> words = test ? simple_words(*test) : std::vector<std::string>();
    const std::string first = words.empty() ? "" : words[0];
    // Only the package manager runs the scripts before and after the test.
    if (test && has_hooks("test")) return run_script(Subsystem::tests, "test");
    const std::string report(report_placeholder);
    const auto jest = here_.node_program("jest"), vitest = here_.node_program("vitest");
    const auto node = here_.program_in_path("node");
    if (vitest && (first == "vitest" || (!test && depends_on("vitest")))) {
      std::vector<std::string> argv = runner(*vitest, "vitest", words);
      argv.insert(argv.begin() + 1, "run");
      // The default reporter also prints the errors outside of tests; the JSON report lacks them.
      argv.insert(argv.end(), {"--reporter=json", "--reporter=default", "--outputFile=" + report});
      found_.add(here_.command(Subsystem::tests, "vitest", std::move(argv), OutputFormat::jest));
    } else if (jest && (first == "jest" || (!test && depends_on("jest")))) {
      std::vector<std::string> argv = runner(*jest, "jest", words);
      argv.insert(argv.end(), {"--ci", "--json", "--outputFile=" + report});
      found_.add(here_.command(Subsystem::tests, "jest", std::move(argv), OutputFormat::jest));
    } else if (node && first == "node" && std::find(words.begin(), words.end(), "--test") != words.end()) {
      std::vector<std::string> argv = {*node, "--test-reporter=tap"};
      for (std::size_t i = 1; i < words.size(); ++i)
        if (!words[i].starts_with("--test-reporter") && words[i] != "--watch") argv.push_back(words[i]);
      CheckCommand command =
          here_.command(Subsystem::tests, "node --test", std::move(argv), OutputFormat::tap);
      command.script_text = *test;
      found_.add(std::move(command));
    } else if (test) {
      run_script(Subsystem::tests, "test");
    }
  }

  const ProjectFolder& here_;
  DetectionBuilder& found_;
  Package package_;
};

}  // namespace

bool detect_javascript(const ProjectFolder& here, DetectionBuilder& found) {
  if (!here.contains_any(
          {"package.json", "tsconfig.json", "biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"}))
    return false;
  Detection detection(here, found);
  const std::size_t before = found.detected.commands.size();
  detection.run({});
  // A check that the root does not have runs in each package of the workspace instead.
  Detection::Wanted missing;
  for (std::size_t i = before; i < found.detected.commands.size(); ++i) {
    const Subsystem subsystem = found.detected.commands[i].subsystem;
    if (subsystem == Subsystem::lint) missing.lint = false;
    if (subsystem == Subsystem::tests) missing.tests = false;
    if (subsystem == Subsystem::types || subsystem == Subsystem::build) missing.types = false;
  }
  constexpr std::size_t packages_max = 64;
  std::vector<std::string> packages = detection.workspaces();
  if (packages.size() > packages_max) packages.resize(packages_max);
  for (const std::string& each : packages) {
    const ProjectFolder package = here.at(each);
    Detection(package, found).run(missing);
  }
  return true;
}

}  // namespace snapgen::core
