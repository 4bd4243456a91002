// The server as a host uses it: a separate process, over stdio, on a real repository.
#include <filesystem>

#include <gtest/gtest.h>

#include "runtime/json/writer.h"
#include "tests/engine/git/scratch.h"
#include "tests/server/host.h"
#include "tools/engine/base/hash.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view toy = R"(new
put src/main.rs 'fn main() {}'
put README.md '# Toy Repo'
git add -A && git commit -q -m 'Initial commit')";

class ServerTest : public testing::Test {
 protected:
  void make(std::string_view script = toy) { scratch_.run(script); }
  Start start() const {
    return {.arguments = {"--stdio", "--workspace", scratch_.repo()}, .folder = "/", .variables = {}};
  }
  Host& host() {
    if (!host_) {
      host_.emplace(start());
      host_->initialize();
    }
    return *host_;
  }
  void restart() { host_.reset(); }
  Answer call(std::string_view tool, const std::string& arguments) { return host().call(tool, arguments); }

  core::Scratch scratch_;
  std::optional<Host> host_;
};

std::string member(std::string_view name, std::string_view value) {
  return json::quoted(name) + ":" + json::quoted(value);
}

bool is_substrate(const codegen::ToolFile& tool) {
  return tool.name.starts_with("snapshot.") || tool.name.starts_with("workspace.") ||
         tool.name.starts_with("history.");
}

TEST_F(ServerTest, ListsItsToolsInTheRequestedSpelling) {
  make();
  auto names = [](Host& host) {
    host.initialize();
    json::Node answer = host.request("tools/list", "{}");
    std::string found;
    for (const json::Node& tool : answer.find("result")->find("tools")->items)
      found += tool.find("name")->text + " ";
    return found;
  };
  Start safe = start();
  safe.variables["SNAPBACK_TIER"] = "pro";
  Host first(safe);
  std::string spelt_safe;
  std::string spelt_dotted;
  Schemas schemas;
  for (const codegen::ToolFile& tool : schemas.all()) {
    if (tool.is_hidden) continue;
    if (!tool.name.starts_with("bridge.")) spelt_safe += tool.safe_name + " ";
    if (is_substrate(tool)) spelt_dotted += tool.name + " ";
  }
  EXPECT_EQ(names(first), spelt_safe) << "bridge tools are not listed if no browser can connect";
  Start dotted = start();
  dotted.arguments.insert(dotted.arguments.end(), {"--tool-names", "dotted", "--profile", "substrate"});
  Host second(dotted);
  EXPECT_EQ(names(second), spelt_dotted);
  EXPECT_EQ(second.call("snapshot_list", "{}").code(), "ok") << "both spellings of a tool name are accepted";
}

