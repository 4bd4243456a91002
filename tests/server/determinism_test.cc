// Equal states must give equal snapshot ids, bundles and archives, whatever the environment of the server.
#include <algorithm>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>

#include "runtime/json/writer.h"
#include "tests/engine/git/scratch.h"
#include "tests/server/host.h"

namespace snapgen::tools {
namespace {

// Changes of this process that the server inherits; the destructor reverts them.
class ProcessState {
 public:
  ProcessState() { ::sched_getaffinity(0, sizeof processors_, &processors_); }
  ProcessState(ProcessState&&) = delete;
  ~ProcessState() {
    ::sched_setaffinity(0, sizeof processors_, &processors_);
    ::umask(mask_);
  }
  void use_one_processor() {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; ++i) {
      if (!CPU_ISSET(i, &processors_)) continue;
      CPU_SET(i, &one);
      break;
    }
    EXPECT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  }
  void use_mask(mode_t mask) { ::umask(mask); }

 private:
  cpu_set_t processors_;
  mode_t mask_ = ::umask(022);
};

// A script that creates one state in different orders. Some locales sort or convert its names differently: I
// and dotless i, umlauts, upper and lower case, digits.
std::string state(bool reversed) {
  std::string files;
  constexpr std::string_view names[] = {"a",
                                        "B",
                                        "_c",
                                        "Z/z",
                                        "a-b",
                                        "a/x.d/y",
                                        "I",
                                        "\xc4\xb1",
                                        "\xc3\xa4",
                                        "z9",
                                        "z10",
                                        "\xff",
                                        "caf\xc3\xa9/\xf0\x9f\x98\x80",
                                        "e",
                                        "link"};
  std::vector<std::string_view> order(std::begin(names), std::end(names));
  if (reversed) std::reverse(order.begin(), order.end());
  for (std::string_view name : order) {
    std::string path(name == "a" ? "a.txt" : name);
    if (name == "link") {
      files += "ln -s 'Z/z' link\n";
    } else {
      files += "put '" + path + "' 'content of " + path + "\n'\n";
    }
    if (name == "e") files += "chmod +x e\n";
  }
  return "new\n" + files + "git add a.txt B Z link e && git commit -q -m one\nput B 'edited\n'\n";
}

std::string exported(Start start) {
  Host host(std::move(start));
  host.initialize();
  std::string id = host.call("snapshot_create", R"({"paths":["."]})").string("snapshot_id");
  std::string text = id + "\n";
  for (std::string_view format : {"bundle", "tar"}) {
    for (std::string_view which : {"", "id"}) {
      std::string arguments = "{\"format\":" + json::quoted(format);
      if (!which.empty()) arguments += ",\"snapshot_id\":" + json::quoted(id);
      Answer answer = host.call("snapshot_export", arguments + "}");
      json::Writer out(text);
      json::write(out, answer.at("bundle"));
      text += "\n" + answer.string("bundle_sha256") + "\n";
    }
  }
  std::string diff = host.call("snapshot_diff", "{\"snapshot_id\":" + json::quoted(id) + "}").string("diff");
  return text + diff;
}

TEST(Determinism, TheEnvironmentDoesNotAffectResults) {
  auto scene = [](bool reversed) {
    auto scratch = std::make_unique<core::Scratch>();
    scratch->run(state(reversed));
    return scratch;
  };
  auto start = [](const std::string& folder) {
    return Start{.arguments = {"--stdio", "--workspace", folder}, .folder = "/", .variables = {}};
  };
  std::unique_ptr<core::Scratch> first = scene(false);
  std::string expected = exported(start(first->repo()));
  ASSERT_GT(expected.size(), 1000u);

  for (std::string_view locale :
       {"C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "ja_JP.eucJP", "no such locale"}) {
    Start other = start(first->repo());
    other.variables = {{"LANG", std::string(locale)}, {"LC_ALL", std::string(locale)}, {"LANGUAGE", "tr"}};
    EXPECT_EQ(exported(other), expected) << locale;
  }
  for (std::string_view zone : {"UTC", "Pacific/Kiritimati", "America/St_Johns"}) {
    Start other = start(first->repo());
    other.variables = {{"TZ", std::string(zone)}};
    EXPECT_EQ(exported(other), expected) << zone;
  }
  for (mode_t mask : {0, 0027, 0077}) {
    ProcessState process_state;
    process_state.use_mask(mask);
    std::unique_ptr<core::Scratch> masked = scene(false);
    EXPECT_EQ(exported(start(masked->repo())), expected) << "umask " << mask << ", in another folder";
  }
  {
    ProcessState process_state;
    process_state.use_one_processor();
    EXPECT_EQ(exported(start(first->repo())), expected) << "on one processor";
  }
  std::unique_ptr<core::Scratch> reversed = scene(true);
  EXPECT_EQ(exported(start(reversed->repo())), expected) << "with files created in the reverse order";
  first->run(
      "git worktree add -q --detach ../linked; cd ../linked; rm -rf -- *; cp -a ../repo/. .tmp-copy; rm -rf "
      ".tmp-copy/.git; cp -a .tmp-copy/. .; rm -rf .tmp-copy");
  EXPECT_EQ(exported(start(first->outside("linked"))), expected) << "in a linked work tree";
}

}  // namespace
}  // namespace snapgen::tools
