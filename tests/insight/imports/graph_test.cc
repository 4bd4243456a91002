// Small trees: their imports, the files that a change affects, and import cycles.
#include "tests/insight/imports/graph_fixture.h"

namespace snapgen::core {
namespace {

TEST_F(ImportGraphTest, ResolvesRelativeJavaScriptImports) {
  EXPECT_EQ(
      edges(graph_of({
          {"src/a.ts", "import './b'; import './c.js'; import './d'; import '../e.json'; import './gone'"},
          {"src/b.tsx", "import '.'; import '../../outside'"},
          {"src/c.ts", "import './f.svg?url'"},
          {"src/d/index.js", "import '..'"},
          {"e.json", "{}"},
          {"src/f.svg", ""},
          {"src/index.ts", ""},
      })),
      "src/a.ts -> src/b.tsx\nsrc/a.ts -> src/c.ts\nsrc/a.ts -> src/d/index.js\nsrc/a.ts -> e.json\n"
      "src/b.tsx -> src/index.ts\nsrc/d/index.js -> src/index.ts\n");
}

TEST_F(ImportGraphTest, ResolvesTypeScriptPathsWithCommentsAndExtends) {
  EXPECT_EQ(
      edges(graph_of({
          {"tsconfig.base.json", R"({ "compilerOptions": { "baseUrl": ".", // here
                   "paths": { "@app/*": ["app/src/*"], "@app/special": ["app/one.ts"], "*.css": ["styles/*.css"], }, } })"},
          {"app/tsconfig.json", R"({ "extends": "../tsconfig.base" })"},
          {"app/main.ts", "import '@app/x/y'; import '@app/special'; import 'shared/z'; import 'react'"},
          {"app/src/x/y.ts", ""},
          {"app/one.ts", ""},
          {"shared/z.ts", ""},
      })),
      "app/main.ts -> app/src/x/y.ts\napp/main.ts -> app/one.ts\napp/main.ts -> shared/z.ts\n");
}

TEST_F(ImportGraphTest, ResolvesModuleSuffixesAndRootFolders) {
  EXPECT_EQ(edges(graph_of({{"tsconfig.json", R"({"compilerOptions": {"moduleSuffixes": [".ios", ""],
                                "rootDirs": ["src", "gen/views"]}})"},
                            {"src/a.ts", "import './x'; import './y.js'; import './z'; import './in/view'"},
                            {"src/x.ios.ts", ""},
                            {"src/x.ts", ""},
                            {"src/y.ts", ""},
                            {"src/z/index.ios.ts", ""},
                            {"gen/views/in/view.ts", ""}})),
            "src/a.ts -> src/x.ios.ts\nsrc/a.ts -> src/y.ts\nsrc/a.ts -> src/z/index.ios.ts\n"
            "src/a.ts -> gen/views/in/view.ts\n");
}