TEST_F(ServerTest, ReadsTheWorkTreeAndASnapshot) {
  make();
  Answer listed = call("snapshot_list", R"({"recursive":true})");
  EXPECT_EQ(listed.string("cache_hint"), "until_dirty");
  EXPECT_EQ(listed.string("fingerprint/head_oid"), "96b5c0893afecee8b85ece82b1a82ce15fe5ec1b");
  EXPECT_EQ(listed.string("fingerprint/index_oid"), "f065f5b45ebfb7c38dc0d4b2feb8875d004c6dfb");
  std::string lease = member("lease_id", listed.string("lease_id"));

  Answer read = call("snapshot.file", "{" + lease + R"(,"path":"README.md"})");
  EXPECT_EQ(read.string("content"), "# Toy Repo");
  EXPECT_EQ(read.string("lease_id"), listed.string("lease_id"));
  Answer found = call("snapshot_grep", "{" + lease + R"(,"pattern":"main"})");
  EXPECT_EQ(found.string("matches/0/path"), "src/main.rs");
  EXPECT_EQ(found.integer("matches/0/col"), 4);

  Answer created = call("snapshot_create", "{" + lease + R"(,"message":"first"})");
  EXPECT_EQ(created.string("cache_hint"), "immutable");
  EXPECT_EQ(created.integer("manifest_stats/files"), 2);
  std::string preimage =
      R"({"head_oid":"96b5c0893afecee8b85ece82b1a82ce15fe5ec1b","index_oid":"f065f5b45ebfb7c38dc0d4b2feb8875d004c6dfb",)"
      R"("status_hash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"})"
      "\n"
      R"({"entries":[{"blob":"sha256:)" +
      core::sha256_hex("# Toy Repo") + R"(","path":"README.md"},{"blob":"sha256:)" +
      core::sha256_hex("fn main() {}") + R"(","path":"src/main.rs"}]})";
  EXPECT_EQ(created.string("snapshot_id"), "sha256:" + core::sha256_hex(preimage));

  scratch_.run("put README.md changed; rm -r src");
  Answer stale = call("snapshot_file", "{" + lease + R"(,"path":"README.md"})");
  EXPECT_EQ(stale.code(), "STALE_LEASE");
  EXPECT_EQ(stale.string("error/details/changed_paths/0"), "README.md");
  EXPECT_EQ(stale.string("error/details/changed_paths/1"), "src/main.rs");
  EXPECT_EQ(stale.string("error/details/fingerprint/head_oid"), "96b5c0893afecee8b85ece82b1a82ce15fe5ec1b");
  Answer fresh = call("snapshot_file", R"({"path":"README.md"})");
  EXPECT_EQ(fresh.string("content"), "changed");
  EXPECT_NE(fresh.string("lease_id"), listed.string("lease_id"));

  // The snapshot persists: after a restart, and by its short id.
  restart();
  std::string id = member("snapshot_id", "snap_" + created.string("snapshot_id").substr(7, 10));
  Answer info = call("snapshot_info", "{" + id + "}");
  EXPECT_EQ(info.string("snapshot_id"), created.string("snapshot_id"));
  EXPECT_EQ(info.integer("manifest_stats/bytes"), 22);
  EXPECT_TRUE(json::equal(info.at("fingerprint"), created.at("fingerprint")));
  EXPECT_EQ(call("snapshot_file", "{" + id + R"(,"path":"README.md"})").string("content"), "# Toy Repo");
  EXPECT_EQ(call("snapshot_list", "{" + id + R"(,"mode":"snapshot"})").string("entries/1/type"), "folder");
  EXPECT_EQ(call("snapshot_grep", "{" + id + R"(,"pattern":"^fn"})").string("matches/0/text"),
            "fn main() {}");
  EXPECT_EQ(call("snapshot_list", "{" + id + R"(,"path":"none"})").at("entries").items.size(), 0u);
  EXPECT_EQ(call("snapshot_grep", "{" + id + R"(,"pattern":"a","paths":["none"]})").code(), "NOT_FOUND");
}

TEST_F(ServerTest, ALeaseSurvivesARestart) {
  make();
  std::string lease = call("snapshot_file", R"({"path":"README.md"})").string("lease_id");
  restart();
  Answer again = call("snapshot_file", "{" + member("lease_id", lease) + R"(,"path":"src/main.rs"})");
  EXPECT_EQ(again.string("lease_id"), lease);
}

