// The manifests and lock files of npm, PyPI, Cargo and Go.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "tests/insight/package/package_fixture.h"

namespace snapgen::core {
namespace {

class EcosystemTest : public PackageFixture {
 protected:
  static std::string name_of(PackageIssue issue) {
    static const std::map<PackageIssue, std::string> names = {
        {PackageIssue::ambiguous_version, "ambiguous"}, {PackageIssue::foreign_source, "foreign"},
        {PackageIssue::install_script, "script"},       {PackageIssue::near_miss, "near"},
        {PackageIssue::no_integrity, "no_hash"},        {PackageIssue::no_licence, "no_licence"},
        {PackageIssue::not_installed, "not_installed"}, {PackageIssue::not_locked, "not_locked"},
        {PackageIssue::undeclared, "undeclared"},       {PackageIssue::version_mismatch, "mismatch"}};
    return names.at(issue);
  }
  // Formats a package, for example "PyPI requests declared >=2 locked 2.31.0: mismatch ambiguous".
  static std::string line_of(const PackageReport& report) {
    std::string text = report.ecosystem ? std::string(title_of(*report.ecosystem)) : "?";
    text += " " + report.name + " declared " + report.declared + " locked " + report.locked + ":";
    for (const PackageNote& each : report.notes) text += " " + name_of(each.issue);
    return text;
  }
  // Returns the lines of all packages, sorted; or the error.
  std::vector<std::string> lines(const PackageQuery& query = {}) const {
    Result<PackageAnswer> answer = look(query);
    if (!answer) return {answer.error().message};
    std::vector<std::string> lines;
    for (const PackageReport& each : answer->packages) lines.push_back(line_of(each));
    std::sort(lines.begin(), lines.end());
    return lines;
  }
  // Returns the line of one package; with a version to add, if `version` is not empty.
  std::string line(const std::string& name, const std::string& version = {}) const {
    PackageQuery query{.folder = {}, .name = name, .version = {}};
    if (!version.empty()) query.version = version;
    const std::vector<std::string> found = lines(query);
    return found.size() == 1 ? found.front() : std::to_string(found.size()) + " reports";
  }
  // Returns the messages of one package's notes.
  std::vector<std::string> messages(const PackageQuery& query) const {
    Result<PackageAnswer> answer = look(query);
    if (!answer) return {answer.error().message};
    std::vector<std::string> found;
    for (const PackageNote& each : answer->packages.at(0).notes) found.push_back(each.message);
    return found;
  }
  using Lines = std::vector<std::string>;
};

TEST_F(EcosystemTest, ReadsPyprojectAndUvLock) {
  put("pyproject.toml", R"(
[project]
name = "toy"
dependencies = [
  "requests[socks]>=2.28,<3 ; python_version > '3.8'",
  "Flask_Login==0.6.2", "bare", "own",
  "url @ https://example.org/url.whl",
]
[project.optional-dependencies]
test = ["pytest~=8.0"]
[dependency-groups]
dev = ["ruff>=0.4", {include-group = "test"}]
[build-system]
requires = ["hatchling"]
[tool.uv.sources]
own = { workspace = true }
bare = { git = "https://example.org/bare.git" }
)");
  put("uv.lock", R"(
version = 1
[[package]]
name = "requests"
version = "2.31.0"
source = { registry = "https://pypi.org/simple" }
sdist = { url = "https://files.pythonhosted.org/r.tar.gz", hash = "sha256:aa" }
[[package]]
name = "flask-login"
version = "0.6.3"
source = { registry = "https://pypi.org/simple" }
wheels = [{ url = "https://files.pythonhosted.org/f.whl", hash = "sha256:bb" }]
[[package]]
name = "pytest"
version = "8.1.0"
source = { registry = "https://mirror.example/simple" }
[[package]]
name = "own"
version = "1.0.0"
source = { editable = "own" }
[[package]]
name = "bare"
version = "0.1"
source = { git = "https://example.org/bare.git#abc" }
)");
  EXPECT_EQ(lines(), (Lines{"PyPI Flask_Login declared ==0.6.2 locked 0.6.3: mismatch",
                            "PyPI bare declared https://example.org/bare.git locked 0.1: foreign foreign",
                            "PyPI hatchling declared  locked :", "PyPI own declared  locked 1.0.0:",
                            "PyPI pytest declared ~=8.0 locked 8.1.0: foreign no_hash",
                            "PyPI requests declared >=2.28,<3 locked 2.31.0:",
                            "PyPI ruff declared >=0.4 locked : not_locked",
                            "PyPI url declared https://example.org/url.whl locked : foreign not_locked"}));
  Result<PackageAnswer> answer = look();
  EXPECT_EQ(answer->manifests, Lines{"pyproject.toml"});
  EXPECT_EQ(answer->lock_files, Lines{"uv.lock"});
  EXPECT_EQ(answer->problems, Lines{});
  // The name is compared in its normal form, and the version by the rules of PEP 440.
  EXPECT_EQ(line("flask.login", "0.6.3.0"),
            "PyPI Flask_Login declared ==0.6.2 locked 0.6.3: mismatch mismatch");
  EXPECT_EQ(messages({.folder = {}, .name = "REQUESTS", .version = "2.32.0"}),
            Lines{"Locked is 2.31.0, which is not 2.32.0."});
  EXPECT_EQ(messages({.folder = {}, .name = "requests", .version = "3.1"}),
            (Lines{"pyproject.toml asks for >=2.28,<3, and 3.1 is not in that range.",
                   "Locked is 2.31.0, which is not 3.1."}));
  EXPECT_EQ(messages({.folder = {}, .name = "requests", .version = ">=2.30"}), Lines{});
}

TEST_F(EcosystemTest, ReadsPoetryAndItsLockFile) {
  put("pyproject.toml", R"(
[tool.poetry.dependencies]
python = "^3.11"
django = "^4.2"
celery = { version = "5.3.1", extras = ["redis"] }
fork = { git = "https://example.org/fork.git" }
lib = { path = "../lib" }
[tool.poetry.group.dev.dependencies]
black = "*"
)");
  put("poetry.lock", R"(
[[package]]
name = "Django"
version = "5.0"
files = [{ file = "d.whl", hash = "sha256:aa" }]
[[package]]
name = "celery"
version = "5.3.1"
files = []
[[package]]
name = "black"
version = "24.1.0"
files = [{ file = "b.whl", hash = "sha256:bb" }]
[package.source]
type = "legacy"
url = "https://mirror.example/simple"
[[package]]
name = "fork"
version = "1.0"
[package.source]
type = "git"
url = "https://example.org/fork.git"
)");
  EXPECT_EQ(lines(), (Lines{"PyPI black declared * locked 24.1.0: ambiguous foreign",
                            "PyPI celery declared 5.3.1 locked 5.3.1: no_hash",
                            "PyPI django declared ^4.2 locked 5.0: mismatch",
                            "PyPI fork declared https://example.org/fork.git locked 1.0: foreign foreign",
                            "PyPI lib declared  locked :"}));
}

TEST_F(EcosystemTest, ReadsRequirementsAndThoseTheyInclude) {
  put("requirements.txt",
      "# pinned\n"
      "requests==2.31.0 \\\n    --hash=sha256:aa\n"
      "flask>=2 ; python_version > '3'  # web\n"
      "-r requirements/base.txt\n"
      "-c constraints.txt\n"
      "--index-url https://example.org/simple\n"
      "-e git+https://example.org/tool.git#egg=tool\n"
      "./local\n"
      "jinja2==3.1.0\n");
  put("requirements/base.txt", "numpy == 1.26.*\n-r ../requirements.txt\n");
  EXPECT_EQ(lines(), (Lines{"PyPI flask declared >=2 locked : not_locked",
                            "PyPI jinja2 declared ==3.1.0 locked 3.1.0: no_hash",
                            "PyPI numpy declared == 1.26.* locked : not_locked",
                            "PyPI requests declared ==2.31.0 locked 2.31.0:",
                            "PyPI tool declared git+https://example.org/tool.git locked : foreign "
                            "not_locked"}));
  EXPECT_EQ(look()->manifests, (Lines{"requirements.txt", "requirements/base.txt"}));
  EXPECT_EQ(look()->problems, (Lines{"requirements.txt:6:1: constraints are not read.",
                                     "requirements.txt:9:1: the package in ./local is not read."}));
}

TEST_F(EcosystemTest, APackageMayBeLockedTwiceForPythonVersionsThatExcludeEachOther) {
  put("requirements.txt", "numpy==1.24.4; python_version < '3.9'\nnumpy==2.0.0; python_version >= '3.9'\n");
  const Result<PackageAnswer> answer = look();
  ASSERT_TRUE(answer) << answer.error().message;
  for (const PackageReport& report : answer->packages)
    for (const PackageNote& note : report.notes)
      EXPECT_NE(note.issue, PackageIssue::version_mismatch) << note.message;
}

TEST_F(EcosystemTest, ReportsEachMalformedRequirementWithLineAndColumn) {
  put("requirements.txt", "good==1.0\n  =broken\nbad=>2\n-r missing.txt\nother==2.0\n");
  Result<PackageAnswer> answer = look();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->problems, (Lines{"requirements.txt:2:3: expected the name of a package.",
                                     "requirements.txt:3:4: \"=>2\" is not a version specifier.",
                                     "requirements.txt:4:1: the file missing.txt cannot be read."}));
  EXPECT_EQ(lines(),
            (Lines{"PyPI bad declared =>2 locked : not_locked",
                   "PyPI good declared ==1.0 locked 1.0:", "PyPI other declared ==2.0 locked 2.0:"}));
}

TEST_F(EcosystemTest, ReadsPipfileAndItsLockFile) {
  put("Pipfile", "[packages]\nrequests = \"==2.31.0\"\n[dev-packages]\npytest = {version = \"*\"}\n");
  put("Pipfile.lock", R"({
  "default": {"requests": {"version": "==2.30.0", "hashes": ["sha256:aa"]}},
  "develop": {"pytest": {"version": "==8.0.0"}}
})");
  EXPECT_EQ(lines(), (Lines{"PyPI pytest declared * locked 8.0.0: ambiguous no_hash",
                            "PyPI requests declared ==2.31.0 locked 2.30.0: mismatch"}));
}

