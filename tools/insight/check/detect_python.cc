// Detectors for ruff, mypy and pytest.
#include "tools/insight/check/detection_builder.h"

namespace snapgen::core {
namespace {

bool uses_ruff(const ProjectFolder& here) {
  return here.contains_any({"ruff.toml", ".ruff.toml"}) || here.has_section("pyproject.toml", "tool.ruff");
}

bool uses_mypy(const ProjectFolder& here) {
  return here.contains_any({"mypy.ini", ".mypy.ini"}) || here.has_section("pyproject.toml", "tool.mypy") ||
         here.has_section("setup.cfg", "mypy");
}

bool uses_pytest(const ProjectFolder& here) {
  return here.contains_any({"pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py"}) ||
         here.has_section("pyproject.toml", "tool.pytest") || here.has_section("setup.cfg", "tool:pytest") ||
         here.has_section("tox.ini", "pytest");
}

// Returns whether mypy's configuration names the files to check. If not, they are passed as arguments.
bool names_files(const ProjectFolder& here) {
  for (std::string_view file : {"mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg"}) {
    const std::string text = "\n" + here.text(file);
    for (std::string_view key : {"\nfiles", "\npackages", "\nmodules"})
      if (const std::size_t at = text.find(key);
          at != std::string::npos && text.find_first_not_of(' ', at + key.size()) != std::string::npos &&
          text[text.find_first_not_of(' ', at + key.size())] == '=')
        return true;
  }
  return false;
}

}  // namespace

bool detect_python(const ProjectFolder& here, DetectionBuilder& found) {
  const bool ruff = uses_ruff(here), mypy = uses_mypy(here), pytest = uses_pytest(here);
  if (!ruff && !mypy && !pytest) return here.contains_any({"pyproject.toml", "setup.py", "setup.cfg"});
  if (ruff) {
    if (const auto program = here.python_program("ruff")) {
      CheckCommand command = here.command(Subsystem::lint, "ruff",
                                          {*program, "check", "--output-format", "json"}, OutputFormat::ruff);
      command.endings = {".py", ".pyi"};
      command.all_files_argument = ".";
      found.add(std::move(command));
    } else {
      found.skip(Subsystem::lint, "ruff is not installed");
    }
  }
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