TEST_F(ServerTest, ArgumentsOfTheTwoModesMayNotBeCombined) {
  make();
  std::string id = member("snapshot_id", call("snapshot_create", R"({"paths":["."]})").string("snapshot_id"));
  std::string lease = member("lease_id", call("snapshot_list", "{}").string("lease_id"));
  for (std::string_view rest : {R"("path":"README.md")", R"("pattern":"x")", R"("path":".")"}) {
    std::string_view tool = rest.find("pattern") != rest.npos  ? "snapshot_grep"
                            : rest.find("README") != rest.npos ? "snapshot_file"
                                                               : "snapshot_list";
    std::string more = "," + std::string(rest) + "}";
    EXPECT_EQ(call(tool, "{" + id + "," + lease + more).code(), "INVALID_ARGUMENT");
    EXPECT_EQ(call(tool, "{" + id + R"(,"mode":"worktree")" + more).code(), "INVALID_ARGUMENT");
    EXPECT_EQ(call(tool, "{" + lease + R"(,"mode":"snapshot")" + more).code(), "INVALID_ARGUMENT");
    EXPECT_EQ(call(tool, R"({"mode":"snapshot")" + more).code(), "INVALID_ARGUMENT");
    EXPECT_EQ(call(tool, "{" + id + R"(,"mode":"snapshot")" + more).code(), "ok");
    EXPECT_EQ(call(tool, "{" + lease + R"(,"mode":"worktree")" + more).code(), "ok");
  }
}

TEST_F(ServerTest, ErrorsStateTheProblem) {
  make();
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"snapshot_file", R"({"path":"missing.txt"})", "NOT_FOUND"},
      {"snapshot_file", R"({"path":"../outside"})", "INVALID_ARGUMENT"},
      {"snapshot_file", R"({"path":"/etc/passwd"})", "INVALID_ARGUMENT"},
      {"snapshot_file", R"({"path":".git/config"})", "PERMISSION_DENIED"},
      {"snapshot_file", R"({"path":"src"})", "INVALID_ARGUMENT"},
      {"snapshot_file", R"({"path":"README.md","start_line":9,"end_line":2})", "INVALID_ARGUMENT"},
      {"snapshot_file", R"({"path":"README.md","max_bytes":0})", "INVALID_ARGUMENT"},
      {"snapshot_file", R"({})", "INVALID_ARGUMENT"},
      {"snapshot_list", R"({"path":"nowhere"})", "NOT_FOUND"},
      {"snapshot_list", R"({"cursor":"x"})", "INVALID_ARGUMENT"},
      {"snapshot_grep", R"({"pattern":"("})", "INVALID_ARGUMENT"},
      {"snapshot_grep", R"({"pattern":"x","paths":["nowhere"]})", "NOT_FOUND"},
      {"snapshot_info", R"({"snapshot_id":"snap_0000000000"})", "NOT_FOUND"},
      {"snapshot_info", R"({"snapshot_id":"HEAD"})", "INVALID_ARGUMENT"},
      {"snapshot_create", R"({})", "INVALID_ARGUMENT"},
      {"snapshot_create", R"({"paths":["nowhere"]})", "NOT_FOUND"},
      {"snapshot_create", R"({"lease_id":"lease_aaaaaaaaaaaaaaaa"})", "NOT_FOUND"},
  };
  for (auto [tool, arguments, code] : cases) {
    Answer answer = call(tool, arguments);
    EXPECT_EQ(answer.code(), code) << tool << " " << arguments << ": " << answer.text;
    std::string message = answer.string("error/message");
    EXPECT_TRUE(message.ends_with('.')) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  Answer proposal = call("snapshot_file", R"({"path":"a","max_byte":1})");
  EXPECT_NE(proposal.string("error/message").find("max_bytes"), std::string::npos) << proposal.text;
  EXPECT_EQ(proposal.string("error/details/violations/0/pointer"), "/max_byte");
}

TEST_F(ServerTest, BytesThatAreNoTextAreReturnedAsBase64) {
  make(
      "new; printf '\\377\\001' > bin; put tricky 'base64:abc'; printf m > \"$(printf 'n\\377')\"; printf "
      "'m\\377\\n' > l1; save");
  EXPECT_EQ(call("snapshot_file", R"({"path":"bin"})").string("content"), "base64:/wE=");
  EXPECT_EQ(call("snapshot_file", R"({"path":"tricky"})").string("content"), "base64:YmFzZTY0OmFiYw==");
  EXPECT_EQ(call("snapshot_file", R"({"path":"base64:bv8="})").string("content"), "m");
  Answer found = call("snapshot_grep", R"({"pattern":"m"})");
  EXPECT_EQ(found.string("matches/0/text"), "m\u00ff");
  EXPECT_EQ(found.string("matches/0/encoding"), "latin-1");
  EXPECT_EQ(found.string("matches/1/path"), "base64:bv8=");
}

