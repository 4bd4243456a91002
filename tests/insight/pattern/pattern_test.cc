// The code that the detectors report, and the code that they accept.
#include <gtest/gtest.h>

#include "tools/insight/pattern/detect.h"

namespace snapgen::core {
namespace {

std::string patterns_found(std::string_view type, std::string_view path, std::string_view text) {
  std::string lines;
  for (const PatternFinding& each : detect_patterns(path, text, {std::string(type)}, 100))
    lines += each.type + ":" + std::to_string(each.line) + " ";
  return lines;
}

TEST(Patterns, EachDetectorFindsItsPattern) {
  EXPECT_EQ(patterns_found("silent_catch", "a.ts", "try {\n} catch (e) {}\n"), "silent_catch:2 ");
  EXPECT_EQ(patterns_found("silent_catch", "a.ts", "} catch (e) {\n\n}\n"), "silent_catch:1 ");
  EXPECT_EQ(patterns_found("silent_catch", "a.ts", "p.catch(() => {});\n"), "silent_catch:1 ");
  EXPECT_EQ(patterns_found("silent_catch", "a.py", "try:\n  x()\nexcept ValueError:\n  pass\n"),
            "silent_catch:3 ");
  EXPECT_EQ(patterns_found("console_log", "a.js", "x();\nconsole.log(x)\n"), "console_log:2 ");
  EXPECT_EQ(patterns_found("any_type", "a.ts", "let a: any = 1;\nf(x as any);\n"), "any_type:1 any_type:2 ");
  EXPECT_EQ(patterns_found("todo_left", "a.cc",
                           "// TO"
                           "DO: later\nint x;  // FIX"
                           "ME\n"),
            "todo_left:1 todo_left:2 ");
  EXPECT_EQ(patterns_found("hardcoded_secret", "a.py", "API_KEY = \"abcd1234efgh\"\n"),
            "hardcoded_secret:1 ");
  EXPECT_EQ(patterns_found("missing_auth_check", "a.ts", "app.get('/users', list)\nuserRouter.post(\n"),
            "missing_auth_check:1 ");
  EXPECT_EQ(patterns_found("missing_auth_check", "a.py", "@app.route('/users')\ndef users():\n  pass\n"),
            "missing_auth_check:1 ");
  EXPECT_EQ(patterns_found("none", "a.txt", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"),
            "merge_conflict:1 merge_conflict:5 ");
  // As Jujutsu writes it, with a diff or with both sides.
  EXPECT_EQ(patterns_found("none", "a.md",
                           "<<<<<<< conflict 1 of 1\n%%%%%%% diff from base to side #1\n-a\n+b\n"
                           "+++++++ side #2\nc\n>>>>>>> conflict 1 of 1 ends\n"),
            "merge_conflict:1 merge_conflict:7 ");
  EXPECT_EQ(patterns_found("none", "a.md",
                           "<<<<<<< conflict 1 of 1\n+++++++ side #1\nb\n------- base\na\n>>>>>>> x\n"),
            "merge_conflict:1 merge_conflict:6 ");
}

TEST(Patterns, CorrectCodeIsNotReported) {
  EXPECT_EQ(patterns_found("silent_catch", "a.ts", "} catch (e) {\n  log(e);\n}\n"), "");
  EXPECT_EQ(patterns_found("silent_catch", "a.py", "except ValueError:\n  raise\n"), "");
  EXPECT_EQ(patterns_found("silent_catch", "a.md", "} catch (e) {}\n"), "");
  EXPECT_EQ(patterns_found("console_log", "a.js", "// console.log(x)\n"), "");
  EXPECT_EQ(patterns_found("any_type", "a.ts", "const many = company;\nany();\n"), "");
  EXPECT_EQ(patterns_found("any_type", "a.js", "x as any"), "");
  EXPECT_EQ(patterns_found("todo_left", "a.cc",
                           "int todo_count; TO"
                           "DO();\n"),
            "");
  EXPECT_EQ(patterns_found("hardcoded_secret", "a.py",
                           "password = os.environ['PASSWORD']\npassword = \"${PASS}WORD\"\n"),
            "");
  EXPECT_EQ(patterns_found("none", "a.md", "Heading\n=======\n"), "");
  EXPECT_EQ(patterns_found("none", "a.md", "A conflict begins with:\n<<<<<<< HEAD\n"), "");
  EXPECT_EQ(patterns_found("none", "a.md", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n>>>>>>> quoted\n"),
            "merge_conflict:1 merge_conflict:5 ");
  for (const char* line : {"app.get('/users', requireUser, list)", "router.post('/login', login)",
                           "const x = map.get('/users')", "app.get(name)", "cache.get('/users')"})
    EXPECT_EQ(patterns_found("missing_auth_check", "a.ts", line), "") << line;
  EXPECT_EQ(patterns_found("missing_auth_check", "a.py", "@app.get('/u')\n@login_required\ndef u():\n"), "");
  EXPECT_EQ(patterns_found("missing_auth_check", "a.py", "@app.get('/u')\ndef u(user=Depends(current)):\n"),
            "");
  EXPECT_EQ(patterns_found("missing_auth_check", "a.md", "app.get('/users', list)"), "");
  EXPECT_FALSE(has_detector("be_kind"));
  EXPECT_TRUE(has_detector("silent_catch"));
}

TEST(Patterns, DetectorsStopAtTheirLimitAndAcceptAnyBytes) {
  std::string text;
  for (int i = 0; i < 50; ++i)
    text +=
        "// TO"
        "DO\n";
  EXPECT_EQ(detect_patterns("a.cc", text, {"todo_left"}, 7).size(), 7U);
  EXPECT_TRUE(
      detect_patterns("a.ts", std::string(100'000, '\0') + "\xff\xfe", {"silent_catch", "any_type"}, 7)
          .empty());
  EXPECT_TRUE(detect_patterns("a.ts", "", {"silent_catch"}, 7).empty());
}

}  // namespace
}  // namespace snapgen::core