TEST_F(EcosystemTest, ReadsCargoWithItsWorkspaceAndLockFile) {
  put("Cargo.toml", "[workspace]\nmembers = [\"app\"]\n[workspace.dependencies]\nserde = \"1.0\"\n");
  put("app/Cargo.toml", R"(
[package]
name = "app"
version = "0.1.0"
[dependencies]
serde = { workspace = true, features = ["derive"] }
rand_core = "0.6"
renamed = { package = "real-name", version = "2" }
fork = { git = "https://example.org/fork" }
mine = { path = "../mine" }
absent.workspace = true
[target.'cfg(unix)'.dependencies]
libc = ">=0.2"
[build-dependencies]
cc = "banana"
)");
  put("Cargo.lock", R"(
version = 3
[[package]]
name = "serde"
version = "1.0.200"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "aa"
[[package]]
name = "rand_core"
version = "0.5.1"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "bb"
[[package]]
name = "rand_core"
version = "0.6.4"
source = "registry+https://github.com/rust-lang/crates.io-index"
[[package]]
name = "real-name"
version = "1.9.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "cc"
[[package]]
name = "fork"
version = "0.1.0"
source = "git+https://example.org/fork#abc"
[[package]]
name = "libc"
version = "0.2.150"
source = "registry+https://mirror.example/index"
checksum = "dd"
)");
  Result<PackageAnswer> answer = look({.folder = "app", .name = {}, .version = {}});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->lock_files, Lines{"Cargo.lock"});
  EXPECT_EQ(answer->problems, (Lines{"app/Cargo.toml:11:1: no [workspace.dependencies] above has absent.",
                                     "app/Cargo.toml:15:6: \"banana\" is not a version requirement of cc."}));
  EXPECT_EQ(
      lines({.folder = "app", .name = {}, .version = {}}),
      (Lines{"Cargo absent declared  locked : not_locked", "Cargo cc declared banana locked : not_locked",
             "Cargo fork declared https://example.org/fork locked 0.1.0: foreign foreign",
             "Cargo libc declared >=0.2 locked 0.2.150: ambiguous foreign",
             "Cargo mine declared  locked :", "Cargo rand_core declared 0.6 locked 0.6.4: no_hash",
             "Cargo real-name declared 2 locked 1.9.0: mismatch",
             "Cargo serde declared 1.0 locked 1.0.200:"}));
  EXPECT_EQ(line("serde", "1.0.200"), "Cargo serde declared 1.0 locked 1.0.200:");
  EXPECT_EQ(line("serde", "1.0.100"), "Cargo serde declared 1.0 locked 1.0.200: mismatch");
}