// Each example of each schema file is called. Its ids are replaced by existing ones.
TEST_F(ServerTest, TheExamplesInTheSchemaFilesWork) {
  make();
  scratch_.run("put README.md '# Toy'; put src/new.rs 'mod main;'");
  std::string newer = call("snapshot_create", R"({"paths":["."]})").string("snapshot_id");
  scratch_.run("put README.md '# Toy Repo'; rm src/new.rs");
  Schemas schemas;
  int called = 0;
  for (const codegen::ToolFile& tool : schemas.all()) {
    // Tests of the clients call the other tools, also with moments.
    if (!is_substrate(tool) || tool.name.starts_with("history.")) continue;
    const json::Node* examples = tool.file->document.root.find("x-snapgen")->find("examples");
    ASSERT_NE(examples, nullptr) << tool.name;
    for (const json::Node& example : examples->items) {
      scratch_.run("git reset -q --hard; git clean -fdq");  // Reverts the example's changes.
      std::string arguments = "{";
      for (const json::Member& argument : example.find("arguments")->members) {
        std::string value;
        json::Writer out(value);
        json::write(out, argument.value);
        if (argument.key == "snapshot_id")
          value = json::quoted(call("snapshot_create", R"({"paths":["."]})").string("snapshot_id"));
        if (argument.key == "against" && argument.value.text.starts_with("snap_"))
          value = json::quoted(newer);
        if (argument.key == "lease_id")
          value = json::quoted(call("snapshot_list", R"({"recursive":true})").string("lease_id"));
        arguments += (arguments.size() > 1 ? "," : "") + json::quoted(argument.key) + ":" + value;
      }
      Answer answer = call(tool.safe_name, arguments + "}");
      EXPECT_FALSE(answer.is_error) << tool.name << " " << arguments << "}: " << answer.text;
      ++called;
      // If the file shows a result, the example repository must give exactly that result, except for ids.
      const json::Node* result = example.find("result");
      if (result == nullptr || tool.name == "snapshot.create") continue;
      EXPECT_EQ(result->members.size(), answer.body.members.size()) << answer.text;
      for (const json::Member& member : result->members) {
        const json::Node* found = answer.body.find(member.key);
        bool same = found != nullptr && (member.key == "lease_id" || json::equal(member.value, *found));
        EXPECT_TRUE(same) << member.key << " in " << answer.text;
      }
    }
  }
  EXPECT_GE(called, 12);
}

TEST_F(ServerTest, WithoutAWorkspaceEveryCallSaysHowToChooseOne) {
  for (bool named : {true, false}) {
    Start lost{.arguments = {"--stdio"}, .folder = "/", .variables = {}};
    if (named) lost.arguments.insert(lost.arguments.end(), {"--workspace", scratch_.outside("home")});
    Host host(lost);
    host.initialize();
    EXPECT_NE(host.request("tools/list", "{}").find("result"), nullptr);
    for (auto [tool, arguments] :
         {std::pair("snapshot_list", "{}"), std::pair("snapshot_file", R"({"path":"a"})"),
          std::pair("snapshot_grep", R"({"pattern":"a"})"),
          std::pair("snapshot_create", R"({"paths":["."]})"),
          std::pair("snapshot_info", R"({"snapshot_id":"snap_0"})")}) {
      Answer answer = host.call(tool, arguments);
      EXPECT_EQ(answer.code(), "NOT_FOUND");
      EXPECT_NE(answer.string("error/message").find("--workspace"), std::string::npos);
      if (!named) continue;
      EXPECT_EQ(answer.string("error/details/workspace"), scratch_.outside("home"));
    }
    EXPECT_EQ(host.finish(), 0);
  }
}

