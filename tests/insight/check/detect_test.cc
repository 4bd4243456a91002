// The commands that are found in a workspace, and the reasons why others are skipped.
#include "tools/insight/check/detect/detect.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/engine/folder.h"
#include "tools/insight/check/programs.h"
#include "tools/insight/check/run/plan.h"

namespace snapgen::core {
namespace {

std::string_view subsystem_name(Subsystem subsystem) {
  switch (subsystem) {
    case Subsystem::types: return "types";
    case Subsystem::build: return "build";
    case Subsystem::lint: return "lint";
    case Subsystem::tests: break;
  }
  return "tests";
}

class CheckDetectTest : public testing::Test {
 protected:
  void program(const std::string& name) {
    folder_.write(name, "#!/bin/sh\n");
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }
  void install(std::initializer_list<std::string_view> names) {
    for (std::string_view name : names) program("bin/" + std::string(name));
  }

  // Returns a line for each command, "types tsc: <words>", with its folder before the program if it has one,
  // and "types skipped: <reason>" for each skipped subsystem.
  std::string found() {
    const DetectedChecks detected = detect_checks(folder_ / "shop", "relative:" + (folder_ / "bin"));
    std::string text;
    for (const CheckCommand& each : detected.commands) {
      text += std::string(subsystem_name(each.subsystem)) + " " + each.name + ":";
      if (!each.folder.empty()) text += " (" + each.folder + ")";
      for (std::string word : each.argv) {
        for (const std::string& prefix : {folder_ / "shop/", folder_ / "bin/"})
          if (word.starts_with(prefix)) word = word.substr(prefix.size());
        text += " " + word;
      }
      text += "\n";
    }
    for (const SkippedCheck& each : detected.skipped)
      text += std::string(subsystem_name(each.subsystem)) + " skipped: " + each.reason + "\n";
    return text;
  }