TEST_F(EcosystemTest, ReadsGoModAndGoSum) {
  put("go.mod",
      "module example.org/toy // comment\n\ngo 1.22\n\nrequire github.com/a/one v1.2.3\nrequire (\n"
      "\tgithub.com/b/two v1.0.0 // indirect\n\tgithub.com/c/three v0.5.0\n\tgithub.com/d/four master\n"
      "\t\"github.com/e/five\" v1.0.0\n)\nreplace github.com/e/five => ../five\n"
      "replace github.com/c/three v0.5.0 => github.com/fork/three v0.6.0\n");
  put("go.sum",
      "github.com/a/one v1.2.3 h1:aa//=\ngithub.com/a/one v1.2.3/go.mod h1:bb=\n"
      "github.com/b/two v0.9.0 h1:cc=\ngithub.com/b/two v1.0.0/go.mod h1:dd=\n");
  EXPECT_EQ(lines(), (Lines{"Go github.com/a/one declared v1.2.3 locked v1.2.3:",
                            "Go github.com/b/two declared v1.0.0 locked v0.9.0: mismatch",
                            "Go github.com/c/three declared v0.5.0 locked : foreign",
                            "Go github.com/d/four declared master locked : ambiguous not_locked",
                            "Go github.com/e/five declared v1.0.0 locked :"}));
  EXPECT_EQ(look()->problems, Lines{});
  EXPECT_EQ(line("github.com/a/one", "v1.2.2"),
            "Go github.com/a/one declared v1.2.3 locked v1.2.3: mismatch mismatch");
}

