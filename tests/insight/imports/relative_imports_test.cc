// Which relative imports are reported as broken, and which are not, because they may resolve in another way.
#include "tools/insight/imports/relative_imports.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

class RelativeImportsTest : public testing::Test {
 protected:
  // Returns the broken imports of a file, each with its line: "1:./gone 3:./other ".
  std::string broken(std::string_view path, std::string_view text) {
    const TreeProbe tree{
        .names_in = [&](const std::string& folder) -> std::optional<std::vector<std::string>> {
          std::set<std::string> names;
          for (const auto& [file, content] : files_) {
            const std::string prefix = folder.empty() ? "" : folder + "/";
            if (!file.starts_with(prefix)) continue;
            const std::string below = file.substr(prefix.size());
            names.insert(below.substr(0, below.find('/')));
          }
          return std::vector<std::string>(names.begin(), names.end());
        },
        .may_be_omitted = [&](const std::string& each) { return omitted_.contains(each); },
        .text_of = [&](const std::string& each) { return files_.contains(each) ? files_[each] : ""; }};
    std::string found;
    for (const BrokenImport& each : check_relative_imports(path, text, tree).broken)
      found += std::to_string(each.line) + ":" + each.name + " ";
    return found;
  }

  std::map<std::string, std::string> files_ = {
      {"src/a.ts", ""},         {"src/button.native.tsx", ""}, {"src/view.vue", ""},
      {"src/data.json", ""},    {"src/types.d.ts", ""},        {"src/parts/index.js", ""},
      {"shop/__init__.py", ""}, {"shop/cart.py", ""},          {"shop/fast.pyx", ""}};
  std::set<std::string> omitted_;
};

TEST_F(RelativeImportsTest, ReportsImportsOfMissingModulesOfJavascript) {
  EXPECT_EQ(
      broken("src/main.ts",
             "import { a } from './a';\nimport { b } from './gone';\nimport type { C } from './lost.js';\n"
             "export * from '../moved/x';\nimport {\n  d,\n} from './list';\nimport './effect.mjs';\n"),
      "2:./gone 3:./lost.js 4:../moved/x 5:./list 8:./effect.mjs ");
  EXPECT_EQ(broken("src/main.cjs", "const a = require('./a');\nconst {\n  b,\n} = require('./gone');\n"),
            "4:./gone ");
  EXPECT_EQ(broken("main.js", "import './user.service';\nimport './src/user.service';\n"),
            "1:./user.service 2:./src/user.service ");
}

TEST_F(RelativeImportsTest, AFileWithAnotherExtensionOrAFolderIsFound) {
  EXPECT_EQ(broken("src/main.ts",
                   "import './a.js';\nimport './button';\nimport './view';\nimport './view.vue';\nimport "
                   "'./data.json';\nimport './types';\nimport './parts';\nimport './parts/';\nimport '.';\n"
                   "import '..';\nimport './A';\nimport 'gone';\nimport '@/gone';\nimport '#gone';\n"),
            "");
}

TEST_F(RelativeImportsTest, AFileThatABuildOrABundlerMayProvideIsNotReported) {
  EXPECT_EQ(
      broken("src/main.ts",
             "import './style.css';\nimport './icon.svg?url';\nimport './$types';\nimport './+types/root';\n"
             "import '../dist/x.js';\nimport './__generated__/q.graphql';\nimport './api.generated';\n"
             "import './x_pb';\nimport 'raw-loader!./gone';\nimport './gone?raw';\n"),
      "");
  omitted_ = {"src/schema.ts"};
  EXPECT_EQ(broken("src/main.ts", "import './schema';\n"), "");
  EXPECT_EQ(broken("src/types.d.ts", "import './gone';\n"), "");
  EXPECT_EQ(broken("test/fixtures/a.js", "import './gone';\n"), "");
  files_["tsconfig.json"] = R"({"compilerOptions": {"rootDirs": ["src", "gen"]}})";
  EXPECT_EQ(broken("src/main.ts", "import './gone';\n"), "");
  files_.erase("tsconfig.json");
  files_["package.json"] = R"({"browser": {"./src/gone.js": false}})";
  EXPECT_EQ(broken("src/main.ts", "import './gone';\n"), "");
  files_["package.json"] = R"({"browser": "src/a.js"})";
  EXPECT_EQ(broken("src/main.ts", "import './gone';\n"), "1:./gone ");
}

TEST_F(RelativeImportsTest, AnOptionalImportIsNotReported) {
  EXPECT_EQ(broken("src/a.js", "try {\n  require('./gone');\n} catch {}\n"), "");
  EXPECT_EQ(broken("src/a.js", "let x;\ntry { x = 1; } catch {}\nconst y = require('./gone');\n"), "");
  EXPECT_EQ(broken("src/a.js", "const x = flag ? require('./gone') : null;\n"), "");
  EXPECT_EQ(broken("src/a.js", "  import './gone';\n// import './gone';\nconst s = \"import './gone'\";\n"),
            "");
  EXPECT_EQ(broken("src/a.ts", "// @ts-expect-error\nimport './gone';\n"), "");
  EXPECT_EQ(
      broken("src/a.test.js", "jest.mock('./gone', () => ({}), { virtual: true });\nimport './gone';\n"), "");
}

TEST_F(RelativeImportsTest, ReportsImportsOfMissingModulesOfPython) {
  EXPECT_EQ(broken("shop/price.py",
                   "from .cart import a\nfrom .gone import b\nfrom . import anything\nfrom .fast import c\n"
                   "from ..other import d\nimport gone\nfrom shop.gone import e\n"),
            "2:.gone 5:..other ");
  EXPECT_EQ(
      broken("shop/price.py",
             "try:\n    from .gone import a\nexcept ImportError:\n    a = None\ntry: from .gone import a\n"
             "except ImportError: pass\nif TYPE_CHECKING:\n    from .gone import A\nfrom ._speed import b\n"
             "from .shop_pb2 import c\nfrom ....above import d\n\"\"\"\nfrom .gone import e\n\"\"\"\n"),
      "");
  omitted_ = {"shop/settings.py"};
  EXPECT_EQ(broken("shop/price.py", "from .settings import a\n"), "");
  files_["shop/__init__.py"] = "__path__ = extend_path(__path__, __name__)\n";
  EXPECT_EQ(broken("shop/price.py", "from .gone import a\n"), "");
  files_["shop/__init__.py"] = "";
  files_["shop/extern/__init__.py"] = "import sys\nsys.meta_path.append(Importer())\n";
  EXPECT_EQ(broken("shop/price.py", "from .extern.gone import a\nfrom .gone import b\n"), "2:.gone ");
}

TEST_F(RelativeImportsTest, AnIncludeIsUnconditionalOutsideOfConditions) {
  const auto is_plain = [](std::string_view text) {
    return is_unconditional(Language::c, text, scan_imports(Language::c, text).back());
  };
  EXPECT_TRUE(is_plain("#pragma once\n#include \"x.h\"\n"));
  EXPECT_TRUE(is_plain("#ifndef A_H\n#define A_H\n#include \"x.h\"\n#endif\n"));
  EXPECT_TRUE(is_plain("#if A\n#endif\n#include \"x.h\"\n"));
  EXPECT_FALSE(is_plain("#if __has_include(\"x.h\")\n#include \"x.h\"\n#endif\n"));
  EXPECT_FALSE(is_plain("#define B\n#ifdef A\n#include \"x.h\"\n#endif\n"));
  EXPECT_FALSE(is_plain("#define B\n#ifndef A\n#include \"x.h\"\n#endif\n"));
}

}  // namespace
}  // namespace snapgen::core
