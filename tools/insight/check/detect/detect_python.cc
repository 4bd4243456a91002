// Detectors for ruff, flake8, pylint, mypy, pytest and unittest.
#include <algorithm>
#include <utility>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/insight/check/detect/detection_builder.h"

namespace snapgen::core {
namespace {

bool uses_ruff(const ProjectFolder& here) {
  return here.contains_any({"ruff.toml", ".ruff.toml"}) || here.has_section("pyproject.toml", "tool.ruff");
}

bool uses_flake8(const ProjectFolder& here) {
  return here.contains(".flake8") || here.has_section("setup.cfg", "flake8") ||
         here.has_section("tox.ini", "flake8");
}

bool uses_pylint(const ProjectFolder& here) {
  return here.contains_any({".pylintrc", "pylintrc", ".pylintrc.toml", "pylintrc.toml"}) ||
         here.has_section("pyproject.toml", "tool.pylint") || here.has_section("setup.cfg", "pylint") ||
         here.has_section("setup.cfg", "pylint.main") || here.has_section("tox.ini", "pylint");
}

bool is_python_file(std::string_view name) { return name.ends_with(".py"); }

// Returns the files of Python in the folder, and its folders that have some, without virtual environments and
// hidden folders. A linter without paths would check those, too.
std::vector<std::string> python_files_and_folders(const ProjectFolder& here) {
  std::vector<std::string> paths;
  for (const std::string& name : here.files())
    if (is_python_file(name)) paths.push_back("./" + name);
  const auto has_files = [](const ProjectFolder& folder) {
    return std::ranges::any_of(folder.files(), is_python_file);
  };
  for (const std::string& name : here.folders()) {
    const ProjectFolder inner = here.at(joined_path(here.folder(), name));
    const auto is_package = [&](const std::string& each) {
      return has_files(inner.at(joined_path(inner.folder(), each)));
    };
    if (!inner.contains("pyvenv.cfg") &&
        (has_files(inner) || std::ranges::any_of(inner.folders(), is_package)))
      paths.push_back("./" + name);
  }
  return paths;
}

// Adds a linter that prints text, or why it does not run.
void add_python_linter(const ProjectFolder& here, const std::string& name, std::vector<std::string> options,
                       DetectionBuilder& found) {
  const auto program = here.python_program(name);
  std::vector<std::string> all = python_files_and_folders(here);
  if (all.empty()) return found.skip(Subsystem::lint, name + " has no file to check");
  if (!program) return found.skip(Subsystem::lint, name + " is not installed");
  options.insert(options.begin(), *program);
  CheckCommand command = here.command(Subsystem::lint, name, std::move(options), OutputFormat::text);
  command.endings = {".py"};
  command.all_files_arguments = std::move(all);
  found.add(std::move(command));
}

bool uses_mypy(const ProjectFolder& here) {
  return here.contains_any({"mypy.ini", ".mypy.ini"}) || here.has_section("pyproject.toml", "tool.mypy") ||
         here.has_section("setup.cfg", "mypy");
}

// Returns whether a line names pytest or a plugin of it as a requirement: at its beginning, in quotes, or
// after a sign.
bool requires_pytest(std::string_view line) {
  constexpr std::string_view name = "pytest";
  line = line.substr(0, line.find('#'));
  for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    const std::string_view before = trimmed(line.substr(0, at));
    const bool begins = before.empty() || line[at - 1] == '"' || line[at - 1] == '\'' ||
                        before.ends_with('=') || before == "-";
    const char next = at + name.size() < line.size() ? line[at + name.size()] : ' ';
    if (begins && !is_ascii_word_character(next) && next != '.') return true;
  }
  return false;
}

bool is_requirements_file(std::string_view name) {
  return name.find("requirements") != name.npos && (name.ends_with(".txt") || name.ends_with(".in"));
}

// Returns whether a file declares pytest as a dependency.
bool declares_pytest(const ProjectFolder& here) {
  std::vector<std::string> files = {"Pipfile",   "environment.yml", "noxfile.py", "pyproject.toml",
                                    "setup.cfg", "setup.py",        "tox.ini"};
  for (const std::string& name : here.files())
    if (is_requirements_file(name)) files.push_back(name);
  if (here.contains("requirements"))
    for (const std::string& name : here.at(joined_path(here.folder(), "requirements")).files())
      files.push_back("requirements/" + name);
  return std::ranges::any_of(files, [&](const std::string& file) {
    const std::string text = here.text(file);
    std::string_view rest = text, line;
    while (next_line(rest, line))
      if (requires_pytest(line)) return true;
    return false;
  });
}

bool configures_pytest(const ProjectFolder& here) {
  return here.contains_any({"pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "conftest.py",
                            "tests/conftest.py"}) ||
         here.has_section("pyproject.toml", "tool.pytest") || here.has_section("setup.cfg", "tool:pytest") ||
         here.has_section("tox.ini", "pytest");
}

// Returns whether a section of mypy's names the files to check.
bool section_names_files(const std::string& text, std::string_view section) {
  bool is_inside = false;
  std::string_view rest = text, line;
  while (next_line(rest, line)) {
    if (line.starts_with('[')) is_inside = trimmed(line.substr(1, line.find(']') - 1)) == section;
    for (const std::string_view key : {"files", "packages", "modules"}) {
      std::string_view value = line;
      if (is_inside && take_prefix(value, key) && trimmed(value).starts_with('=')) return true;
    }
  }
  return false;
}

// Returns whether mypy's configuration names the files to check. If not, they are passed as arguments. mypy
// reads the first of these files that has its section.
bool names_files(const ProjectFolder& here) {
  constexpr std::pair<std::string_view, std::string_view> sections[] = {
      {"mypy.ini", "mypy"}, {".mypy.ini", "mypy"}, {"pyproject.toml", "tool.mypy"}, {"setup.cfg", "mypy"}};
  for (const auto& [file, section] : sections)
    if (here.has_section(file, section)) return section_names_files(here.text(file), section);
  return false;
}

constexpr std::size_t test_files_max = 500;  // With more, nothing is decided.
constexpr int packages_deep_max = 4;

// What the test files of a folder are written for. unittest discovers files named test*.py.
struct TestFiles {
  std::size_t count = 0;
  bool all_use_unittest = true;
};

// Adds the test files that unittest discovers: those of the folder, and of the packages in it.
void add_test_files(const ProjectFolder& here, TestFiles& found, int deep) {
  for (const std::string& name : here.files()) {
    if (!name.starts_with("test") || !name.ends_with(".py") || found.count > test_files_max) continue;
    const std::string text = here.text(name);
    const auto has = [&](std::string_view words) { return text.find(words) != std::string::npos; };
    const bool has_import = has("import unittest") || has(", unittest") || has("from unittest import");
    ++found.count;
    found.all_use_unittest =
        found.all_use_unittest && has_import && has("TestCase)") && !has("import pytest");
  }
  for (const std::string& name : here.folders())
    if (const ProjectFolder inner = here.at(joined_path(here.folder(), name));
        deep < packages_deep_max && inner.contains("__init__.py"))
      add_test_files(inner, found, deep + 1);
}

// Adds runs of unittest if all test files are written for it. Returns whether there are test files. A project
// with manage.py has a runner that prepares a database, and code in `src` is not found without being
// installed.
bool add_unittest(const ProjectFolder& here, DetectionBuilder& found) {
  std::vector<std::vector<std::string>> runs;
  bool is_certain = !here.contains_any({"manage.py", "src"});
  for (const std::string_view folder : {"", "tests", "test"}) {
    // Tests in a package are discovered from the root.
    const ProjectFolder start = here.at(joined_path(here.folder(), folder));
    if (!folder.empty() && start.contains("__init__.py")) continue;
    TestFiles files;
    add_test_files(start, files, 0);
    if (files.count == 0) continue;
    is_certain = is_certain && files.all_use_unittest && files.count <= test_files_max;
    runs.push_back({"-m", "unittest", "discover"});
    if (!folder.empty()) runs.back().insert(runs.back().end(), {"-s", std::string(folder)});
  }
  const bool is_called = std::ranges::any_of(found.detected.commands, [](const CheckCommand& each) {
    return each.script_text.find("unittest") != std::string::npos;
  });
  if (runs.empty() || !is_certain || is_called) return !runs.empty();
  const std::optional<std::string> python = here.python_program("python3");
  if (!python) {
    found.skip(Subsystem::tests, "python3 is not installed");
    return true;
  }
  for (std::vector<std::string>& arguments : runs) {
    arguments.insert(arguments.begin(), *python);
    found.add(here.command(Subsystem::tests, "unittest", std::move(arguments), OutputFormat::text));
  }
  return true;
}

}  // namespace