TEST_F(EcosystemTest, ReportsEachMalformedLineOfGoMod) {
  put("go.mod", "module x\nrequire github.com/a/one\nrequires a v1\nrequire (\n\tgithub.com/b/two v1.0.0\n");
  put("go.sum", "github.com/b/two v1.0.0 h1:aa=\nshort\n");
  EXPECT_EQ(look()->problems,
            (Lines{"go.mod:2:1: expected a module path and a version.",
                   "go.mod:3:1: unknown directive \"requires\".", "go.mod:4:1: the block is not closed.",
                   "go.sum:2:1: expected a module path, a version and a hash."}));
  EXPECT_EQ(lines(), Lines{"Go github.com/b/two declared v1.0.0 locked v1.0.0:"});
}

TEST_F(EcosystemTest, ReadsTheVersionsInTheLockFilesOfYarn) {
  put("package.json", R"({"dependencies":{"one":"^1.0.0","@scope/two":"2.0.0","three":"^3.0.0"}})");
  put("yarn.lock",
      "# yarn lockfile v1\n\n\"@scope/two@2.0.0\":\n  version \"2.0.1\"\n"
      "  resolved \"https://registry.yarnpkg.com/two.tgz#aa\"\n\none@^0.5.0:\n  version \"0.5.0\"\n\n"
      "one@^1.0.0, one@^1.0.1:\n  version \"1.4.0\"\n  resolved \"https://evil.example/one.tgz\"\n");
  EXPECT_EQ(lines(), (Lines{"npm @scope/two declared 2.0.0 locked 2.0.1: mismatch not_installed",
                            "npm one declared ^1.0.0 locked 1.4.0: foreign no_hash not_installed",
                            "npm three declared ^3.0.0 locked : not_locked not_installed"}));
  put("yarn.lock",
      "__metadata:\n  version: 8\n\n\"@scope/two@npm:2.0.0\":\n  version: 2.0.0\n"
      "  resolution: \"@scope/two@npm:2.0.0\"\n  checksum: 10/aa\n\n\"one@npm:^0.5.0, one@npm:^1.0.0\":\n"
      "  version: 1.4.0\n  resolution: \"one@npm:1.4.0\"\n  checksum: 10/bb\n");
  EXPECT_EQ(line("@scope/two"), "npm @scope/two declared 2.0.0 locked 2.0.0: not_installed");
  EXPECT_EQ(line("one"), "npm one declared ^1.0.0 locked 1.4.0: not_installed");
}

