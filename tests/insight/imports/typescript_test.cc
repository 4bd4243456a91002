// Which configuration of TypeScript applies to a file, and what it extends.
#include "tests/insight/imports/graph_fixture.h"

namespace snapgen::core {
namespace {

using TypescriptTest = ImportGraphTest;

TEST_F(TypescriptTest, ATypeScriptConfigurationExtendsFilesOfAnyName) {
  const auto edges_with = [&](std::string_view extends, Files more) {
    more.insert({{"tsconfig.json", R"({"extends": )" + std::string(extends) + "}"},
                 {"main.ts", "import '@/x'"},
                 {"src/x.ts", ""}});
    return edges(graph_of(more));
  };
  const std::string edge = "main.ts -> src/x.ts\n";
  const std::string above = R"({"compilerOptions": {"paths": {"@/*": ["../src/*"]}}})";
  EXPECT_EQ(edges_with(R"("./configs/base.json")", {{"configs/base.json", above}}), edge);
  EXPECT_EQ(edges_with(R"("./configs/base")", {{"configs/base.json", above}}), edge);
  EXPECT_EQ(edges_with(R"("./configs/ts.jsonc")", {{"configs/ts.jsonc", above}}), edge);
  EXPECT_EQ(edges_with(R"(["./first", "./configs/base"])",
                       {{"first.json", R"({"compilerOptions": {"baseUrl": "elsewhere"}})"},
                        {"configs/base.json",
                         R"({"compilerOptions": {"baseUrl": "..", "paths": {"@/*": ["src/*"]}}})"}}),
            edge);
  EXPECT_EQ(edges_with(R"("@x/configs/base.json")",
                       {{"configs/package.json", R"({"name": "@x/configs"})"}, {"configs/base.json", above}}),
            edge);
  for (const auto& [name, manifest] : Files{{R"("@x/y/base")", R"({"exports": {"./*": "./ts/*.json"}})"},
                                            {R"("@x/y")", R"({"tsconfig": "ts/base"})"}})
    EXPECT_EQ(edges_with(name, {{"node_modules/@x/y/package.json", manifest},
                                {"node_modules/@x/y/ts/base.json",
                                 R"({"compilerOptions": {"paths": {"@/*": ["../../../../src/*"]}}})"}}),
              edge);
  const std::string of_leaf = R"({"compilerOptions": {"paths": {"@/*": ["${configDir}/src/*"]}}})";
  EXPECT_EQ(edges_with(R"("./deep/er/base.json")", {{"deep/er/base.json", of_leaf}}), edge);
  EXPECT_EQ(edges_with(R"("./loop.json")", {{"loop.json", R"({"extends": "./tsconfig.json"})"}}), "");
  Files chain = {{"deep/c20", above}};
  for (int i = 0; i < 20; ++i)
    chain["deep/c" + std::to_string(i)] = R"({"extends": "./c)" + std::to_string(i + 1) + R"("})";
  EXPECT_EQ(edges_with(R"("./deep/c0")", chain), edge);
}

TEST_F(TypescriptTest, TheLastOfTwoEqualNamesCounts) {
  EXPECT_EQ(edges(graph_of({{"tsconfig.json", R"({"compilerOptions": {"paths": {"@/*": ["./old/*"]}},)"
                                              R"( "compilerOptions": {"paths": {"@/*": ["./new/*"]}}})"},
                            {"main.ts", "import '@/x'"},
                            {"old/x.ts", ""},
                            {"new/x.ts", ""}})),
            "main.ts -> new/x.ts\n");
}

TEST_F(TypescriptTest, ACompilerReadsOnlyTheFilesOfItsProject) {
  const auto outside = [&](const Files& files) {
    const ImportGraph graph = graph_of(files);
    std::string paths;
    for (FileIndex file = 0; file < graph.files().size(); ++file)
      if (!graph.is_in_project(file)) paths += graph.files().path(file) + " ";
    return paths;
  };
  const Files files = {{"src/a.ts", "import '../lib/b'; import './c'"},
                       {"src/c.jsx", ""},
                       {"src/d.vue", ""},
                       {"lib/b.ts", "import './e'"},
                       {"lib/e.ts", ""},
                       {"other/f.ts", ""},
                       {"g.py", ""}};
  const auto with = [&](std::string_view options) {
    Files all = files;
    all["tsconfig.json"] = R"({"include": ["src"], "compilerOptions": {)" + std::string(options) + "}}";
    return all;
  };
  EXPECT_EQ(outside(with("")), "other/f.ts src/c.jsx ");
  EXPECT_EQ(outside(with(R"("allowJs": true)")), "other/f.ts ");
  EXPECT_EQ(outside({{"Cargo.toml", "[package]\nname = \"a\"\n"},
                     {"src/lib.rs", "mod m;"},
                     {"src/m.rs", ""},
                     {"src/orphan.rs", ""}}),
            "src/orphan.rs ");
}

TEST_F(TypescriptTest, TheInnermostOfNestedRootFoldersHasTheImport) {
  EXPECT_EQ(edges(graph_of({{"tsconfig.json", R"({"compilerOptions": {"rootDirs": [".", "src", "gen"]}})"},
                            {"src/x/a.ts", "import './b'; import './c'"},
                            {"gen/x/b.ts", ""},
                            {"gen/src/x/c.ts", ""}})),
            "src/x/a.ts -> gen/x/b.ts\n");
}

TEST_F(TypescriptTest, TheWorkForAConfigurationIsLimited) {
  const auto repeated = [](std::string_view before, std::string_view after) {
    std::string all;
    for (int i = 0; i < 2000; ++i) all.append(before).append(std::to_string(i)).append(after);
    return all;
  };
  const std::string lists = R"("moduleSuffixes": ["", )" + repeated("\".", "\", ") + R"(], "rootDirs": [)" +
                            repeated("\"./", "\", ") + R"(], "paths": {"m*": [")" + repeated("", "/*\", \"") +
                            R"("], )" + repeated("\"n", "*\": [], ") + "}";
  const std::string files = R"("extends": ["./tsconfig.json", )" +
                            repeated("\"./tsconfig.json\", \"", "\", ") + R"(], "references": [)" +
                            repeated(R"({"path": ")", R"(.json"}, )") + R"(], "include": [)" +
                            repeated("\"z", "/**/*\", ") + "], ";
  EXPECT_EQ(edges(graph_of({{"tsconfig.json", "{" + files + R"("compilerOptions": {)" + lists + "}}"},
                            {"p/package.json",
                             R"({"exports": {)" + repeated("\"./x", "*\": 0, ") + R"(}, "name": "p"})"},
                            {"main.ts", repeated("import './x", "';\n") + repeated("import 'm", "';\n") +
                                            repeated("import 'p/q", "';\n") + "import './b'"},
                            {"b.ts", ""}})),
            "main.ts -> b.ts\n");
}

TEST_F(TypescriptTest, NoConfigurationIsSearchedAtAPathThatIsTooLong) {
  std::string name = "./";
  while (name.size() < 100'000) name += "folder/";
  for (const std::string& extended : {name, name.substr(2), "@x/" + name.substr(2)}) {
    MemoryView view({{"tsconfig.json", R"({"extends": [")" + extended + R"(", "./base.json"]})"},
                     {"base.json", R"({"compilerOptions": {"paths": {"@/*": ["./src/*"]}}})"},
                     {"main.ts", "import '@/x'"},
                     {"src/x.ts", ""}});
    view.on_open = [](std::string_view path) { EXPECT_LT(path.size(), 4096u); };
    ImportGraph graph(folder_.path());
    ASSERT_TRUE(graph.update(view));
    EXPECT_EQ(edges(graph), "main.ts -> src/x.ts\n");
  }
}

TEST_F(TypescriptTest, APackageIsSearchedInALimitedNumberOfFolders) {
  std::string folder;
  for (int i = 0; i < 1000; ++i) folder += "f/";
  MemoryView view({{folder + "tsconfig.json", R"({"extends": "p/base"})"}, {folder + "a.ts", ""}});
  int opened = 0;
  view.on_open = [&](std::string_view) { ++opened; };
  ImportGraph graph(folder_.path());
  ASSERT_TRUE(graph.update(view));
  EXPECT_LT(opened, 500);
}

TEST_F(TypescriptTest, ATypeScriptConfigurationExtendsIgnoredFiles) {
  const Files files = {
      {"tsconfig.json", R"({"extends": ["./.svelte-kit/tsconfig.json", "@tsconfig/strict"]})"},
      {"main.ts", "import '$lib/x'; import '#y'"},
      {"src/lib/x.ts", ""},
      {"lib/x.ts", ""},
      {"y.ts", ""}};
  ImportGraph graph(folder_.path());
  const auto update = [&](const Files& ignored) {
    MemoryView view(files, true, ignored);
    EXPECT_EQ(graph.has_current_ignored_inputs(view), false);
    EXPECT_TRUE(graph.update(view));
    EXPECT_TRUE(graph.has_current_ignored_inputs(view));
    return edges(graph);
  };
  MemoryView view(files);
  ASSERT_TRUE(graph.update(view));
  EXPECT_EQ(edges(graph), "");
  EXPECT_EQ(update({{"node_modules/@tsconfig/strict/tsconfig.json",
                     R"({"compilerOptions": {"paths": {"#*": ["${configDir}/*"]}}})"}}),
            "main.ts -> y.ts\n");
  EXPECT_EQ(update({{".svelte-kit/tsconfig.json",
                     R"({"compilerOptions": {"paths": {"$lib/*": ["../src/lib/*"]}}})"}}),
            "main.ts -> src/lib/x.ts\n");
  EXPECT_EQ(
      update({{".svelte-kit/tsconfig.json", R"({"compilerOptions": {"paths": {"$lib/*": ["../lib/*"]}}})"}}),
      "main.ts -> lib/x.ts\n");
}

TEST_F(TypescriptTest, AReferencedConfigurationAppliesToTheFilesThatItCovers) {
  Files files = {{"tsconfig.json", R"({"files": [], "references": [{"path": "./tsconfig.app.json"},
                     {"path": "./tsconfig.test.json"}, {"path": "./packages/p"}]})"},
                 {"tsconfig.app.json", R"({"compilerOptions": {"paths": {"@/*": ["./src/*"]}},
                     "include": ["src/**/*.ts"], "exclude": ["src/[id]", "src/old"]})"},
                 {"tsconfig.test.json", R"({"compilerOptions": {"paths": {"@/*": ["./test/*"]}},
                     "include": ["test"], "files": ["src/old/b.ts"]})"},
                 {"packages/p/tsconfig.json", R"({"compilerOptions": {"paths": {"@/*": ["./*"]}}})"},
                 {"packages/p/b.ts", "import '@/x'"},
                 {"packages/p/x.ts", ""},
                 {"script.ts", "import '@/x'"},
                 {"src/a.ts", "import '@/x'"},
                 {"src/old/b.ts", "import '@/x'"},
                 {"src/x.ts", ""},
                 {"test/a.ts", "import '@/x'"},
                 {"test/x.ts", ""}};
  EXPECT_EQ(edges(graph_of(files)),
            "packages/p/b.ts -> packages/p/x.ts\nscript.ts -> src/x.ts\nsrc/a.ts -> src/x.ts\n"
            "src/old/b.ts -> test/x.ts\ntest/a.ts -> test/x.ts\n");
}

TEST_F(TypescriptTest, AConfigurationAboveAppliesToFilesThatTheNearestOneDoesNotCover) {
  const auto paths_to = [](std::string_view folder, std::string_view rest) {
    return R"({"compilerOptions": {"paths": {"@/*": ["./)" + std::string(folder) + R"(/*"]}}, )" +
           std::string(rest) + "}";
  };
  EXPECT_EQ(edges(graph_of({{"tsconfig.json",
                             R"({"files": [], "references": [{"path": "./web/tsconfig.worker.json"}]})"},
                            {"web/tsconfig.json", paths_to("src", R"("include": ["src"])")},
                            {"web/tsconfig.worker.json", paths_to("worker", R"("include": ["worker"])")},
                            {"web/script.ts", "import '@/x'"},
                            {"web/src/a.ts", "import '@/x'"},
                            {"web/src/x.ts", ""},
                            {"web/worker/a.ts", "import '@/x'"},
                            {"web/worker/x.ts", ""}})),
            "web/script.ts -> web/src/x.ts\nweb/src/a.ts -> web/src/x.ts\n"
            "web/worker/a.ts -> web/worker/x.ts\n");
}

}  // namespace
}  // namespace snapgen::core