  Folder folder_;
};

TEST_F(CheckDetectTest, AWorkspaceWithoutConfigurationHasNoCommands) {
  folder_.write("shop/README.md", "# Shop\n");
  EXPECT_EQ(found(), "");
}

TEST_F(CheckDetectTest, TypeScriptNeedsItsCompilerInNodeModules) {
  folder_.write("shop/tsconfig.json", "{ \"compilerOptions\": {} // ours\n}");
  EXPECT_EQ(found(), "types skipped: typescript is not in node_modules\n");
  program("shop/node_modules/.bin/tsc");
  EXPECT_EQ(found(), "types tsc: node_modules/.bin/tsc --project tsconfig.json --noEmit --pretty false\n");
}

TEST_F(CheckDetectTest, TypesAreCheckedAsTheScriptOfTheProjectDoes) {
  program("shop/node_modules/.bin/tsc");
  folder_.write("shop/tsconfig.json", "{}");
  folder_.write("shop/core/tsconfig.json", "{}");
  const auto with_typecheck = [&](const std::string& script) {
    folder_.write("shop/package.json", R"({ "scripts": { "typecheck": ")" + script + "\" } }");
    return found();
  };
  const std::string plain =
      "types tsc: node_modules/.bin/tsc --project tsconfig.json --noEmit --pretty false\n";
  EXPECT_EQ(with_typecheck("vue-tsc --noEmit"), plain) << "npm is not installed";
  install({"npm"});
  const std::string script = "types npm run typecheck: npm run --silent typecheck\n";
  EXPECT_EQ(with_typecheck("vue-tsc --noEmit"), script);
  EXPECT_EQ(with_typecheck("tsc --noEmit && tsc -p core"), script);
  EXPECT_EQ(with_typecheck("tsc --noEmit --pretty -w"), plain);
  EXPECT_EQ(
      with_typecheck("tsc -p tsconfig.strict.json --noEmit --strict"),
      "types tsc of tsconfig.strict.json: node_modules/.bin/tsc --project tsconfig.strict.json --noEmit "
      "--composite false --incremental false --strict --pretty false\n");
  EXPECT_EQ(with_typecheck("tsc -p core"),
            "types tsc of core/tsconfig.json: node_modules/.bin/tsc --project core/tsconfig.json --noEmit "
            "--composite false --incremental false --pretty false\n");
  EXPECT_EQ(with_typecheck("tsc -b"), plain);
}

TEST_F(CheckDetectTest, ReferencedProjectsOfTypeScriptAreCheckedAloneOrByAScriptThatBuilds) {
  program("shop/node_modules/.bin/tsc");
  folder_.write("shop/tsconfig.json",
                R"({ "files": [], "references": [{ "path": "core" }, { "path": "./tsconfig.app.json" }] })");
  folder_.write("shop/base.json", R"({ "compilerOptions": { "composite": true } })");
  folder_.write("shop/core/tsconfig.json", R"({ "extends": "../base", "include": ["src"] })");
  folder_.write("shop/tsconfig.app.json", R"({ "references": [{ "path": "tsconfig.node.json" }] })");
  folder_.write("shop/tsconfig.node.json", R"({ "include": ["vite.config.ts"] /* tools */ })");
  const std::string core =
      "types tsc of core/tsconfig.json: node_modules/.bin/tsc --project core/tsconfig.json --noEmit "
      "--composite false --incremental false --declaration true --pretty false\n";
  const auto of_other = [](const std::string& name) {
    return "types tsc of " + name + ": node_modules/.bin/tsc --project " + name +
           " --noEmit --composite false --incremental false --pretty false\n";
  };
  EXPECT_EQ(found(), core + of_other("tsconfig.app.json") + of_other("tsconfig.node.json"));

  folder_.write("shop/tsconfig.app.json", R"({ "references": [{ "path": "core" }] })");
  EXPECT_EQ(found(),
            core +
                "types skipped: tsc: tsconfig.app.json references other projects, and no script runs "
                "tsc --build, which writes their declarations\n");
  install({"npm"});
  folder_.write("shop/package.json", R"({ "scripts": { "build": "tsc --build --watch && vite build" } })");
  EXPECT_EQ(found(), "build skipped: the script build does not end\n");
  folder_.write("shop/package.json",
                R"({ "scripts": { "typecheck": "tsc -p core", "build": "npm run it", "it": "tsc -b" } })");
  EXPECT_EQ(found(), "build npm run build: npm run --silent build\n");
  folder_.write("shop/package.json", R"({ "scripts": { "typecheck": "vue-tsc -b", "build": "tsc -b" } })");
  EXPECT_EQ(found(), "types npm run typecheck: npm run --silent typecheck\n");
}

TEST_F(CheckDetectTest, AProjectWithReferencesIsCheckedInItsFolder) {
  program("shop/node_modules/.bin/tsc");
  folder_.write("shop/package.json", R"({ "workspaces": ["packages/*"] })");
  folder_.write("shop/packages/cli/package.json", "{}");
  folder_.write("shop/packages/core/package.json", "{}");
  folder_.write("shop/packages/core/tsconfig.json", R"({ "compilerOptions": { "composite": true } })");
  folder_.write("shop/packages/cli/tsconfig.json", R"({ "references": [{ "path": "../core" }] })");
  EXPECT_EQ(
      found(),
      "types tsc: (packages/core) node_modules/.bin/tsc --project tsconfig.json --noEmit --composite "
      "false --incremental false --declaration true --pretty false\n"
      "types skipped: tsc: packages/cli/tsconfig.json references other projects, and no script runs tsc "
      "--build, which writes their declarations\n");
}

TEST_F(CheckDetectTest, FindsLintersOfJavaScript) {
  folder_.write("shop/package.json", R"({ "scripts": { "lint": "eslint src --fix --max-warnings 0" } })");
  folder_.write("shop/eslint.config.mjs", "");
  folder_.write("shop/biome.json", "{}");
  EXPECT_EQ(found(),
            "lint skipped: eslint is not in node_modules\nlint skipped: biome is not in node_modules\n");
  program("shop/node_modules/.bin/eslint");
  program("shop/node_modules/.bin/biome");
  EXPECT_EQ(found(),
            "lint eslint: node_modules/.bin/eslint --format json --no-error-on-unmatched-pattern src "
            "--max-warnings 0\n"
            "lint biome: node_modules/.bin/biome check --reporter=github --max-diagnostics=200 "
            "--no-errors-on-unmatched\n");
}

TEST_F(CheckDetectTest, LintersRunAsTheScriptOfTheProjectRunsThem) {
  install({"npm"});
  program("shop/node_modules/.bin/eslint");
  program("shop/node_modules/.bin/biome");
  folder_.write("shop/eslint.config.mjs", "");
  const auto with_lint = [&](const std::string& script) {
    folder_.write("shop/package.json", R"({ "scripts": { "lint": ")" + script + "\" } }");
    return found();
  };
  const std::string npm = "lint npm run lint: npm run --silent lint\n";
  const std::string eslint =
      "lint eslint: node_modules/.bin/eslint --format json --no-error-on-unmatched-pattern\n";
  EXPECT_EQ(with_lint("eslint . && prettier --check ."), npm);
  EXPECT_EQ(with_lint("eslint . && prettier --write ."), eslint) << "the script changes files";
  EXPECT_EQ(with_lint("prettier --check ."), eslint);
  folder_.write("shop/biome.json", "{}");
  std::filesystem::remove(folder_ / "shop/eslint.config.mjs");
  const auto biome = [](const std::string& command, const std::string& more) {
    return "lint biome: node_modules/.bin/biome " + command +
           " --reporter=github --max-diagnostics=200 --no-errors-on-unmatched" + more + "\n";
  };
  EXPECT_EQ(with_lint("biome lint --write --error-on-warnings ."), biome("lint", " --error-on-warnings"));
  EXPECT_EQ(with_lint("biome check src"), biome("check", " src"));
  EXPECT_EQ(with_lint("biome --version"), biome("check", ""));
}

TEST_F(CheckDetectTest, ScriptsRunWithTheManagerOfTheLockFile) {
  install({"npm", "pnpm", "yarn", "bun"});
  folder_.write(
      "shop/package.json",
      R"({ "scripts": { "test": "mocha && echo done", "lint": "prettier --check .", "typecheck": "vue-tsc" } })");
  EXPECT_EQ(found(),
            "types npm run typecheck: npm run --silent typecheck\nlint npm run lint: npm run --silent lint\n"
            "tests npm run test: npm run --silent test\n");
  for (auto [lock, manager] :
       {std::pair{"pnpm-lock.yaml", "pnpm run --silent test"}, std::pair{"yarn.lock", "yarn run test"},
        std::pair{"bun.lockb", "bun run test"}}) {
    folder_.write("shop/" + std::string(lock), "");
    EXPECT_NE(found().find(manager), std::string::npos) << found();
    std::filesystem::remove(folder_ / ("shop/" + std::string(lock)));
  }
  folder_.write(
      "shop/package.json",
      R"({ "packageManager": "yarn@4.1.0", "scripts": { "test": "mocha", "lint": "x --fix", "build": "y" } })");
  EXPECT_EQ(found(),
            "build yarn run build: yarn run build\ntests yarn run test: yarn run test\n"
            "lint skipped: the script lint changes files\n");
}

TEST_F(CheckDetectTest, TestRunnersMustWriteAReport) {
  install({"node", "npm"});
  program("shop/node_modules/.bin/jest");
  program("shop/node_modules/.bin/vitest");
  const auto with_test = [&](const std::string& script) {
    folder_.write("shop/package.json", R"({ "scripts": { "test": ")" + script + "\" } }");
    return found();
  };
  EXPECT_EQ(with_test("jest --runInBand --watch"),
            "tests jest: node_modules/.bin/jest --runInBand --ci --json --outputFile={report}\n");
  EXPECT_EQ(with_test("vitest"),
            "tests vitest: node_modules/.bin/vitest run --reporter=json --reporter=default "
            "--outputFile={report}\n");
  EXPECT_EQ(with_test("node --test src/"), "tests node --test: node --test-reporter=tap --test src/\n");
  EXPECT_EQ(with_test("node --test\", \"pretest\": \"exit 1"), "tests npm run test: npm run --silent test\n");
  EXPECT_EQ(with_test("jest\", \"posttest\": \"lint"), "tests npm run test: npm run --silent test\n");
  EXPECT_EQ(with_test("node --test && jest"), "tests npm run test: npm run --silent test\n");
  EXPECT_EQ(with_test("mocha --watch"), "tests skipped: the script test does not end\n");
  EXPECT_EQ(with_test("echo \\\"Error: no test specified\\\" && exit 1"), "");
  folder_.write("shop/package.json", R"({ "devDependencies": { "vitest": "^2" } })");
  EXPECT_NE(found().find("tests vitest:"), std::string::npos);
}

TEST_F(CheckDetectTest, TheScriptsBeforeAndAfterAScriptAreNamedWithIt) {
  install({"npm"});
  folder_.write("shop/package.json",
                R"({ "scripts": { "pretest": "gen", "test": "mocha", "posttest": "clean" } })");
  const DetectedChecks detected = detect_checks(folder_ / "shop", folder_ / "bin");
  ASSERT_EQ(detected.commands.size(), 1U);
  EXPECT_EQ(detected.commands[0].script_text, "gen && mocha && clean");
}

TEST_F(CheckDetectTest, AScriptOfALinterThatChangesFilesIsNotRun) {
  install({"npm"});
  const auto with_scripts = [&](const std::string& scripts) {
    folder_.write("shop/package.json", R"({ "scripts": { )" + scripts + " } }");
    return found();
  };
  for (const char* scripts :
       {R"("lint": "npm run lint:all", "lint:all": "eslint . --fix")",
        R"("lint": "pnpm -s lint:all && echo", "lint:all": "yarn inner", "inner": "prettier -w .")",
        R"("lint": "eslint .", "prelint": "eslint --fix .")",
        R"("lint": "eslint .", "postlint": "x --write .")",
        R"("lint": "run-s 'a' b", "b": "\"eslint\" \"--fix\"")", R"("lint": "eslint --fix=true .")"})
    EXPECT_EQ(with_scripts(scripts), "lint skipped: the script lint changes files\n") << scripts;
  for (const char* scripts : {R"("lint": "eslint . && npm ls; fix", "fix": "eslint . --fix")",
                              R"("lint": "npm run lint", "other": "eslint . --fix")"})
    EXPECT_EQ(with_scripts(scripts), "lint npm run lint: npm run --silent lint\n") << scripts;
}

TEST_F(CheckDetectTest, ScriptsOfPackagesAreFollowed) {
  install({"npm", "pnpm"});
  folder_.write("shop/packages/a/package.json",
                R"({ "scripts": { "lint": "npm run all", "all": "eslint ." } })");
  folder_.write("shop/packages/b/package.json", R"({ "scripts": { "lint": "eslint . --fix" } })");
  const auto lint = [&](const std::string& script, const std::string& more) {
    folder_.write("shop/package.json", R"({ "scripts": { "lint": ")" + script + "\" }" + more + " }");
    return found();
  };
  // Without a script in the root, those of the packages run.
  const std::string skipped =
      "lint npm run lint: (packages/a) npm run --silent lint\n"
      "lint skipped: the script lint changes files\nlint skipped: the script lint changes files\n";
  for (const char* script : {"npm run lint --workspaces", "npm run lint -ws --if-present", "npm -ws run lint",
                             "npm run lint -w packages/b", "yarn workspaces run lint", "turbo run lint"})
    EXPECT_EQ(lint(script, R"(, "workspaces": ["packages/*"])"), skipped) << script;
  folder_.write("shop/pnpm-workspace.yaml", "packages:\n  # ours\n  - 'packages/*'\ncatalog:\n  a: 1\n");
  EXPECT_EQ(lint("pnpm -r run lint", ""), skipped);
  folder_.write("shop/packages/b/package.json", R"({ "scripts": { "lint": "eslint ." } })");
  folder_.write("shop/package.json",
                R"({ "workspaces": ["packages/*"], "scripts": { "lint": "npm run lint -w packages/a" } })");
  const DetectedChecks detected = detect_checks(folder_ / "shop", folder_ / "bin");
  ASSERT_EQ(detected.commands.size(), 1U);
  EXPECT_EQ(
      detected.commands[0].script_text,
      "npm run lint -w packages/a; packages/a lint: npm run all; all: eslint .; packages/b lint: eslint .");
}

TEST_F(CheckDetectTest, TheTextOfAScriptIncludesTheScriptsThatItCalls) {
  install({"npm"});
  folder_.write("shop/package.json", R"({ "scripts": { "test": "npm run a", "a": "yarn b c", "b": "x" } })");
  const DetectedChecks detected = detect_checks(folder_ / "shop", folder_ / "bin");
  ASSERT_EQ(detected.commands.size(), 1U);
  EXPECT_EQ(detected.commands[0].script_text, "npm run a; a: yarn b c; b: x");
}

TEST_F(CheckDetectTest, FindsPythonToolsByConfigurationAndEnvironment) {
  folder_.write("shop/pyproject.toml", "[tool.ruff.lint]\nselect = []\n[tool.mypy]\nstrict = true\n");
  EXPECT_EQ(found(), "lint skipped: ruff is not installed\ntypes skipped: mypy is not installed\n");
  install({"ruff", "mypy", "pytest"});
  program("shop/.venv/bin/mypy");
  folder_.write("shop/tox.ini", "[pytest]\n");
  EXPECT_EQ(
      found(),
      "lint ruff: ruff check --output-format json\n"
      "types mypy: .venv/bin/mypy --no-pretty --show-column-numbers --show-error-codes --no-error-summary .\n"
      "tests pytest: pytest -q --junit-xml={report}\n");
  folder_.write("shop/pyproject.toml", "[tool.mypy]\nfiles = ['src']\n");
  EXPECT_NE(found().find("--no-error-summary\n"), std::string::npos);
  folder_.write("shop/pyproject.toml", "[tool.ruff]\npackages = 1\n");
  folder_.write("shop/setup.cfg",
                "[bumpversion]\nfiles = a.py\n[mypy]\nstrict = true\n[isort]\nfiles = b.py\n");
  EXPECT_NE(found().find("--no-error-summary .\n"), std::string::npos) << "these are files of other tools";
}

TEST_F(CheckDetectTest, Flake8AndPylintCheckTheFilesOutsideOfVirtualEnvironments) {
  folder_.write("shop/.flake8", "[flake8]\n");
  folder_.write("shop/pyproject.toml", "[tool.pylint.main]\n");
  EXPECT_EQ(found(),
            "lint skipped: flake8 has no file to check\nlint skipped: pylint has no file to check\n");
  folder_.write("shop/setup.py", "");
  folder_.write("shop/src/shop/a.py", "");
  folder_.write("shop/env/lib/a.py", "");
  folder_.write("shop/env/pyvenv.cfg", "");
  folder_.write("shop/docs/a.md", "");
  EXPECT_EQ(found(), "lint skipped: flake8 is not installed\nlint skipped: pylint is not installed\n");
  install({"flake8", "pylint"});
  EXPECT_EQ(found(),
            "lint flake8: flake8 --format=default\nlint pylint: pylint --output-format=text --recursive=y\n");
  const DetectedChecks detected = detect_checks(folder_ / "shop", folder_ / "bin");
  EXPECT_EQ(detected.commands[0].all_files_arguments, (std::vector<std::string>{"./setup.py", "./src"}));
}

TEST_F(CheckDetectTest, AMakefileRunsTestsOnlyIfNothingElseDoes) {
  install({"make"});
  folder_.write("shop/Makefile", "check := 1\nall:\n\tcc a.c\n");
  EXPECT_EQ(found(), "");
  folder_.write("shop/Makefile", ".PHONY: check\nall check: a.o\n\t./a\n");
  EXPECT_EQ(found(), "tests make check: make check\n");
  folder_.write("shop/GNUmakefile", "test:\n\t./a\n");
  EXPECT_EQ(found(), "tests make test: make test\n");
  folder_.write("shop/pytest.ini", "[pytest]\n");
  EXPECT_EQ(found(), "tests skipped: pytest is not installed\n");
}

TEST_F(CheckDetectTest, UnittestRunsIfAllTestFilesUseIt) {
  install({"python3"});
  const std::string test = "import unittest\nclass T(unittest.TestCase):\n    pass\n";
  folder_.write("shop/shop/__init__.py", "");
  folder_.write("shop/shop/test_inner.py", test);
  EXPECT_EQ(found(), "tests unittest: python3 -m unittest discover\n");
  folder_.write("shop/tests/test_a.py", test);
  EXPECT_EQ(found(),
            "tests unittest: python3 -m unittest discover\n"
            "tests unittest: python3 -m unittest discover -s tests\n");
  folder_.write("shop/tests/__init__.py", "");
  EXPECT_EQ(found(), "tests unittest: python3 -m unittest discover\n");
  folder_.write("shop/tests/test_b.py", "def test_b():\n    assert True\n");
  EXPECT_EQ(found(), "") << "one of the files is for pytest";
  folder_.write("shop/tests/test_b.py", "import os, " + test.substr(7));
  EXPECT_EQ(found(), "tests unittest: python3 -m unittest discover\n");
  folder_.write("shop/manage.py", "");
  EXPECT_EQ(found(), "") << "Django has a separate test runner";
  std::filesystem::remove(folder_ / "shop/manage.py");
  folder_.write("shop/conftest.py", "");
  EXPECT_EQ(found(), "tests skipped: pytest is not installed\n");
}

TEST_F(CheckDetectTest, FindsCommandsOfCargoAndGo) {
  folder_.write("shop/Cargo.toml", "[package]\n");
  folder_.write("shop/go.mod", "// ours\nmodule example.com/shop // the shop\n");
  EXPECT_EQ(found(),
            "build skipped: cargo is not installed\nlint skipped: cargo is not installed\n"
            "tests skipped: cargo is not installed\nbuild skipped: go is not installed\n"
            "lint skipped: go is not installed\ntests skipped: go is not installed\n");
  install({"cargo", "go"});
  EXPECT_EQ(found(),
            "build cargo check: cargo check --workspace --all-targets --message-format json\n"
            "tests cargo test: cargo test --workspace --no-fail-fast --message-format json\n"
            "build go build: go build -o /dev/null ./...\nlint go vet: go vet ./...\n"
            "tests go test: go test -json ./...\nlint skipped: clippy is not installed\n");
  const DetectedChecks detected = detect_checks(folder_ / "shop", folder_ / "bin");
  EXPECT_EQ(detected.commands.back().module, "example.com/shop");
  EXPECT_EQ(detected.commands[0].chain_number, detected.commands[1].chain_number);
  EXPECT_NE(detected.commands[1].chain_number, detected.commands[2].chain_number);
}

TEST_F(CheckDetectTest, FindsCMakeAndMesonInAConfiguredBuild) {
  install({"cmake", "ctest", "meson"});
  folder_.write("shop/CMakeLists.txt", "");
  folder_.write("shop/meson.build", "project('shop', 'c')\n");
  EXPECT_EQ(found(),
            "build skipped: CMake is not configured (cmake -B build)\n"
            "tests skipped: CMake is not configured (cmake -B build)\n"
            "build skipped: Meson is not configured (meson setup build)\n"
            "tests skipped: Meson is not configured (meson setup build)\n");
  folder_.write("shop/out/CMakeCache.txt", "");
  folder_.write("shop/out/CTestTestfile.cmake", "");
  folder_.write("shop/out/build.ninja", "");
  folder_.write("shop/build/meson-private/coredata.dat", "");
  EXPECT_EQ(found(),
            "build cmake --build: cmake --build out -- -k 0\n"
            "tests ctest: ctest --test-dir out --output-on-failure --output-junit {report}\n"
            "build meson compile: meson compile -C build\n"
            "tests meson test: meson test -C build --no-rebuild\n");
}

TEST_F(CheckDetectTest, AFolderThatCMakeDidNotFinishIsSkippedWithTheReason) {
  install({"cmake", "ctest"});
  folder_.write("shop/CMakeLists.txt", "");
  folder_.write("shop/out/CMakeCache.txt", "A:B=c\nCMAKE_GENERATOR:INTERNAL=Unix Makefiles\n");
  const std::string reason =
      " skipped: configuring CMake did not finish: out has neither build.ninja nor Makefile (cmake -B out "
      "prints the error)\n";
  EXPECT_EQ(found(), "build" + reason + "tests" + reason);
  folder_.write("shop/out/CMakeCache.txt", "A:B=c\nCMAKE_GENERATOR:INTERNAL=Xcode\n");
  EXPECT_TRUE(found().starts_with("build cmake --build: cmake --build out\n")) << found();
}

TEST_F(CheckDetectTest, BuildsContinueAfterAnErrorSoThatAllAreCounted) {
  install({"cmake", "meson"});
  folder_.write("shop/CMakeLists.txt", "");
  folder_.write("shop/out/CMakeCache.txt", "");
  folder_.write("shop/out/Makefile", "");
  EXPECT_NE(found().find("cmake --build out -- -k\n"), std::string::npos) << found();
  folder_.write("shop/out/build.ninja", "");
  EXPECT_NE(found().find("cmake --build out -- -k 0\n"), std::string::npos) << found();
  folder_.write("shop/meson.build", "project('shop', 'c')\n");
  folder_.write("shop/build/meson-private/coredata.dat", "");
  folder_.write("shop/build/build.ninja", "");
  EXPECT_NE(found().find("meson compile -C build --ninja-args=-k0\n"), std::string::npos) << found();
}

TEST_F(CheckDetectTest, NestedModulesOfGoAreChecked) {
  folder_.write("shop/go.mod", "module shop\n");
  folder_.write("shop/tools/gen/go.mod", "module shop/tools/gen\n");
  for (const char* folder : {"vendor/x", "internal/testdata", "_old", ".hidden"})
    folder_.write("shop/" + std::string(folder) + "/go.mod", "module other\n");
  const std::string reason = " skipped: go is not installed, which the modules in tools/gen also need\n";
  EXPECT_EQ(found(), "build" + reason + "lint" + reason + "tests" + reason);
  install({"go"});
  EXPECT_EQ(found(),
            "build go build: go build -o /dev/null ./...\nlint go vet: go vet ./...\n"
            "tests go test: go test -json ./...\n"
            "build go build: (tools/gen) go build -o /dev/null ./...\nlint go vet: (tools/gen) go vet ./...\n"
            "tests go test: (tools/gen) go test -json ./...\n");
}

TEST_F(CheckDetectTest, APackageFileThatIsNotJsonIsTheReasonForEachSkippedCheck) {
  folder_.write("shop/package.json", "{\n broken");
  EXPECT_EQ(found(),
            "types skipped: package.json:2 is not valid JSON\n"
            "lint skipped: package.json:2 is not valid JSON\n"
            "tests skipped: package.json:2 is not valid JSON\n");
}

TEST_F(CheckDetectTest, TheNamesOfConfigurationsOfPytestAreKnown) {
  install({"pytest"});
  for (const char* name : {"pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"}) {
    const std::string path = std::string("shop/") + name;
    folder_.write(path, "[pytest]\n");
    EXPECT_EQ(found(), "tests pytest: pytest -q --junit-xml={report}\n") << name;
    std::filesystem::remove(folder_ / path);
  }
}

TEST_F(CheckDetectTest, PytestRunsWhereItIsDeclaredAndInstalled) {
  const auto found_with = [&](const std::string& name, std::string_view text) {
    folder_.write("shop/" + name, text);
    const std::string all = found();
    std::filesystem::remove(folder_ / ("shop/" + name));
    return all;
  };
  EXPECT_EQ(found_with("requirements-dev.txt", "pytest\n"), "") << "it is not installed";
  install({"pytest"});
  const std::string pytest = "tests pytest: pytest -q --junit-xml={report}\n";
  EXPECT_EQ(found_with("requirements-dev.txt", "requests\npytest>=7\n"), pytest);
  EXPECT_EQ(found_with("requirements/test.in", "pytest-cov\n"), pytest);
  EXPECT_EQ(found_with("pyproject.toml", "[dependency-groups]\ntests = ['pytest']\n"), pytest);
  EXPECT_EQ(found_with("pyproject.toml", "[tool.poetry.group.dev.dependencies]\npytest = '^8'\n"), pytest);
  EXPECT_EQ(found_with("setup.cfg", "[options.extras_require]\ntest = pytest; x\n"), pytest);
  EXPECT_EQ(found_with("environment.yml", "dependencies:\n  - pytest\n"), pytest);
  EXPECT_EQ(found_with("pyproject.toml", "[project]\ndescription = 'for pytest'\n# pytest\n"), "");
  EXPECT_EQ(found_with("requirements.txt", "-c pytest.txt\npytestify\nmy-pytest\n"), "");
}

TEST_F(CheckDetectTest, SubfoldersAreSearchedForLanguagesThatTheRootLacks) {
  install({"go", "pytest"});
  folder_.write("shop/server/go.mod", "module s\n");
  folder_.write("shop/scripts/pytest.ini", "");
  folder_.write("shop/.hidden/pytest.ini", "");
  folder_.write("shop/node_modules/x/package.json", R"({ "scripts": { "build": "x" } })");
  folder_.write("shop/web/tsconfig.json", "{}");
  program("shop/node_modules/.bin/tsc");
  EXPECT_EQ(found(),
            "types tsc: (web) node_modules/.bin/tsc --project tsconfig.json --noEmit --pretty false\n"
            "tests pytest: (scripts) pytest -q --junit-xml={report}\n"
            "build go build: (server) go build -o /dev/null ./...\nlint go vet: (server) go vet ./...\n"
            "tests go test: (server) go test -json ./...\n");
}

TEST_F(CheckDetectTest, PackagesAreCheckedSeparatelyWithoutACommandForAll) {
  install({"npm", "node"});
  folder_.write("shop/package.json", R"({ "workspaces": ["web", "packages/*", "!x", "a**", "../out", 3],
                                          "scripts": { "test": "turbo test" } })");
  folder_.write("shop/web/tsconfig.json", "{}");
  folder_.write("shop/packages/one/tsconfig.json", "{}");
  folder_.write("shop/packages/one/package.json", R"({ "scripts": { "test": "node --test" } })");
  folder_.write("shop/packages/two/package.json", R"({ "scripts": { "lint": "standard" } })");
  program("shop/node_modules/.bin/tsc");
  program("shop/packages/one/node_modules/.bin/tsc");
  EXPECT_EQ(found(),
            "tests npm run test: npm run --silent test\n"
            "types tsc: (packages/one) packages/one/node_modules/.bin/tsc --project tsconfig.json --noEmit "
            "--pretty false\n"
            "lint npm run lint: (packages/two) npm run --silent lint\n"
            "types tsc: (web) node_modules/.bin/tsc --project tsconfig.json --noEmit --pretty false\n");
}

TEST_F(CheckDetectTest, SkipsInvalidConfigurationFiles) {
  folder_.write("shop/package.json", "{ \"scripts\": [1, 2");
  folder_.write("shop/tsconfig.json/inner", "a folder of that name");
  folder_.write("shop/pyproject.toml", std::string("\xff\xfe[tool.ruff", 12));
  folder_.write("shop/meson.build", "");
  EXPECT_EQ(found(),
            "types skipped: package.json:1 is not valid JSON\n"
            "lint skipped: package.json:1 is not valid JSON\n"
            "tests skipped: package.json:1 is not valid JSON\n"
            "types skipped: typescript is not in node_modules\n");
}

TEST_F(CheckDetectTest, NeverRunsAProgramOfTheWorkspaceForASystemCommand) {
  program("shop/cargo");
  folder_.write("shop/Cargo.toml", "");
  EXPECT_EQ(find_in_path("." + std::string(":shop:") + (folder_ / "bin"), "cargo"), std::nullopt);
}

std::string planned_commands(const CheckPlan& plan) {
  std::string text;
  for (const CheckCommand& each : plan.commands) text += each.name + ";";
  for (const SkippedCheck& each : plan.skipped) text += "(" + each.reason + ");";
  return text;
}

const std::string no_runner =
    "(no known test runner found (the user can add one under check.commands in .snapback/config.json));";
const std::string undetected =
    "(check.detect is false in .snapback/config.json, so the server does not search for programs);";

TEST_F(CheckDetectTest, AModeRunsTheCommandsOfItsSubsystems) {
  folder_.write("shop/tsconfig.json", "{}");
  program("shop/node_modules/.bin/tsc");
  CheckSettings settings;
  settings.detects_commands = true;
  EXPECT_EQ(planned_commands(plan_checks(folder_ / "shop", CheckRun::build, settings, {})), "tsc;");
  EXPECT_EQ(planned_commands(plan_checks(folder_ / "shop", CheckRun::test, settings, {})), no_runner);
  CheckCommand build{.subsystem = Subsystem::build, .name = "make", .argv = {"make"}};
  CheckCommand types{.subsystem = Subsystem::types, .name = "ours", .argv = {"./ours"}};
  settings.added_commands = {build};
  EXPECT_EQ(
      planned_commands(plan_checks(folder_ / "shop", CheckRun::full, settings, {})),
      "tsc;make;(no known linter found (ESLint, Biome, ruff, flake8, pylint, clippy, go vet));" + no_runner);
  settings.replacement_commands = {types};
  EXPECT_EQ(
      planned_commands(plan_checks(folder_ / "shop", CheckRun::full, settings, {})),
      "ours;make;(no known linter found (ESLint, Biome, ruff, flake8, pylint, clippy, go vet));" + no_runner);
  settings.detects_commands = false;
  settings.replacement_commands.clear();
  EXPECT_EQ(planned_commands(plan_checks(folder_ / "shop", CheckRun::full, settings, {})),
            "make;" + undetected + undetected);
}

TEST_F(CheckDetectTest, LintersGetNamedFilesExceptThoseThatLookLikeOptions) {
  CheckCommand lint{.subsystem = Subsystem::lint, .name = "lint", .argv = {"lint"}, .folder = "web"};
  lint.endings = {".ts"};
  lint.all_files_arguments = {"."};
  CheckSettings settings;
  settings.detects_commands = false;
  settings.replacement_commands = {lint};
  const auto words = [&](const std::vector<std::string>& files) {
    const CheckPlan plan = plan_checks(folder_.path(), CheckRun::full, settings, files);
    std::string text = planned_commands(plan);
    for (const CheckCommand& each : plan.commands)
      for (const std::string& word : each.argv) text += " " + word;
    return text;
  };
  const std::string others = undetected + undetected;
  EXPECT_EQ(words({}), "lint;" + others + " lint .");
  EXPECT_EQ(words({"web/--fix.ts", "web/a.ts", "web/b.css", "website/c.ts"}),
            "lint;" + others + " lint ./--fix.ts ./a.ts");
  EXPECT_EQ(words({"lib/a.ts"}), "(lint has none of the named files);" + others);
}

}  // namespace
}  // namespace snapgen::core