TEST_F(ServerTest, TheWorkspaceIsChosenByArgumentVariableOrFolder) {
  make(
      "new; put deep/down/x x; put marker 1; save; mkdir ../plain; mkdir -p ../other/.snapback; echo > "
      "../other/marker");
  auto first_entry = [](Start start) {
    Host host(std::move(start));
    host.initialize();
    Answer answer = host.call("snapshot_list", R"({"path":"marker"})");
    return answer.is_error ? answer.code() : std::to_string(answer.integer("entries/0/size"));
  };
  std::string repo = scratch_.repo();
  std::string other = scratch_.outside("other");
  EXPECT_EQ(first_entry({.folder = repo + "/deep/down", .variables = {}}), "1");
  EXPECT_EQ(first_entry({.folder = other, .variables = {}}), "1");
  EXPECT_EQ(first_entry({.folder = "/", .variables = {{"SNAPBACK_WORKSPACE_ROOT", repo}}}), "1");
  EXPECT_EQ(first_entry({.arguments = {"--stdio", "--workspace", repo},
                         .folder = other,
                         .variables = {{"SNAPBACK_WORKSPACE_ROOT", "/nonexistent"}}}),
            "1");
  EXPECT_EQ(
      first_entry({.folder = repo, .variables = {{"SNAPBACK_WORKSPACE_ROOT", scratch_.outside("plain")}}}),
      "NOT_FOUND");
}

TEST_F(ServerTest, TheCommandLineHasHelpAndClearErrors) {
  Host bare({.arguments = {}, .variables = {}});
  EXPECT_EQ(bare.finish(), 2);
  EXPECT_NE(bare.errors().find("--stdio"), std::string::npos);
  EXPECT_EQ(bare.rest(), "");
  Host wrong({.arguments = {"--stdio", "--frobnicate"}, .variables = {}});
  EXPECT_EQ(wrong.finish(), 2);
  EXPECT_EQ(wrong.rest(), "");
  EXPECT_NE(wrong.errors().find("--frobnicate"), std::string::npos);
  Host profile({.arguments = {"--stdio", "--profile", "none"}, .variables = {}});
  EXPECT_EQ(profile.finish(), 2);
  EXPECT_NE(profile.errors().find("substrate"), std::string::npos) << profile.errors();
  Host help({.arguments = {"--help"}, .variables = {}});
  EXPECT_EQ(help.finish(), 0);
  EXPECT_NE(help.rest().find("--workspace"), std::string::npos);
  Host version({.arguments = {"--version"}, .variables = {}});
  EXPECT_EQ(version.finish(), 0);
  EXPECT_TRUE(version.rest().starts_with("snapgen ")) << version.rest();
  Host no_command({.arguments = {}, .program = "snap", .variables = {}});
  EXPECT_EQ(no_command.finish(), 2);
  EXPECT_NE(no_command.errors().find("mcp"), std::string::npos);
}

TEST_F(ServerTest, SnapAndSnapbackAreTheSameServer) {
  make();
  for (std::string program : {"snap", "snapback"}) {
    Host host({.arguments = {"mcp", "--stdio", "--workspace", scratch_.repo()},
               .program = program,
               .folder = "/",
               .variables = {}});
    host.initialize();
    EXPECT_EQ(host.call("snapshot_file", R"({"path":"README.md"})").string("content"), "# Toy Repo");
    EXPECT_EQ(host.finish(), 0);
    EXPECT_EQ(host.errors(), "");
  }
}

TEST_F(ServerTest, NothingIsWrittenBeforeACallNeedsIt) {
  make();
  std::string before = scratch_.git_dir_listing();
  host().request("tools/list", "{}");
  restart();
  EXPECT_EQ(scratch_.git_dir_listing(), before);
}

}  // namespace
}  // namespace snapgen::tools