TEST_F(EcosystemTest, ARequestedVersionDoesNotHideTheSourceOfThePackage) {
  put("go.mod",
      "module x\nrequire github.com/a/one v1.2.3\nreplace github.com/a/one => github.com/b/one v1.2.3\n");
  put("go.sum", "github.com/a/one v1.2.3 h1:aa=\n");
  put("package.json", R"({"dependencies":{"two":"git+https://example.org/two.git"}})");
  EXPECT_NE(line("github.com/a/one", "v1.2.3").find(": foreign"), std::string::npos);
  EXPECT_NE(line("two", "1.0.0").find(": foreign"), std::string::npos);
}

TEST_F(EcosystemTest, ReportsLockFilesThatAreNotRead) {
  put("package.json", R"({"dependencies":{"one":"^1.0.0"}})");
  put("bun.lockb", "#!/usr/bin/env bun");
  EXPECT_EQ(look()->problems, Lines{"bun.lockb was not read, because it is binary."});
  EXPECT_EQ(line("one"), "npm one declared ^1.0.0 locked : not_installed");
  put("yarn.lock", "one@^1.0.0:\n  version \"1.4.0\"\n");
  EXPECT_EQ(look()->problems, Lines{"bun.lockb was not read, because yarn.lock is beside it."});
  EXPECT_EQ(look()->lock_files, Lines{"yarn.lock"});
}

TEST_F(EcosystemTest, APackageAtTheCutOfALockFileHasNoLockedVersion) {
  put("package.json",
      "\xef\xbb\xbf"
      R"({"dependencies":{"one":"^1.0.0","two":"^4.0.0"}})");
  put("package-lock.json",
      R"({"packages":{"node_modules/one":{"version":"1.4.0"},"node_modules/two":{"version":"4.17)");
  EXPECT_EQ(line("one"), "npm one declared ^1.0.0 locked 1.4.0: not_installed");
  EXPECT_EQ(line("two"), "npm two declared ^4.0.0 locked : not_installed");
}

TEST_F(EcosystemTest, ReadsTheVersionsInTheLockFilesOfPnpm) {
  put("web/package.json", R"({"dependencies":{"one":"^1.0.0","@scope/two":"2.0.0","near":"workspace:*"}})");
  put("pnpm-lock.yaml",
      "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n\n  web:\n    dependencies:\n"
      "      '@scope/two':\n        specifier: 2.0.0\n        version: 1.9.0\n"
      "      near:\n        specifier: workspace:*\n        version: link:../near\n"
      "      one:\n        specifier: ^1.0.0\n        version: 1.4.0(peer@1.0.0)\n\npackages:\n\n"
      "  '@scope/two@1.9.0':\n    resolution: {integrity: sha512-aa}\n\n"
      "  one@1.4.0:\n    resolution: {tarball: https://evil.example/one.tgz}\n    engines: {node: '>=8'}\n\n"
      "  deep@5.0.0:\n    resolution: {integrity: sha512-cc}\n");
  EXPECT_EQ(lines({.folder = "web", .name = {}, .version = {}}),
            (Lines{"npm @scope/two declared 2.0.0 locked 1.9.0: mismatch not_installed",
                   "npm near declared workspace:* locked : not_installed",
                   "npm one declared ^1.0.0 locked 1.4.0: foreign no_hash not_installed"}));
  EXPECT_EQ(lines({.folder = "web", .name = "deep", .version = {}}),
            Lines{"npm deep declared  locked 5.0.0: undeclared not_installed"});
  put("package.json", R"({"dependencies":{"one":"1.0.0"}})");
  put("pnpm-lock.yaml",
      "lockfileVersion: 5.4\n\nspecifiers:\n  one: 1.0.0\n\ndependencies:\n  one: 1.0.0\n\npackages:\n\n"
      "  /one/1.0.0:\n    resolution: {integrity: sha512-aa}\n    dependencies:\n      two: 2.0.0\n");
  EXPECT_EQ(lines(), Lines{"npm one declared 1.0.0 locked 1.0.0: not_installed"});
}

TEST_F(EcosystemTest, ReadsTheVersionsInTheLockFileOfBun) {
  put("package.json", R"({"dependencies":{"one":"^1.0.0","two":"1.0.0"}})");
  put("bun.lock",
      "{\n  \"lockfileVersion\": 1,\n  \"packages\": {\n"
      "    \"one\": [\"one@1.4.0\", \"\", {}, \"sha512-aa\"],\n"
      "    \"one/two\": [\"two@0.1.0\", \"\", {}, \"sha512-bb\"],\n"
      "    \"two\": [\"two@1.1.0\", \"\", {}],\n  },\n}\n");
  EXPECT_EQ(lines(), (Lines{"npm one declared ^1.0.0 locked 1.4.0: not_installed",
                            "npm two declared 1.0.0 locked 1.1.0: mismatch no_hash not_installed"}));
}

TEST_F(EcosystemTest, TheLockFileAndTheModulesAboveAPackageOfAWorkspaceCount) {
  put("web/package.json", R"({"dependencies":{"one":"^1.0.0","two":"^2.0.0"}})");
  put("package-lock.json", R"({"packages": {
  "node_modules/one": {"version": "1.4.0"},
  "node_modules/two": {"version": "1.0.0"},
  "web/node_modules/two": {"version": "2.5.0"}
}})");
  put("node_modules/one/package.json", R"({"version":"1.4.0","license":"MIT"})");
  EXPECT_EQ(lines({.folder = "web", .name = {}, .version = {}}),
            (Lines{"npm one declared ^1.0.0 locked 1.4.0:",
                   "npm two declared ^2.0.0 locked 2.5.0: not_installed"}));
}