bool detect_python(const ProjectFolder& here, DetectionBuilder& found) {
  const bool ruff = uses_ruff(here), mypy = uses_mypy(here);
  const bool flake8 = uses_flake8(here), pylint = uses_pylint(here);
  const bool pytest = configures_pytest(here) || (here.python_program("pytest") && declares_pytest(here));
  const bool unittest = !pytest && add_unittest(here, found);
  if (!ruff && !flake8 && !pylint && !mypy && !pytest && !unittest)
    return here.contains_any({"pyproject.toml", "setup.py", "setup.cfg"});
  if (ruff) {
    if (const auto program = here.python_program("ruff")) {
      CheckCommand command = here.command(Subsystem::lint, "ruff",
                                          {*program, "check", "--output-format", "json"}, OutputFormat::ruff);
      command.endings = {".py", ".pyi"};
      command.all_files_arguments = {"."};
      found.add(std::move(command));
    } else {
      found.skip(Subsystem::lint, "ruff is not installed");
    }
  }
  if (flake8) add_python_linter(here, "flake8", {"--format=default"}, found);
  if (pylint) add_python_linter(here, "pylint", {"--output-format=text", "--recursive=y"}, found);
  if (mypy) {
    if (const auto program = here.python_program("mypy")) {
      std::vector<std::string> argv = {*program, "--no-pretty", "--show-column-numbers", "--show-error-codes",
                                       "--no-error-summary"};
      if (!names_files(here)) argv.emplace_back(".");
      found.add(here.command(Subsystem::types, "mypy", std::move(argv), OutputFormat::mypy));
    } else {
      found.skip(Subsystem::types, "mypy is not installed");
    }
  }
  if (pytest) {
    if (const auto program = here.python_program("pytest"))
      found.add(here.command(Subsystem::tests, "pytest",
                             {*program, "-q", "--junit-xml=" + std::string(report_placeholder)},
                             OutputFormat::junit));
    else
      found.skip(Subsystem::tests, "pytest is not installed");
  }
  return true;
}

}  // namespace snapgen::core
