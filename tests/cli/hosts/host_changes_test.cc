// Reverting the changes of `snap init` restores the files byte for byte.
#include "tools/cli/hosts/host_changes.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "runtime/base/environment.h"
#include "tests/engine/folder.h"
#include "tools/cli/hosts/host_file.h"

namespace snapgen::tools {
namespace {

class HostChangesTest : public testing::Test {
 protected:
  HostChangesTest() {
    std::filesystem::create_directory(folder_ / ".snapback");
    ::setenv("HOME", home_.path().c_str(), 1);
  }
  ~HostChangesTest() override { ::setenv("HOME", home_before_.c_str(), 1); }

  // Adds our entry with these arguments, as `snap init` does.
  void add(Host host, const std::string& program) {
    const std::string file = host_file(host, folder_.path());
    Result<std::string> now = read_host_file(folder_.path(), file);
    const std::string text = now ? *now : std::string();
    const std::string base = *without_our_entry(text, host, folder_.path());
    const std::string after = *with_our_entry(text, host,
                                              {.entry = entry_for(host, program, folder_.path(), "first"),
                                               .workspace = folder_.path(),
                                               .approved_tools = {"edit"}});
    ASSERT_TRUE(change_host_file(folder_.path(), file,
                                 now ? std::optional<std::string_view>(text) : std::nullopt, base, after));
    EXPECT_EQ(read(file), after);
  }

  std::string read(const std::string& file) {
    Result<std::string> text = read_host_file(folder_.path(), file);
    return text ? *text : "error: " + text.error().message;
  }
  std::string path(const std::string& file) { return *path_of_host_file(folder_.path(), file); }

  std::optional<FileBefore> before(const std::string& file) {
    return host_file_before(folder_.path(), file, read(file));
  }

  core::Folder folder_, home_;
  const std::string home_before_ = environment_variable("HOME").value_or("");
};

TEST_F(HostChangesTest, EveryFileIsRestoredByteForByte) {
  const std::string entry = "\"mcpServers\": {\"other\": {\"command\": \"/x\"}}";
  for (const auto& [form, traits] : all_hosts()) {
    const std::string file = host_file(form.host, folder_.path());
    std::vector<std::string> texts = {"{}", "{}\n", "", "{\"a\": 1}", "{\r\n  \"a\": {\r\n  }\r\n}"};
    if (form.servers == "mcpServers") texts.push_back("{\n\t" + entry + "\n}");
    if (form.format == FileFormat::jsonc)
      texts = {"// é\n{\n  // none\n}", "{\n  \"a\": [1,], // last,\n}\n", "{ /* é */ }", "{}",
               "\xEF\xBB\xBF{\r\n  // é\r\n  \"" + std::string(form.servers) +
                   "\": { \"other\": { \"url\": \"//x\" }, /* last, */ },\r\n}"};
    if (form.format == FileFormat::toml)
      texts = {"", "a = 1", "# é\r\n[mcp_servers.x]\r\ncommand = \"c\"\r\n\r\n", "\n\n"};
    for (const std::string& text : texts) {
      std::filesystem::create_directories(std::filesystem::path(path(file)).parent_path());
      std::ofstream(path(file), std::ios::binary) << text;
      add(form.host, "/opt/bin/snap");
      EXPECT_NE(read(file), text);
      // The record still has the original content after a second change with another program.
      add(form.host, "/usr/bin/snap");
      const std::optional<FileBefore> restored = before(file);
      ASSERT_TRUE(restored) << file << text;
      EXPECT_EQ(restored->text, text) << file;
      EXPECT_TRUE(restored->exists);
      ASSERT_TRUE(restore_host_file(folder_.path(), file, *restored));
      EXPECT_EQ(read(file), text) << file;
      EXPECT_FALSE(before(file)) << "the record is deleted";
    }
  }
}

TEST_F(HostChangesTest, DeletesACreatedFileAndTheFoldersMadeForIt) {
  for (const auto& [form, traits] : all_hosts()) {
    const std::string file = host_file(form.host, folder_.path());
    const std::filesystem::path folder = std::filesystem::path(path(file)).parent_path();
    const bool has_folder = std::filesystem::exists(folder);
    add(form.host, "/opt/bin/snap");
    const std::optional<FileBefore> restored = before(file);
    ASSERT_TRUE(restored) << file;
    EXPECT_FALSE(restored->exists);
    EXPECT_EQ(restored->folders_made == 0, has_folder);
    ASSERT_TRUE(restore_host_file(folder_.path(), file, *restored));
    EXPECT_FALSE(std::filesystem::exists(path(file)));
    EXPECT_EQ(std::filesystem::exists(folder), has_folder);
  }
  EXPECT_TRUE(std::filesystem::is_empty(home_.path()));
  // An empty folder that existed before remains.
  std::filesystem::create_directory(folder_ / ".junie");
  add(Host::junie, "/opt/bin/snap");
  ASSERT_TRUE(restore_host_file(folder_.path(), ".junie/mcp/mcp.json", *before(".junie/mcp/mcp.json")));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / ".junie"));
  // A folder in which another program has written remains.
  add(Host::cursor, "/opt/bin/snap");
  folder_.write(".cursor/rules", "mine");
  ASSERT_TRUE(restore_host_file(folder_.path(), ".cursor/mcp.json", *before(".cursor/mcp.json")));
  EXPECT_EQ(folder_.read(".cursor/rules"), "mine");
}