TEST_F(EcosystemTest, AnAliasHasTheVersionOfTheOtherPackage) {
  const std::string locked = "npm pakig declared npm:nop@^1.0.0 locked 1.0.0: not_installed";
  put("package.json", R"({"dependencies":{"pakig":"npm:nop@^1.0.0"}})");
  put("package-lock.json", R"({"packages":{"node_modules/pakig":{"name":"nop","version":"1.0.0"}}})");
  EXPECT_EQ(line("pakig"), locked);
  std::filesystem::remove(std::filesystem::path(scratch_.repo()) / "package-lock.json");
  put("yarn.lock",
      "# yarn lockfile v1\n\n\n\"pakig@npm:nop@^1.0.0\":\n  version \"1.0.0\"\n"
      "  resolved \"https://registry.yarnpkg.com/nop/-/nop-1.0.0.tgz#aa\"\n");
  EXPECT_EQ(line("pakig"), locked);
  std::filesystem::remove(std::filesystem::path(scratch_.repo()) / "yarn.lock");
  put("pnpm-lock.yaml",
      "importers:\n  .:\n    dependencies:\n      pakig:\n        specifier: npm:nop@^1.0.0\n"
      "        version: nop@1.0.0\n");
  EXPECT_EQ(line("pakig"), locked);
  std::filesystem::remove(std::filesystem::path(scratch_.repo()) / "pnpm-lock.yaml");
  put("bun.lock",
      R"({"packages":{"pakig":["nop@1.0.0","",{},"sha512-A"],"other/pakig":["nop@2.0.0","",{},"sha512-A"],}})");
  EXPECT_EQ(line("pakig"), locked);
  put("bun.lock", R"({"packages":{"pakig":["nop@2.0.0","",{},"sha512-A"]}})");
  EXPECT_EQ(line("pakig"), "npm pakig declared npm:nop@^1.0.0 locked 2.0.0: mismatch not_installed");
}

TEST_F(EcosystemTest, AnOverrideReplacesTheDeclaredRange) {
  const auto with = [&](const std::string& manifest) {
    put("package.json", R"({"dependencies":{"gauge":"^1.0.0"},)" + manifest + "}");
    return line("gauge");
  };
  const std::string fine = "npm gauge declared ^1.0.0 locked 2.0.0: not_installed";
  const std::string wrong = "npm gauge declared ^1.0.0 locked 2.0.0: mismatch not_installed";
  put("package-lock.json", R"({"packages":{"node_modules/gauge":{"version":"2.0.0"}}})");
  EXPECT_EQ(with(R"("overrides":{"gauge":"2.0.0"})"), fine);
  EXPECT_EQ(with(R"("overrides":{"gauge":{".":"^2","inner":"1"}})"), fine);
  EXPECT_EQ(with(R"("resolutions":{"**/gauge":"2.0.0"})"), fine);
  EXPECT_EQ(with(R"("pnpm":{"overrides":{"gauge@<2":"2.0.0"}})"), fine);
  EXPECT_EQ(with(R"("overrides":{"gauge":"$other"})"), fine);
  EXPECT_EQ(with(R"("overrides":{"gauge":"^3"})"), wrong);
  EXPECT_EQ(with(R"("pnpm":{"overrides":{"other>gauge":"2.0.0"}})"), wrong);
  EXPECT_EQ(with(R"("resolutions":{"other/gauge":"2.0.0", "@scope/gauge":"2.0.0"})"), wrong);
  put("package-lock.json", R"({"packages":{}})");
  EXPECT_EQ(with(R"("pnpm":{"overrides":{"gauge":"-"}})"),
            "npm gauge declared ^1.0.0 locked : not_installed");
  std::filesystem::remove(std::filesystem::path(scratch_.repo()) / "package-lock.json");
  const std::string pnpm =
      "importers:\n  .:\n    dependencies:\n      gauge:\n        specifier: 2.0.0\n        version: 2.0.0\n";
  put("pnpm-lock.yaml", pnpm);
  EXPECT_EQ(with(R"("name":"a")"), wrong);
  put("pnpm-lock.yaml", "overrides:\n  gauge: 2.0.0\n" + pnpm);
  EXPECT_EQ(with(R"("name":"a")"), fine);
  std::filesystem::remove(std::filesystem::path(scratch_.repo()) / "pnpm-lock.yaml");
  // The manifest beside the lock file has the overrides of the packages below.
  put("yarn.lock", "gauge@2.0.0:\n  version \"2.0.0\"\n");
  put("package.json", R"({"workspaces":["web"],"resolutions":{"gauge":"2.0.0"}})");
  put("web/package.json", R"({"dependencies":{"gauge":"^1.0.0"}})");
  EXPECT_EQ(lines({.folder = "web", .name = {}, .version = {}}), Lines{fine});
}