TEST_F(ImportGraphTest, ResolvesPackagesOfTheTree) {
  EXPECT_EQ(
      edges(graph_of({
          {"packages/a/package.json",
           R"({"name":"@x/a","exports":{".":{"types":"./dist/index.d.ts","default":"./dist/index.js"},"./sub/*":"./dist/sub/*.js"},
                     "imports":{"#own/*":"./src/own/*.ts"}})"},
          {"packages/a/src/index.ts", "import '#own/z'"},
          {"packages/a/src/own/z.ts", ""},
          {"packages/a/src/sub/one.ts", ""},
          {"packages/b/package.json", R"({"name":"b","main":"lib/main"})"},
          {"packages/b/lib/main.js", ""},
          {"packages/b/other.js", ""},
          {"packages/c/index.js",
           "require('@x/a'); require('@x/a/sub/one'); require('b'); require('b/other'); require('c')"},
          {"packages/d/package.json", "not JSON"},
      })),
      "packages/a/src/index.ts -> packages/a/src/own/z.ts\n"
      "packages/c/index.js -> packages/a/src/index.ts\npackages/c/index.js -> packages/a/src/sub/one.ts\n"
      "packages/c/index.js -> packages/b/lib/main.js\npackages/c/index.js -> packages/b/other.js\n");
}

TEST_F(ImportGraphTest, ANameThatEndsWithASlashOrADotIsAFolder) {
  EXPECT_EQ(edges(graph_of({{"tsconfig.json", R"({"compilerOptions": {"paths": {"@/*": ["./src/*"]}}})"},
                            {"src.ts", ""},
                            {"src/a.ts", "import '.'; import './in/'; import '@/in/'"},
                            {"src/in.ts", "import './in/..'; import '@/in'"},
                            {"src/in/index.ts", ""},
                            {"src/index.ts", ""}})),
            "src/a.ts -> src/index.ts\nsrc/a.ts -> src/in/index.ts\n"
            "src/in.ts -> src/index.ts\n");
}

TEST_F(ImportGraphTest, ANameMeansItsDeclarationsAndTheCodeThatRuns) {
  EXPECT_EQ(edges(graph_of({{"a.ts", "import './x'; import './y.js'; import './z.mjs'; import './style.css'"},
                            {"b.ts", "import './in'; import './w.jsx'; import './v.js'; import './u.jsx'"},
                            {"in/index.d.ts", ""},
                            {"in/index.js", ""},
                            {"style.d.css.ts", ""},
                            {"u.js", ""},
                            {"v.jsx", ""},
                            {"w.ts", ""},
                            {"x.d.ts", ""},
                            {"x.js", ""},
                            {"y.js", ""},
                            {"y.ts", ""},
                            {"z.d.mts", ""},
                            {"z.mjs", ""}})),
            "a.ts -> x.d.ts\na.ts -> x.js\na.ts -> y.js\na.ts -> y.ts\na.ts -> z.d.mts\na.ts -> z.mjs\n"
            "a.ts -> style.d.css.ts\nb.ts -> in/index.d.ts\nb.ts -> in/index.js\nb.ts -> w.ts\n"
            "b.ts -> v.jsx\nb.ts -> u.js\n");
}

TEST_F(ImportGraphTest, APackageMeansEachFileThatAConditionOrAToolChooses) {
  EXPECT_EQ(edges(graph_of({
                {"a.ts", "import 'conditions'; import 'mains'; import 'versions'; import 'versions/sub'"},
                {"b.ts", "import 'mains/proxy'; import 'other-name'; import 'by-path'"},
                {"conditions/cjs.js", ""},
                {"conditions/esm.js", ""},
                {"conditions/package.json",
                 R"({"name": "conditions", "imports": {"#mains": "mains"},
               "exports": {".": [{"custom": "./src.ts", "types": "./t.d.ts", "import": "./esm.js"}, "./cjs.js"]}})"},
                {"conditions/src.ts", "import '#mains'"},
                {"conditions/t.d.ts", ""},
                {"mains/main.js", ""},
                {"mains/package.json", R"({"name": "mains", "main": "./main", "types": "types.d.ts"})"},
                {"mains/proxy/package.json", R"({"main": "../src/proxy.js"})"},
                {"mains/src/proxy.ts", ""},
                {"mains/types.d.ts", ""},
                {"package.json",
                 R"({"dependencies": {"other-name": "workspace:mains@*", "by-path": "file:./versions",
                                                "src": "1.0.0"}})"},
                {"versions/index.js", ""},
                {"versions/package.json",
                 R"({"name": "versions", "main": "./index.js", "typesVersions": {">=4": {"*": ["ts4/*"]}}})"},
                {"versions/sub.js", ""},
                {"versions/ts4/index.d.ts", ""},
                {"versions/ts4/sub.d.ts", ""},
            })),
            "a.ts -> conditions/cjs.js\na.ts -> conditions/esm.js\na.ts -> conditions/src.ts\n"
            "a.ts -> conditions/t.d.ts\na.ts -> mains/main.js\na.ts -> mains/types.d.ts\n"
            "a.ts -> versions/index.js\na.ts -> versions/ts4/index.d.ts\na.ts -> versions/sub.js\n"
            "a.ts -> versions/ts4/sub.d.ts\nb.ts -> mains/src/proxy.ts\nb.ts -> mains/main.js\n"
            "b.ts -> mains/types.d.ts\nb.ts -> versions/index.js\nb.ts -> versions/ts4/index.d.ts\n"
            "conditions/src.ts -> mains/main.js\nconditions/src.ts -> mains/types.d.ts\n");
}

TEST_F(ImportGraphTest, TheLongestPatternOfExportsWins) {
  EXPECT_EQ(
      edges(graph_of({{"a.ts", "import 'p/x'; import 'p/icons/y.js'; import 'p/icons/z'; import 'p/f/w.js'"},
                      {"lib/any/y.js.ts", ""},
                      {"lib/any/z.ts", ""},
                      {"lib/folder/w.ts", ""},
                      {"lib/js/y.ts", ""},
                      {"lib/package.json",
                       R"({"name": "p", "exports": {"./*": "./x/*/*.ts", "./icons/*": "./any/*.ts",
                                 "./icons/*.js": "./js/*.ts", "./f/": "./folder/"}})"},
                      {"lib/x/x/x.ts", ""}})),
      "a.ts -> lib/x/x/x.ts\na.ts -> lib/js/y.ts\na.ts -> lib/any/z.ts\na.ts -> lib/folder/w.ts\n");
}

TEST_F(ImportGraphTest, ResolvesPythonImports) {
  EXPECT_EQ(
      edges(graph_of({
          {"pyproject.toml", ""},
          {"src/p/__init__.py", "from .a import x"},
          {"src/p/a.py", "from . import b\nfrom .q import c, thing\nimport p.b\nfrom p import a\nimport os"},
          {"src/p/b.py", "from ..outside import x\nfrom ....far import y"},
          {"src/p/q/__init__.py", "from .. import b"},
          {"src/p/q/c.pyi", ""},
          {"tool.py", "import helper, p\nfrom p.q import c"},
          {"helper.py", ""},
      })),
      "src/p/__init__.py -> src/p/a.py\n"
      "src/p/a.py -> src/p/b.py\nsrc/p/a.py -> src/p/q/__init__.py\nsrc/p/a.py -> src/p/q/c.pyi\nsrc/p/a.py "
      "-> src/p/b.py\n"
      "src/p/q/__init__.py -> src/p/b.py\n"
      "tool.py -> helper.py\ntool.py -> src/p/__init__.py\n"
      "tool.py -> src/p/q/__init__.py\ntool.py -> src/p/q/c.pyi\n");
}

TEST_F(ImportGraphTest, ResolvesPackagesOfPythonWhoseFolderIsConfigured) {
  const auto edges_with = [&](const std::string& name, const std::string& text) {
    return edges(graph_of({{"app/" + name, text},
                           {"app/lib/shop/__init__.py", ""},
                           {"app/lib/shop/cart.py", ""},
                           {"app/other/core/price.py", ""},
                           {"app/tests/test_cart.py", "import shop.cart\nfrom far.core import price\n"}}));
  };
  const std::string shop =
      "app/tests/test_cart.py -> app/lib/shop/__init__.py\napp/tests/test_cart.py -> app/lib/shop/cart.py\n";
  const std::string both = shop + "app/tests/test_cart.py -> app/other/core/price.py\n";
  EXPECT_EQ(edges_with("pyproject.toml", "[tool.setuptools.package-dir]\n\"\" = \"lib\"\nfar = \"other\"\n"),
            both);
  EXPECT_EQ(edges_with("setup.cfg", "[options]\npackage_dir =\n    = lib\n    far.core = other/core\n"),
            both);
  EXPECT_EQ(edges_with("setup.cfg", "[options.packages.find]\nwhere = lib\n"), shop);
  EXPECT_EQ(edges_with("pyproject.toml", "[tool.setuptools.packages.find]\nwhere = [\"lib\"]\n"), shop);
  EXPECT_EQ(
      edges_with("pyproject.toml", "[tool.poetry]\npackages = [{include = \"shop\", from = \"lib\"}]\n"),
      shop);
}

TEST_F(ImportGraphTest, ResolvesPythonModulesInThePathOfPytestAndInFoldersAbove) {
  const auto edges_with = [&](const std::string& name, const std::string& text) {
    return edges(
        graph_of({{"app/" + name, text}, {"app/lib/cart.py", ""}, {"app/tests/a.py", "import cart"}}));
  };
  const std::string edge = "app/tests/a.py -> app/lib/cart.py\n";
  EXPECT_EQ(edges_with("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\"src\", \"lib\"]\n"),
            edge);
  EXPECT_EQ(edges_with("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = \"src lib\"\n"), edge);
  EXPECT_EQ(edges_with("pyproject.toml", "[tool.maturin]\npython-source = \"lib\"\n"), edge);
  EXPECT_EQ(edges_with("pytest.ini", "[pytest]\npythonpath = src lib\n"), edge);
  EXPECT_EQ(edges_with("tox.ini", "[pytest]\npythonpath =\n  src\n  lib\n"), edge);
  EXPECT_EQ(edges_with("setup.cfg", "[tool:pytest]\npythonpath = lib\n"), edge);
  EXPECT_EQ(edges_with("tox.ini", "[testenv]\npythonpath = lib\n"), "");
  EXPECT_EQ(edges(graph_of({{"a/jobs/deep/mail.py", "import settings, jobs.queue, queue"},
                            {"a/jobs/queue.py", ""},
                            {"a/settings.py", ""},
                            {"b/settings.py", ""}})),
            "a/jobs/deep/mail.py -> a/settings.py\na/jobs/deep/mail.py -> a/jobs/queue.py\n");
}

TEST_F(ImportGraphTest, ResolvesImportMapsOfDeno) {
  const Files files = {
      {"src/a.ts", "import '@/b.ts'; import 'shop'; import 'std/x.ts'; import '@team/log/more';"},
      {"src/b.ts", ""},
      {"lib/shop.ts", ""},
      {"log/deno.json", R"({"name": "@team/log", "exports": {".": "./mod.ts", "./more": "./more.ts"}})"},
      {"log/more.ts", "import 'shop';"}};
  const std::string expected =
      "log/more.ts -> lib/shop.ts\nsrc/a.ts -> src/b.ts\nsrc/a.ts -> lib/shop.ts\nsrc/a.ts -> log/more.ts\n";
  Files inside = files, outside = files;
  inside["deno.jsonc"] =
      R"({"imports": {"@/": "./src/", "shop": "./lib/shop.ts", "std/": "https://deno.land/std/"} /* all */})";
  outside["deno.json"] = R"({"importMap": "./maps/import_map.json"})";
  outside["maps/import_map.json"] = R"({"imports": {"@/": "../src/", "shop": "../lib/shop.ts"}})";
  EXPECT_EQ(edges(graph_of(inside)), expected);
  EXPECT_EQ(edges(graph_of(outside)), expected);
}

TEST_F(ImportGraphTest, APackageOfPythonHidesTheModuleBesideIt) {
  EXPECT_EQ(edges(graph_of({{"pilot.py", "from pilot.cockpit import fly"},
                            {"pilot/__init__.py", ""},
                            {"pilot/cockpit.py", "from pilot import height, radio"},
                            {"pilot/radio.py", ""},
                            {"space.py", ""},
                            {"space/suit.py", "import space"}})),
            "pilot.py -> pilot/__init__.py\npilot.py -> pilot/cockpit.py\n"
            "pilot/cockpit.py -> pilot/__init__.py\npilot/cockpit.py -> pilot/radio.py\n"
            "space/suit.py -> space.py\n");
}

TEST_F(ImportGraphTest, ResolvesTheImportsOfComponents) {
  const std::string script = "<script lang=\"ts\">\nimport { x } from './u'\n</script>\n<p>{x}</p>\n";
  ImportGraph graph = graph_of({{"Card.svelte", script},
                                {"Page.vue", script},
                                {"index.astro", "---\nimport { x } from './u'\n---\n<p>{x}</p>\n"},
                                {"u.ts", "import './Card'"},
                                {"main.ts", "import Page from './index'; import './Page.vue'"}});
  EXPECT_EQ(edges(graph),
            "Card.svelte -> u.ts\nPage.vue -> u.ts\nindex.astro -> u.ts\nmain.ts -> index.astro\n"
            "main.ts -> Page.vue\nu.ts -> Card.svelte\n");
  EXPECT_EQ(cycles(graph), "Card.svelte > u.ts > (2)\n");
}

TEST_F(ImportGraphTest, FindsCyclesOfGoPackages) {
  EXPECT_EQ(cycles(graph_of({{"go.mod", "module x"},
                             {"a/a.go", "package a\nimport \"x/b\""},
                             {"a/a_test.go", "package a_test\nimport \"x/c\""},
                             {"b/b.go", "package b\nimport \"x/a\""},
                             {"c/c.go", "package c\nimport \"x/a\""}})),
            "a/a.go > b/b.go > (2)\n");
}

TEST_F(ImportGraphTest, NamesWhatWasNotScanned) {
  ImportGraph graph(folder_.path());
  MemoryView view({{"a.ts", ""},
                   {"b.ts", std::string("import './a'\0", 13)},
                   {"c.ts", "const c = require(name)"},
                   {"doc.mdx", ""},
                   {"index.html", ""},
                   {"note.ipynb", ""},
                   {"read.md", ""}},
                  false);
  ASSERT_TRUE(graph.update(view));
  EXPECT_EQ(graph.unscanned(Language::javascript),
            (UnscannedFiles{.endings = {".html", ".mdx"}, .unreadable = {"b.ts"}, .computed = {"c.ts"}}));
  EXPECT_EQ(graph.unscanned(Language::c), UnscannedFiles{});
}

TEST_F(ImportGraphTest, ResolvesCIncludes) {
  EXPECT_EQ(edges(graph_of({
                {"src/a.cc",
                 "#include \"b.h\"\n#include \"x/c.h\"\n#include <x/c.h>\n#include <string.h>\n#include "
                 "\"../d.h\""},
                {"src/b.h", ""},
                {"b.h", ""},
                {"d.h", ""},
                {"include/x/c.h", "#include \"c.h\"\n#include \"e.h\""},
                {"lib/string.h", ""},
                {"lib/e.h", ""},
                {"lib/deep/er/e.h", ""},
            })),
            "include/x/c.h -> lib/e.h\n"
            "src/a.cc -> src/b.h\nsrc/a.cc -> include/x/c.h\nsrc/a.cc -> d.h\n");
}

TEST_F(ImportGraphTest, ResolvesGoImports) {
  ImportGraph graph = graph_of({
      {"go.mod", "// c\nmodule example.com/m // d\nreplace (\n\tx.org/y v1.2.0 => ./sub/y\n)\n"},
      {"m.go", "package main\nimport (\"example.com/m/p\"; \"fmt\"; \"x.org/y\")"},
      {"p/a.go", "package p"},
      {"p/a_test.go", "package p"},
      {"p/b.go", "package p"},
      {"p/inner/c.go", "package inner"},
      {"sub/go.mod", "module (\n\t\"example.com/m/sub\"\n)\n"},
      {"sub/x/d.go", "package x\nimport \"example.com/m/sub/y\""},
      {"sub/y/e.go", "package y"},
  });
  EXPECT_EQ(edges(graph), "m.go -> p/a.go\nm.go -> p/b.go\nm.go -> sub/y/e.go\nsub/x/d.go -> sub/y/e.go\n");
  EXPECT_EQ(affected(graph, "p/b.go"), "1 m.go via p/b.go\n1 p/a.go via p/b.go\n1 p/a_test.go via p/b.go\n");
}

TEST_F(ImportGraphTest, AModuleOfGoIsReplacedForTheModulesBelow) {
  EXPECT_EQ(
      edges(graph_of({{"a/lib/go.mod", "module x.org/lib"},
                      {"a/lib/lib.go", "package lib"},
                      {"app/go.mod", "module x.org/app\nreplace x.org/lib => ../fork\n"},
                      {"app/main.go", "package main\nimport \"x.org/lib\""},
                      {"fork/go.mod", "module x.org/lib"},
                      {"fork/lib.go", "package lib"},
                      {"other/go.mod", "module x.org/other"},
                      {"other/main.go", "package main\nimport (\"x.org/lib\"; \"y.org/z\"; \"v.org/w/x\")"},
                      {"other/vendor/v.org/w/x/x.go", "package x"},
                      {"work/go.work", "use ./app\nreplace y.org/z => ./z\n"},
                      {"work/z/z.go", "package z"}})),
      "app/main.go -> fork/lib.go\nother/main.go -> a/lib/lib.go\nother/main.go -> work/z/z.go\n"
      "other/main.go -> other/vendor/v.org/w/x/x.go\n");
}

TEST_F(ImportGraphTest, ATestOfGoAffectsOnlyTests) {
  const ImportGraph graph = graph_of({{"go.mod", "module x"},
                                      {"main.go", "package main\nimport \"x/p\""},
                                      {"p/a.go", "package p"},
                                      {"p/a_test.go", "package p\nimport \"x/q\""},
                                      {"p/b_test.go", "package p_test"},
                                      {"q/q.go", "package q"}});
  EXPECT_EQ(affected(graph, "p/a_test.go"), "1 p/b_test.go via p/a_test.go\n");
  EXPECT_EQ(affected(graph, "q/q.go"), "1 p/a_test.go via q/q.go\n2 p/b_test.go via p/a_test.go\n");
}

TEST_F(ImportGraphTest, AnUpdateEndsWhenItIsStoppedAndTheNextOneIsComplete) {
  const Files files = {{"tsconfig.json", R"({"extends": "./base.json"})"},
                       {"base.json", R"({"compilerOptions": {"paths": {"@/*": ["./src/*"]}}})"},
                       {"main.ts", "import '@/x'"},
                       {"src/x.ts", ""}};
  ImportGraph graph(folder_.path());
  std::stop_source stop;
  MemoryView stopped(files, true, {}, stop.get_token());
  int opened = 0;
  stopped.on_open = [&](std::string_view) {
    ++opened;
    stop.request_stop();
  };
  const Result<Unit> updated = graph.update(stopped);
  ASSERT_FALSE(updated);
  EXPECT_EQ(updated.error().code, ErrorCode::cancelled);
  EXPECT_EQ(opened, 1);
  MemoryView view(files);
  ASSERT_TRUE(graph.update(view));
  EXPECT_EQ(edges(graph), "main.ts -> src/x.ts\n");
}

TEST_F(ImportGraphTest, AnyContentOfARustManifestIsAccepted) {
  for (const char* broken :
       {"[!]", "[d.\x01", "a\xcc\xa6 = 1\n", "a\xc3\xa9", "x = \"\\\xc3\xa9\"", "%41 = 1"})
    EXPECT_EQ(edges(graph_of({{"Cargo.toml", broken}, {"src/lib.rs", "mod a;"}, {"src/a.rs", ""}})), "")
        << broken;
  EXPECT_EQ(edges(graph_of({{"Cargo.toml",
                             "[package] # \xc3\xa9\nname = \"p\"\n[lib]\npath = \"\xc3\xa9/100%25/%.rs\"\n"},
                            {"\xc3\xa9/100%25/%.rs", "mod a;"},
                            {"\xc3\xa9/100%25/a.rs", ""}})),
            "\xc3\xa9/100%25/%.rs -> \xc3\xa9/100%25/a.rs\n");
}

TEST_F(ImportGraphTest, ResolvesRustModules) {
  EXPECT_EQ(
      edges(graph_of({
          {"Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n"},
          {"a/Cargo.toml", "[package]\nname = \"crate-a\"\n"},
          {"a/src/lib.rs", "pub mod one;\nmod two;\n"},
          {"a/src/one.rs", "mod inner;\nuse crate::two::Thing;\nuse inner::x;"},
          {"a/src/one/inner.rs", "use super::super::two;\n"},
          {"a/src/two/mod.rs", "mod three;"},
          {"a/src/two/three.rs", "use self::nothing;"},
          {"b/Cargo.toml", "[package]\nname = \"b\"\n[[bin]]\nname = \"x\"\npath = \"run/x.rs\"\n"},
          {"b/run/x.rs", "use crate_a::one::inner::Y;\nuse serde::De;\n#[path = \"../odd.rs\"] mod odd;"},
          {"b/odd.rs", ""},
      })),
      "a/src/lib.rs -> a/src/one.rs\na/src/lib.rs -> a/src/two/mod.rs\n"
      "a/src/one.rs -> a/src/one/inner.rs\na/src/one.rs -> a/src/two/mod.rs\na/src/one.rs -> "
      "a/src/one/inner.rs\n"
      "a/src/one/inner.rs -> a/src/two/mod.rs\n"
      "a/src/two/mod.rs -> a/src/two/three.rs\n"
      "b/run/x.rs -> a/src/one/inner.rs\nb/run/x.rs -> b/odd.rs\n");
}

TEST_F(ImportGraphTest, ACrateHasTheNameThatItsDependentChooses) {
  const auto edges_with = [&](const std::string& dependencies, const std::string& code) {
    return edges(
        graph_of({{"Cargo.toml",
                   "[workspace]\nmembers = [\"*\"]\n[workspace.dependencies]\n"
                   "kept = { package = \"store\", path = \"parts/store\" }\n"},
                  {"parts/store/Cargo.toml", "[package]\nname = \"store\"\n[lib]\nname = \"disks\"\n"},
                  {"parts/store/src/lib.rs", ""},
                  {"parts/store/src/disk.rs", ""},
                  {"app/Cargo.toml", "[package]\nname = \"app\"\n[dependencies]\n" + dependencies},
                  {"app/src/main.rs", code}}));
  };
  const std::string edge = "app/src/main.rs -> parts/store/src/disk.rs\n";
  EXPECT_EQ(edges_with("db = { package = \"store\", path = \"../parts/store\" }\n", "use db::disk::save;"),
            edge);
  EXPECT_EQ(edges_with("my-db = { package = \"store\", version = \"1\" }\n", "use my_db::disk;"), edge);
  EXPECT_EQ(edges_with("kept.workspace = true\n", "fn main() { kept::disk::save(); std::mem::drop(1); }"),
            edge);
  EXPECT_EQ(edges_with("[target.'cfg(unix)'.dependencies]\ndb = { package = \"store\" }\n", "use db::disk;"),
            edge);
  EXPECT_EQ(edges_with("store = \"1\"\n", "use disks::disk;"), edge);
  EXPECT_EQ(edges_with("db = { package = \"other\" }\n", "use db::disk;"), "");
}

TEST_F(ImportGraphTest, AChangeAffectsEveryFileThatImportsIt) {
  ImportGraph graph = graph_of({
      {"a.ts", ""},
      {"b.ts", "import './a'"},
      {"c.ts", "import type { X } from './b'"},
      {"d.ts", "import './c'; import './a'"},
      {"e.ts", "import './d'"},
      {"f.ts", ""},
  });
  EXPECT_EQ(affected(graph, "a.ts"), "1 b.ts via a.ts\n1 d.ts via a.ts\n2 c.ts via b.ts\n2 e.ts via d.ts\n");
  EXPECT_EQ(affected(graph, "f.ts"), "");
}

TEST_F(ImportGraphTest, DeletedFilesStillHaveImporters) {
  const ImportGraph graph = graph_of({{"a.py", "import gone"},
                                      {"lib/b.c", "#include \"gone.h\""},
                                      {"c.ts", "import './gone'"},
                                      {"d.ts", "import './c'"},
                                      {"Cargo.toml", "[package]\nname = \"x\""},
                                      {"src/main.rs", "mod gone;"}});
  const ImportGraph before = graph.with_deleted({"src/gone.rs", "c.ts", "gone.ts", "lib/gone.h", "gone.py"});
  EXPECT_EQ(affected(before, "gone.py"), "1 a.py via gone.py\n");
  EXPECT_EQ(affected(before, "lib/gone.h"), "1 lib/b.c via lib/gone.h\n");
  EXPECT_EQ(affected(before, "gone.ts"), "1 c.ts via gone.ts\n2 d.ts via c.ts\n");
  EXPECT_EQ(affected(before, "src/gone.rs"), "1 src/main.rs via src/gone.rs\n");
  EXPECT_EQ(edges(graph), "d.ts -> c.ts\n");
}

TEST_F(ImportGraphTest, AnImportOfNamesWithTheModifierTypeRemainsOnlyWithVerbatimModuleSyntax) {
  const auto cycles_with = [&](std::string_view folder_config, std::string_view base) {
    return cycles(
        graph_of({{"web/a.ts", "import { type B } from './b'"},
                  {"web/b.ts", "import './a'"},
                  {"web/tsconfig.json", std::string(folder_config)},
                  {"web/tsconfig.app.json", R"({ "compilerOptions": {"verbatimModuleSyntax": true} })"},
                  {"tsconfig.base.json", std::string(base)}}));
  };
  const std::string cycle = "web/a.ts > web/b.ts > (2)\n";
  const std::string verbatim = R"({ "compilerOptions": { "verbatimModuleSyntax": true } })";
  const std::string extending = R"({ "extends": "../tsconfig.base.json", // inherits
    "compilerOptions": { "strict": true } })";
  EXPECT_EQ(cycles_with("{}", verbatim), "");
  EXPECT_EQ(cycles_with(verbatim, "{}"), cycle);
  EXPECT_EQ(cycles_with(extending, verbatim), cycle);
  EXPECT_EQ(cycles_with(extending, R"({ "compilerOptions": { "importsNotUsedAsValues": "error" } })"), cycle);
  EXPECT_EQ(cycles_with(extending, R"({ "compilerOptions": { "preserveValueImports": true } })"), cycle);
  EXPECT_EQ(cycles_with(extending, "{}"), "");
  EXPECT_EQ(cycles_with(R"({ "files": [], "references": [{ "path": "./tsconfig.app.json" }] })", "{}"),
            cycle);
  EXPECT_EQ(cycles_with(R"({ "files": [], "references": [{ "path": "../lib" }] })", "{}"), "");
}

TEST_F(ImportGraphTest, ReportsTheShortestCyclesOnce) {
  ImportGraph graph = graph_of({
      {"a.ts", "import './b'"},
      {"b.ts", "import './c'; import './d'"},
      {"c.ts", "import './a'"},
      {"d.ts", "import './c'"},
      {"t.ts", "import type { X } from './u'"},
      {"u.ts", "import './t'"},
      {"x.py", "import y"},
      {"y.py", "import x"},
      {"self.ts", "import './self'"},
  });
  EXPECT_EQ(cycles(graph), "a.ts > b.ts > c.ts > (4)\nx.py > y.py > (2)\n");
}

TEST_F(ImportGraphTest, ALongChainUsesLittleStack) {
  Files files;
  constexpr int count = 30'000;
  auto name = [](int i) { return "f" + std::to_string(100'000 + i); };
  for (int i = 0; i < count; ++i) files[name(i) + ".ts"] = "import './" + name((i + 1) % count) + "'";
  ImportGraph graph = graph_of(files);
  ASSERT_EQ(graph.cycles().size(), 1U);
  EXPECT_EQ(graph.cycles()[0].component_size, static_cast<std::size_t>(count));
  EXPECT_EQ(graph.affected_by({0}).size(), static_cast<std::size_t>(count - 1));
}

TEST_F(ImportGraphTest, ReadsOnlyChangedFilesAgain) {
  Files files = {
      {"a.ts", "import './b'"}, {"b.ts", ""}, {"c.ts", ""}, {"package.json", "{}"}, {"note.md", ""}};
  ImportGraph graph(folder_.path());
  MemoryView first(files);
  ASSERT_TRUE(graph.update(first));
  EXPECT_EQ(first.touched, 4);

  MemoryView same(files);
  ASSERT_TRUE(graph.update(same));
  EXPECT_EQ(same.reads, 0);

  files["a.ts"] = "import './c'";
  MemoryView edited(files);
  ASSERT_TRUE(graph.update(edited));
  EXPECT_EQ(edited.reads, 1);
  EXPECT_EQ(edges(graph), "a.ts -> c.ts\n");

  // Creating or deleting a file changes the targets of other imports.
  files.erase("c.ts");
  files["c/index.ts"] = "";
  MemoryView moved(files);
  ASSERT_TRUE(graph.update(moved));
  EXPECT_EQ(edges(graph), "a.ts -> c/index.ts\n");
}

TEST_F(ImportGraphTest, AnotherProcessUsesTheCache) {
  Files files = {{"a.ts", "import './b'; import type { X } from './b'"},
                 {"b.ts", "// b"},
                 {"p.py", "from . import q, r"},
                 {"q.py", "# q"}};
  std::string before = edges(graph_of(files));
  ImportGraph again(folder_.path());
  MemoryView view(files);
  ASSERT_TRUE(again.update(view));
  EXPECT_EQ(view.reads, 0);
  EXPECT_EQ(edges(again), before);

  // A damaged cache is ignored.
  std::string bytes = folder_.read("imports");
  for (std::size_t cut = 0; cut < bytes.size(); cut += 7) {
    folder_.write("imports", bytes.substr(0, cut));
    EXPECT_EQ(edges(graph_of(files)), before);
  }
  for (std::size_t i = 0; i < bytes.size(); i += 5) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    folder_.write("imports", damaged);
    EXPECT_EQ(edges(graph_of(files)), before);
  }
}

TEST_F(ImportGraphTest, AnUnreadableFileHasNoImports) {
  Files files = {{"a.ts", std::string("import './b'\0", 13)}, {"b.ts", "import './a'"}};
  ImportGraph graph(folder_.path());
  MemoryView view(files, false);
  ASSERT_TRUE(graph.update(view));
  EXPECT_EQ(edges(graph), "b.ts -> a.ts\n");
}

}  // namespace
}  // namespace snapgen::core
