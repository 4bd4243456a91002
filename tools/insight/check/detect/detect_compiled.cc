// Detectors for Cargo, Go, CMake, Meson and Make.
#include <algorithm>

#include "tools/engine/files/path.h"
#include "tools/insight/check/detect/detection_builder.h"
#include "tools/insight/check/read/collect.h"

namespace snapgen::core {
namespace {

// Returns the module path that a go.mod declares.
std::string module_of(const std::string& text) {
  std::string_view rest = text, line;
  while (next_line(rest, line)) {
    line = trimmed(line);
    if (!take_prefix(line, "module ")) continue;
    line = trimmed(line);
    std::string_view name = line.substr(0, std::min(line.find_first_of(" \t"), line.size()));
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    return std::string(name);
  }
  return {};
}

// Returns a folder that contains the file `mark`, which makes it a configured build folder. Prefers `build`,
// then the first by name.
std::optional<std::string> build_folder(const ProjectFolder& here, std::string_view mark) {
  if (here.contains(joined_path("build", mark))) return "build";
  for (const std::string& each : here.folders())
    if (here.contains(joined_path(each, mark))) return each;
  return std::nullopt;
}

// Returns whether CMake has written the files of the build tool, which it does last. Assumes it for other
// build tools than Ninja and Make.
bool has_build_files(const ProjectFolder& here, const std::string& build) {
  if (here.contains_any({joined_path(build, "build.ninja"), joined_path(build, "Makefile")})) return true;
  const std::string cache = here.text(joined_path(build, "CMakeCache.txt"));
  constexpr std::string_view key = "\nCMAKE_GENERATOR:INTERNAL=";
  const std::size_t at = cache.find(key);
  if (at == std::string::npos) return false;
  const std::string_view generator = std::string_view(cache).substr(at + key.size());
  const std::string_view name = generator.substr(0, generator.find('\n'));
  return !name.starts_with("Ninja") && !name.ends_with("Makefiles");
}

// Reports build and tests as skipped. Returns true, because the folder is a project of that type.
bool skip_all(const ProjectFolder& here, DetectionBuilder& found, const std::string& reason) {
  const std::string where = here.folder().empty() ? "" : " in " + here.folder();
  for (Subsystem each : {Subsystem::build, Subsystem::tests}) found.skip(each, reason + where);
  return true;
}

}  // namespace

bool detect_cargo(const ProjectFolder& here, DetectionBuilder& found) {
  if (!here.contains("Cargo.toml")) return false;
  const std::optional<std::string> cargo = here.program_in_path("cargo");
  if (!cargo) {
    for (Subsystem each : {Subsystem::build, Subsystem::lint, Subsystem::tests})
      found.skip(each, "cargo is not installed");
    return true;
  }
  std::vector<CheckCommand> chain;
  chain.push_back(here.command(Subsystem::build, "cargo check",
                               {*cargo, "check", "--workspace", "--all-targets", "--message-format", "json"},
                               OutputFormat::cargo));
  if (here.program_in_path("cargo-clippy"))
    chain.push_back(
        here.command(Subsystem::lint, "cargo clippy",
                     {*cargo, "clippy", "--workspace", "--all-targets", "--message-format", "json"},
                     OutputFormat::clippy));
  else
    found.skip(Subsystem::lint, "clippy is not installed");
  chain.push_back(here.command(Subsystem::tests, "cargo test",
                               {*cargo, "test", "--workspace", "--no-fail-fast", "--message-format", "json"},
                               OutputFormat::cargo));
  found.add(std::move(chain));
  return true;
}

namespace {

constexpr std::size_t go_modules_max = 32;
constexpr int go_modules_depth_max = 4;

// Adds the folders of the Go modules below this one. `./...` does not include them.
void add_nested_modules(const ProjectFolder& here, int depth, std::vector<std::string>& folders) {
  for (const std::string& name : here.folders()) {
    if (name == "vendor" || name == "testdata" || name.starts_with('_') || folders.size() == go_modules_max)
      continue;
    const ProjectFolder inner = here.at(joined_path(here.folder(), name));
    if (inner.contains("go.mod")) folders.push_back(inner.folder());
    if (depth < go_modules_depth_max) add_nested_modules(inner, depth + 1, folders);
  }
}

void add_go_module(const ProjectFolder& here, const std::string& go, DetectionBuilder& found) {
  std::vector<CheckCommand> chain;
  chain.push_back(here.command(Subsystem::build, "go build", {go, "build", "-o", "/dev/null", "./..."},
                               OutputFormat::go));
  chain.push_back(here.command(Subsystem::lint, "go vet", {go, "vet", "./..."}, OutputFormat::go));
  chain.push_back(
      here.command(Subsystem::tests, "go test", {go, "test", "-json", "./..."}, OutputFormat::go_test));
  chain.back().module = module_of(here.text("go.mod"));
  found.add(std::move(chain));
}

}  // namespace

bool detect_go(const ProjectFolder& here, DetectionBuilder& found) {
  if (!here.contains("go.mod")) return false;
  std::vector<std::string> nested;
  add_nested_modules(here, 0, nested);
  const std::optional<std::string> go = here.program_in_path("go");
  if (!go) {
    const std::string which =
        nested.empty() ? "" : ", which the modules in " + some_of(nested, 2) + " also need";
    for (Subsystem each : {Subsystem::build, Subsystem::lint, Subsystem::tests})
      found.skip(each, "go is not installed" + which);
    return true;
  }
  add_go_module(here, *go, found);
  for (const std::string& folder : nested) add_go_module(here.at(folder), *go, found);
  return true;
}

bool detect_cmake(const ProjectFolder& here, DetectionBuilder& found) {
  if (!here.contains("CMakeLists.txt")) return false;
  const std::optional<std::string> build = build_folder(here, "CMakeCache.txt");
  if (!build) return skip_all(here, found, "CMake is not configured (cmake -B build)");
  if (!has_build_files(here, *build))
    return skip_all(here, found,
                    "configuring CMake did not finish: " + *build +
                        " has neither build.ninja nor Makefile (cmake -B " + *build + " prints the error)");
  const std::optional<std::string> cmake = here.program_in_path("cmake");
  if (!cmake) return skip_all(here, found, "cmake is not installed");
  std::vector<CheckCommand> chain;
  // The build tool is told to continue after an error, so that the errors of all files are counted.
  std::vector<std::string> compile = {*cmake, "--build", *build};
  if (here.contains(joined_path(*build, "build.ninja")))
    compile.insert(compile.end(), {"--", "-k", "0"});
  else if (here.contains(joined_path(*build, "Makefile")))
    compile.insert(compile.end(), {"--", "-k"});
  chain.push_back(here.command(Subsystem::build, "cmake --build", std::move(compile), OutputFormat::text));
  chain.back().path_base = joined_path(here.folder(), *build);
  chain.back().needed_by_tests = true;
  const std::optional<std::string> ctest = here.program_in_path("ctest");
  if (!here.contains(joined_path(*build, "CTestTestfile.cmake"))) {
    found.skip(Subsystem::tests,
               "CMake's build folder has no tests; configure it again if CMakeLists.txt has some");
  } else if (!ctest) {
    found.skip(Subsystem::tests, "ctest is not installed");
  } else {
    chain.push_back(here.command(Subsystem::tests, "ctest",
                                 {*ctest, "--test-dir", *build, "--output-on-failure", "--output-junit",
                                  std::string(report_placeholder)},
                                 OutputFormat::junit));
    chain.back().path_base = joined_path(here.folder(), *build);
  }
  found.add(std::move(chain));
  return true;
}

bool detect_meson(const ProjectFolder& here, DetectionBuilder& found) {
  if (here.text("meson.build").find("project(") == std::string::npos) return false;
  const std::optional<std::string> build = build_folder(here, "meson-private/coredata.dat");
  if (!build) return skip_all(here, found, "Meson is not configured (meson setup build)");
  const std::optional<std::string> meson = here.program_in_path("meson");
  if (!meson) return skip_all(here, found, "meson is not installed");
  std::vector<CheckCommand> chain;
  std::vector<std::string> compile = {*meson, "compile", "-C", *build};
  if (here.contains(joined_path(*build, "build.ninja"))) compile.emplace_back("--ninja-args=-k0");
  chain.push_back(here.command(Subsystem::build, "meson compile", std::move(compile), OutputFormat::text));
  chain.back().path_base = joined_path(here.folder(), *build);
  chain.back().needed_by_tests = true;
  chain.push_back(here.command(Subsystem::tests, "meson test", {*meson, "test", "-C", *build, "--no-rebuild"},
                               OutputFormat::junit));
  chain.back().report_path = *build + "/meson-logs/testlog.junit.xml";
  chain.back().path_base = joined_path(here.folder(), *build);
  found.add(std::move(chain));
  return true;
}

namespace {

// Returns whether a makefile has a rule for the target: "check:" or "test check: all".
bool has_make_target(std::string_view text, std::string_view target) {
  std::string_view line;
  while (next_line(text, line)) {
    const std::size_t colon = line.find(':');
    if (line.starts_with('\t') || colon == line.npos || line.substr(colon).starts_with(":=")) continue;
    std::string_view names = line.substr(0, colon), name;
    while (next_part(names, name, ' '))
      if (name == target) return true;
  }
  return false;
}

}  // namespace

bool detect_make(const ProjectFolder& here, DetectionBuilder& found) {
  const auto is_test = [](const auto& each) { return each.subsystem == Subsystem::tests; };
  if (std::ranges::any_of(found.detected.commands, is_test) ||
      std::ranges::any_of(found.detected.skipped, is_test))
    return false;
  // GNU make reads the first of these that exists.
  for (const char* file : {"GNUmakefile", "makefile", "Makefile"}) {
    if (!here.contains(file)) continue;
    const std::string text = here.text(file);
    for (const std::string target : {"test", "check"}) {
      if (!has_make_target(text, target)) continue;
      if (const auto make = here.program_in_path("make"))
        found.add(here.command(Subsystem::tests, "make " + target, {*make, target}, OutputFormat::text));
      else
        found.skip(Subsystem::tests, "make is not installed");
      return true;
    }
    return false;
  }
  return false;
}

}  // namespace snapgen::core