TEST_F(EcosystemTest, AnOptionalPeerNeedNotBeLockedAndAPatchIsNoSource) {
  put("package.json", R"({"peerDependencies":{"one":">=1 <3","two":"^1.0.0"},
    "peerDependenciesMeta":{"one":{"optional":true}},"dependencies":{"three":"patch:three@npm%3A1.0.0#~/x.patch"}})");
  put("yarn.lock",
      "__metadata:\n  version: 8\n\n\"three@patch:three@npm%3A1.0.0#~/x.patch\":\n  version: 1.0.0\n"
      "  resolution: \"three@patch:three@npm%3A1.0.0#~/x.patch::version=1.0.0&hash=aa\"\n  checksum: "
      "10/aa\n");
  EXPECT_EQ(lines(),
            (Lines{"npm one declared >=1 <3 locked : not_installed",
                   "npm three declared patch:three@npm%3A1.0.0#~/x.patch locked 1.0.0: not_installed",
                   "npm two declared ^1.0.0 locked : not_locked not_installed"}));
}

TEST_F(EcosystemTest, ACrateMayBeDeclaredInSeveralVersions) {
  put("Cargo.toml", "[dependencies]\nrand07 = { package = \"rand\", version = \"0.7\" }\nrand = \"0.8\"\n");
  put("Cargo.lock", R"(
[[package]]
name = "rand"
version = "0.7.3"
[[package]]
name = "rand"
version = "0.8.5"
)");
  EXPECT_EQ(lines(), Lines{"Cargo rand declared 0.8, 0.7 locked 0.8.5, 0.7.3:"});
}

TEST_F(EcosystemTest, OneNameHasALimitedNumberOfEntries) {
  std::string declared = "[dependencies]\n", locked;
  for (int i = 0; i < 5000; ++i) {
    const std::string number = std::to_string(i);
    declared += "a" + number + " = { package = \"a\", version = \"" + number + "\" }\n";
    locked += "[[package]]\nname = \"a\"\nversion = \"" + number + ".0.0\"\n";
  }
  put("Cargo.toml", declared);
  put("Cargo.lock", locked);
  EXPECT_EQ(lines().size(), 1U);
}

TEST_F(EcosystemTest, AMalformedManifestLeavesTheOthers) {
  put("pyproject.toml", "[project]\ndependencies = [\"requests\"\n[x]\n");
  put("Cargo.toml", "[dependencies]\nserde = \"1\"\n");
  Result<PackageAnswer> answer = look();
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_EQ(answer->problems.size(), 1U);
  EXPECT_TRUE(answer->problems[0].starts_with("pyproject.toml:3:")) << answer->problems[0];
  EXPECT_NE(answer->problems[0].find(": not TOML: "), std::string::npos) << answer->problems[0];
  EXPECT_EQ(lines(), Lines{"Cargo serde declared 1 locked : not_locked"});
  EXPECT_EQ(messages({.folder = {}, .name = "requests", .version = {}}),
            Lines{"It is not known if pyproject.toml and Cargo.toml declare it: not everything there could "
                  "be read."});
  put("Cargo.lock", "[[package]\n");
  EXPECT_EQ(lines(), Lines{"Cargo serde declared 1 locked :"})
      << "the content of a lock file that was not read is unknown";
}