TEST_F(HostChangesTest, DeletesAllFoldersThatItCreated) {
  const std::string file = ".github/hooks/snapgen.json";
  ASSERT_TRUE(change_host_file(folder_.path(), file, std::nullopt, "", "{}\n"));
  EXPECT_EQ(folder_.read(file), "{}\n");
  ASSERT_TRUE(restore_host_file(folder_.path(), file, *before(file)));
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".github"));
  // A folder with another file remains.
  ASSERT_TRUE(change_host_file(folder_.path(), file, std::nullopt, "", "{}\n"));
  folder_.write(".github/mine", "mine");
  ASSERT_TRUE(restore_host_file(folder_.path(), file, *before(file)));
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".github/hooks"));
  EXPECT_EQ(folder_.read(".github/mine"), "mine");
}

TEST_F(HostChangesTest, CreatesNoFolderThroughASymlink) {
  const core::Folder elsewhere;
  folder_.link(".github", elsewhere.path());
  const Result<Unit> changed =
      change_host_file(folder_.path(), ".github/hooks/snapgen.json", std::nullopt, "", "{}\n");
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::permission_denied);
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
}

TEST_F(HostChangesTest, WritesNoFileOutsideOfTheHomeFolder) {
  const std::string file = host_file(Host::windsurf, folder_.path());
  home_.link(".codeium", folder_.path());
  const Result<Unit> changed = change_host_file(folder_.path(), file, std::nullopt, "", "{}\n");
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::permission_denied);
  EXPECT_NE(changed.error().message.find("leads out of the home folder"), std::string::npos);
  for (const char* home : {"", "relative"}) {
    ::setenv("HOME", home, 1);
    EXPECT_FALSE(change_host_file(folder_.path(), file, std::nullopt, "", "{}\n"));
  }
}

TEST_F(HostChangesTest, RejectsAFileThatChangedSince) {
  folder_.write(".mcp.json", "{}\n");
  add(Host::claude, "/opt/bin/snap");
  folder_.write(".mcp.json", folder_.read(".mcp.json") + "\n");
  EXPECT_FALSE(before(".mcp.json"));
  // From then on, the recorded content is the user's text without our entry.
  add(Host::claude, "/usr/bin/snap");
  const std::optional<FileBefore> restored = before(".mcp.json");
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->text, "{\n  \"mcpServers\": {\n  }\n}\n\n");
}

TEST_F(HostChangesTest, RejectsADamagedOrSymlinkedRecord) {
  folder_.write(".mcp.json", "{}\n");
  add(Host::claude, "/opt/bin/snap");
  for (const char* text : {"", "{", "{\"files\":1}", "{\"files\":[{\"path\":\".mcp.json\"}]}"}) {
    folder_.write(".snapback/hosts.json", text);
    EXPECT_FALSE(before(".mcp.json")) << text;
  }
  std::filesystem::remove_all(folder_ / ".snapback");
  folder_.link(".snapback", "elsewhere");
  const Result<Unit> changed = change_host_file(folder_.path(), ".mcp.json", "{}", "{}", "{ }");
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::permission_denied);
}

}  // namespace
}  // namespace snapgen::tools