TEST_F(EcosystemTest, TheColumnOfAProblemCountsCharacters) {
  put("pyproject.toml", "name = \"é%\" x\n");
  EXPECT_EQ(look()->problems.at(0).substr(0, 20), "pyproject.toml:1:13:");
}

TEST_F(EcosystemTest, TextsOfTomlRemainUtf8) {
  put("pyproject.toml",
      "[project]\ndependencies = [\"\\u0025C3x\"]\n"
      "[tool.poetry.dependencies]\n\"%41é\" = \"1\"\n");
  Result<PackageAnswer> answer = look();
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_EQ(answer->packages.size(), 1U);
  EXPECT_EQ(answer->packages[0].name, "%41é");
  EXPECT_EQ(answer->problems, Lines{"pyproject.toml:2:18: expected the name of a package."});
}

TEST_F(EcosystemTest, AnUndeclaredPackageIsReportedWithTheManifestsThatWereRead) {
  put("package.json", R"({"dependencies":{"express":"4.0.0"}})");
  put("requirements.txt", "requests==2.0\n");
  put("go.mod", "module x\n");
  EXPECT_EQ(messages({.folder = {}, .name = "nothing", .version = {}}),
            Lines{"None of package.json, requirements.txt and go.mod declares it."});
  EXPECT_EQ(lines({.folder = {}, .name = "request", .version = {}}),
            Lines{"? request declared  locked : near undeclared"});
  EXPECT_EQ(line("@scope/x"), "npm @scope/x declared  locked : undeclared not_locked not_installed")
      << "only npm has names of this form";
  EXPECT_EQ(line("github.com/a/b"), "Go github.com/a/b declared  locked : undeclared not_locked");
}

TEST_F(EcosystemTest, APackageOfTwoEcosystemsIsReportedForBoth) {
  put("package.json", R"({"dependencies":{"redis":"4.0.0"}})");
  put("requirements.txt", "redis==5.0\n");
  EXPECT_EQ(lines({.folder = {}, .name = "redis", .version = {}}),
            (Lines{"PyPI redis declared ==5.0 locked 5.0:",
                   "npm redis declared 4.0.0 locked : not_locked not_installed"}));
}

TEST_F(EcosystemTest, AVersionIsValidInTheEcosystemOfItsPackage) {
  put("package.json", R"({"dependencies":{"express":"4.0.0"}})");
  put("requirements.txt", "requests==2.0\n");
  const auto error_of = [&](const char* name, const char* version) {
    Result<PackageAnswer> answer = look({.folder = {}, .name = name, .version = version});
    return answer ? std::string("none")
                  : std::string(text(answer.error().code)) + ": " + answer.error().message;
  };
  EXPECT_EQ(error_of("express", "banana"),
            "INVALID_ARGUMENT: \"banana\" is not a version that a package can have in npm (such as 1.2.3 or "
            "^1.2.0).");
  EXPECT_EQ(error_of("requests", "^"),
            "INVALID_ARGUMENT: \"^\" is not a version that a package can have in PyPI (such as 1.2.3 or "
            ">=1.2,<2).");
  EXPECT_EQ(error_of("new", "banana"),
            "INVALID_ARGUMENT: \"banana\" is not a version that a package can have in npm (such as 1.2.3 or "
            "^1.2.0) or PyPI (such as "
            "1.2.3 or >=1.2,<2).");
  EXPECT_EQ(error_of("express", "^4.0.0 || 5.x"), "none");
  EXPECT_EQ(error_of("express", "git+https://example.org/express.git"), "none");
  EXPECT_EQ(error_of("requests", "2.0.post1"), "none");
  EXPECT_EQ(look({.folder = {}, .name = {}, .version = "1.0.0"}).error().code, ErrorCode::invalid_argument);
}

TEST_F(EcosystemTest, AFolderWithoutAManifestIsAnErrorWithTheNamesOfManifests) {
  put("src/a.py", "");
  const Result<PackageAnswer> answer = look({.folder = "src", .name = {}, .version = {}});
  EXPECT_EQ(answer.error().code, ErrorCode::not_found);
  EXPECT_EQ(answer.error().message,
            "There is no manifest in src: package.json, pyproject.toml, requirements*.txt, Pipfile, "
            "Cargo.toml, go.mod.");
  EXPECT_EQ(look({.folder = "nowhere", .name = {}, .version = {}}).error().code, ErrorCode::not_found);
  EXPECT_EQ(look({.folder = "src/a.py", .name = {}, .version = {}}).error().code,
            ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace snapgen::core
