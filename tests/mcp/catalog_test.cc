#include "runtime/mcp/catalog.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/json/document.h"
#include "runtime/mcp/call.h"
#include "runtime/mcp/page.h"

namespace snapgen::mcp {
namespace {

constexpr Tool tool(std::string_view name, std::string_view safe_name, std::string_view safe_listing,
                    std::string_view dotted_listing) {
  return {.name = name,
          .safe_name = safe_name,
          .family = "family",
          .deadline_ms = 0,
          .listing = {{R"({"form":0})", R"({"form":0})"},
                      {R"({"form":1})", R"({"form":1})"},
                      {R"({"form":2})", R"({"form":2})"},
                      {safe_listing, dotted_listing}},
          .merged_output_schema = {}};
}

class FourTools final : public ToolSet {
 public:
  std::span<const Tool> all() const override { return tools_; }
  const Tool* find(std::string_view name) const override {
    for (const Tool& each : tools_)
      if (each.name == name || each.safe_name == name) return &each;
    return nullptr;
  }
  std::span<const Profile> profiles() const override { return profiles_; }
  Task<Unit> call(const Tool&, Call&, std::string_view, std::string&) override { co_return Unit{}; }
  ErrorWriter error_writer(const Tool&) const override { return nullptr; }
  void hide(std::size_t index) { tools_[index].is_hidden = true; }

 private:
  std::array<Tool, 4> tools_ = {
      tool("file.list", "file_list", R"({"name":"file_list"})", R"({"name":"file.list"})"),
      tool("file.read", "file_read", R"({"name":"file_read"})", R"({"name":"file.read"})"),
      tool("help", "help", R"({"name":"help"})", R"({"name":"help"})"),
      tool("secret", "secret", R"({"name":"secret"})", R"({"name":"secret"})"),
  };
  std::array<std::uint16_t, 2> files_ = {0, 1};
  std::array<Profile, 1> profiles_ = {Profile{.name = "files", .tools = files_}};
};

std::vector<std::string> names(std::string_view members) {
  const json::Document document = json::parse_document("{" + std::string(members) + "}");
  EXPECT_TRUE(document.ok()) << members;
  std::vector<std::string> out;
  for (const json::Node& each : document.root.find("tools")->items) out.push_back(each.find("name")->text);
  return out;
}

std::string next_cursor(std::string_view members) {
  const json::Document document = json::parse_document("{" + std::string(members) + "}");
  const json::Node* cursor = document.root.find("nextCursor");
  return cursor ? cursor->text : "";
}

constexpr ListingForm newest = ListingForm::v2026_07_28;

TEST(Catalog, ListsToolsInTheChosenSpelling) {
  FourTools tools;
  Catalog safe(&tools, Spelling::safe, 0, {}, "");
  EXPECT_EQ(names(*safe.page(newest, {OutputSchemaDetail::brief}, "")),
            (std::vector<std::string>{"file_list", "file_read", "help", "secret"}));
  Catalog dotted(&tools, Spelling::dotted, 0, {}, "");
  EXPECT_EQ(names(*dotted.page(newest, {OutputSchemaDetail::brief}, "")),
            (std::vector<std::string>{"file.list", "file.read", "help", "secret"}));
}

TEST(Catalog, UnderstandsBothSpellings) {
  FourTools tools;
  Catalog catalog(&tools, Spelling::safe, 0, {}, "");
  EXPECT_EQ(catalog.find("file.read"), &tools.all()[1]);
  EXPECT_EQ(catalog.find("file_read"), &tools.all()[1]);
  EXPECT_EQ(catalog.find("file-read"), nullptr);
}

TEST(Catalog, ListsTheFieldsOfEachRevision) {
  FourTools tools;
  Catalog catalog(&tools, Spelling::safe, 0, {}, "");
  EXPECT_NE(catalog.page(ListingForm::v2024_11_05, {OutputSchemaDetail::brief}, "")->find(R"({"form":0})"),
            std::string_view::npos);
  EXPECT_NE(catalog.page(ListingForm::v2025_03_26, {OutputSchemaDetail::brief}, "")->find(R"({"form":1})"),
            std::string_view::npos);
  EXPECT_NE(catalog.page(ListingForm::v2025_06_18, {OutputSchemaDetail::brief}, "")->find(R"({"form":2})"),
            std::string_view::npos);
}

TEST(Catalog, ListsOutputSchemasAsConfigured) {
  static constexpr std::string_view listed =
      R"({"description":"A tool.","name":"list","outputSchema":{"type":"object"},"title":"List"})";
  struct OneTool final : ToolSet {
    std::array<Tool, 1> tools = {tool("list", "list", listed, listed)};
    OneTool() {
      tools[0].merged_output_schema = R"({"properties":{"all":{}},"type":"object"})";
      tools[0].listing[0][0] = R"({"description":"A tool.","name":"list"})";
    }
    std::span<const Tool> all() const override { return tools; }
    const Tool* find(std::string_view) const override { return tools.data(); }
    std::span<const Profile> profiles() const override { return {}; }
    Task<Unit> call(const Tool&, Call&, std::string_view, std::string&) override { co_return Unit{}; }
    ErrorWriter error_writer(const Tool&) const override { return nullptr; }
  } tools;
  Catalog catalog(&tools, Spelling::safe, 0, {}, "");
  EXPECT_EQ(catalog.page(newest, {OutputSchemaDetail::brief}, ""),
            R"("tools":[)" + std::string(listed) + "]");
  EXPECT_EQ(catalog.page(newest, {OutputSchemaDetail::none}, ""),
            R"("tools":[{"description":"A tool.","name":"list","title":"List"}])");
  EXPECT_EQ(catalog.page(newest, {OutputSchemaDetail::merged}, ""),
            R"("tools":[{"description":"A tool.","name":"list",)"
            R"("outputSchema":{"properties":{"all":{}},"type":"object"},"title":"List"}])");
  EXPECT_EQ(catalog.page(ListingForm::v2024_11_05, {OutputSchemaDetail::merged}, ""),
            R"("tools":[{"description":"A tool.","name":"list"}])")
      << "this revision has no outputSchema";

  constexpr std::string_view omitted[] = {"id", "note"};
  tools.tools[0].merged_output_schema =
      R"({"properties":{"id":{},"item":{"properties":{"id":{}}},"note":{}},"required":["id","item"]})";
  Catalog slim(&tools, Spelling::safe, 0, {}, "");
  EXPECT_EQ(slim.page(newest, {.detail = OutputSchemaDetail::merged, .omitted_members = omitted}, ""),
            R"("tools":[{"description":"A tool.","name":"list","outputSchema":)"
            R"({"properties":{"item":{"properties":{"id":{}}}},"required":["item"]},"title":"List"}])")
      << "members of nested objects are not omitted";
}

TEST(Catalog, HidesToolsOutsideTheProfile) {
  FourTools tools;
  Catalog catalog(&tools, Spelling::safe, 0, {}, "files");
  EXPECT_EQ(names(*catalog.page(newest, {OutputSchemaDetail::brief}, "")),
            (std::vector<std::string>{"file_list", "file_read"}));
  EXPECT_EQ(catalog.find("secret"), nullptr);
  EXPECT_EQ(catalog.unknown_tool_sentence("secret"),
            R"(The tool "secret" is not in the profile "files" of this server.)");
  EXPECT_EQ(Catalog(&tools, Spelling::safe, 0, {}, "nobody's").find("secret"), nullptr);
}

TEST(Catalog, ListsNoHiddenToolButFindsItInEveryProfile) {
  FourTools tools;
  tools.hide(0);
  tools.hide(3);
  Catalog all(&tools, Spelling::safe, 0, {}, "");
  EXPECT_EQ(names(*all.page(newest, {OutputSchemaDetail::brief}, "")),
            (std::vector<std::string>{"file_read", "help"}));
  Catalog files(&tools, Spelling::safe, 0, {}, "files");
  EXPECT_EQ(names(*files.page(newest, {OutputSchemaDetail::brief}, "")),
            std::vector<std::string>{"file_read"});
  EXPECT_NE(files.find("secret"), nullptr);
  EXPECT_NE(files.find("file.list"), nullptr);
}

TEST(Catalog, SuggestsTheNearestListedName) {
  FourTools tools;
  Catalog safe(&tools, Spelling::safe, 0, {}, "");
  EXPECT_EQ(safe.unknown_tool_sentence("file_lsit"),
            R"(Unknown tool "file_lsit". Did you mean "file_list"?)");
  EXPECT_EQ(safe.unknown_tool_sentence("completely_different"), R"(Unknown tool "completely_different".)");
  Catalog dotted(&tools, Spelling::dotted, 0, {}, "");
  EXPECT_EQ(dotted.unknown_tool_sentence("file.lsit"),
            R"(Unknown tool "file.lsit". Did you mean "file.list"?)");
}

TEST(Catalog, NamesTheSuccessorOfAFormerTool) {
  FourTools tools;
  const std::array renamed = {RenamedTool{.name = "cat", .successor = "file_read"}};
  Catalog catalog(&tools, Spelling::safe, 0, renamed, "");
  EXPECT_EQ(catalog.unknown_tool_sentence("cat"), R"(Unknown tool "cat". It is now file_read.)");
}

TEST(Catalog, NamesTheFirstListedSuccessorForEverySpelling) {
  FourTools tools;
  const std::array renamed = {RenamedTool{.name = "old.cat", .successor = "help with topic cat"},
                              RenamedTool{.name = "old.cat", .successor = "file_read, which takes path"}};
  Catalog all(&tools, Spelling::dotted, 0, renamed, "");
  EXPECT_EQ(all.unknown_tool_sentence("old.cat"),
            R"(Unknown tool "old.cat". It is now help with topic cat.)");
  EXPECT_EQ(all.unknown_tool_sentence("old_cat"),
            R"(Unknown tool "old_cat". It is now help with topic cat.)");
  Catalog files(&tools, Spelling::dotted, 0, renamed, "files");
  EXPECT_EQ(files.unknown_tool_sentence("old_cat"),
            R"(Unknown tool "old_cat". It is now file.read, which takes path.)");
  const std::array hidden = {RenamedTool{.name = "cat", .successor = "help"}};
  Catalog none(&tools, Spelling::safe, 0, hidden, "files");
  EXPECT_EQ(none.unknown_tool_sentence("cat"), R"(Unknown tool "cat".)");
}

// Returns the tool that is suggested for `name` among tools of these names. A name that begins with ! is
// destructive.
std::string meant(std::string_view name, const std::vector<std::string_view>& names) {
  std::vector<Tool> tools;
  for (std::string_view each : names) {
    const bool destroys = each.starts_with('!');
    if (destroys) each.remove_prefix(1);
    tools.push_back(tool(each, each, destroys ? R"({"annotations":{"destructiveHint":true}})" : "{}", "{}"));
  }
  std::vector<const Tool*> shown;
  for (const Tool& each : tools) shown.push_back(&each);
  const Tool* found = suggested_tool(name, shown);
  return found ? std::string(found->safe_name) : "";
}

TEST(MeantTool, IsNotFoundByAPrefixOfSeveralNames) {
  const std::vector<std::string_view> names = {"bridge_create_blocks",
                                               "bridge_create_custom_block",
                                               "check",
                                               "snap",
                                               "!snap_fix",
                                               "snap_learn",
                                               "snap_violation",
                                               "snapback_learn",
                                               "snapback_snapshot_create",
                                               "snapback_session",
                                               "!snapback_snapshot_restore",
                                               "snapshot_create",
                                               "snapshot_file",
                                               "snapshot_list",
                                               "!workspace_apply_patch",
                                               "!workspace_delete",
                                               "!workspace_write_file"};
  for (const std::string_view name :
       {"workspace_read", "workspace_edit", "workspace_remove", "snapshot_restore", "snapshot_delete",
        "snap_start", "snap_foo", "snapback_snapshot", "workspace", "workspace_", "bridge_create",
        "frobnicate", "", "_", "___", "s", "snapback_restored"})
    EXPECT_EQ(meant(name, names), "") << name;
}

TEST(MeantTool, IsFoundByTheBeginningOfItsNameOrWithoutTheMiddle) {
  const std::vector<std::string_view> names = {
      "snapback_learn",         "snapback_session",  "snapback_snapshot_list", "!snapback_snapshot_restore",
      "!workspace_apply_patch", "!workspace_delete", "!workspace_write_file"};
  EXPECT_EQ(meant("workspace_write", names), "workspace_write_file");
  EXPECT_EQ(meant("workspace.write", names), "workspace_write_file");
  EXPECT_EQ(meant("workspace_patch", names), "workspace_apply_patch");
  EXPECT_EQ(meant("snapback_restore", names), "snapback_snapshot_restore");
  EXPECT_EQ(meant("snapback_sess", names), "snapback_session");
}

TEST(MeantTool, IsFoundDespiteTypingErrors) {
  const std::vector<std::string_view> names = {"echo", "snapshot_create", "snapshot_grep",
                                               "!workspace_delete", "!workspace_write_file"};
  EXPECT_EQ(meant("ehco", names), "echo");
  EXPECT_EQ(meant("snapshot_craete", names), "snapshot_create");
  EXPECT_EQ(meant("snapshto.create", names), "snapshot_create");
  EXPECT_EQ(meant("Snapshot-Create", names), "snapshot_create");
  EXPECT_EQ(meant("snapshotCreate", names), "snapshot_create");
  EXPECT_EQ(meant("snapshotgrep", names), "snapshot_grep");
  EXPECT_EQ(meant("workspace_delet", names), "workspace_delete");
  EXPECT_EQ(meant("workspce_delte", names), "workspace_delete");
  EXPECT_EQ(meant("wrkspce_delte", names), "")
      << "three wrong letters are too many for a tool that deletes files";
  EXPECT_EQ(meant(std::string(1000, 's'), names), "");
}

TEST(Catalog, CursorsVisitAllPages) {
  FourTools tools;
  for (std::size_t page_size = 1; page_size != 6; ++page_size) {
    Catalog catalog(&tools, Spelling::safe, page_size, {}, "");
    std::vector<std::string> all;
    std::string cursor;
    std::size_t pages = 0;
    do {
      const std::optional<std::string_view> page = catalog.page(newest, {OutputSchemaDetail::brief}, cursor);
      ASSERT_TRUE(page) << cursor;
      for (const std::string& name : names(*page)) all.push_back(name);
      cursor = next_cursor(*page);
      ++pages;
    } while (!cursor.empty());
    EXPECT_EQ(all, (std::vector<std::string>{"file_list", "file_read", "help", "secret"}));
    EXPECT_EQ(pages, (4 + page_size - 1) / page_size);
  }
}

TEST(Catalog, RejectsCursorsOfAnotherList) {
  FourTools tools;
  Catalog catalog(&tools, Spelling::safe, 1, {}, "");
  const std::string cursor = next_cursor(*catalog.page(newest, {OutputSchemaDetail::brief}, ""));
  EXPECT_TRUE(catalog.page(newest, {OutputSchemaDetail::brief}, cursor));
  EXPECT_FALSE(catalog.page(ListingForm::v2024_11_05, {OutputSchemaDetail::brief}, cursor));
  EXPECT_FALSE(catalog.page(newest, {OutputSchemaDetail::brief}, cursor + "="));
  EXPECT_FALSE(catalog.page(newest, {OutputSchemaDetail::brief}, "x"));
  Catalog files(&tools, Spelling::safe, 1, {}, "files");
  EXPECT_FALSE(files.page(newest, {OutputSchemaDetail::brief}, cursor)) << "the list differs";
}

TEST(Catalog, IsEmptyWithoutTools) {
  Catalog catalog(nullptr, Spelling::safe, 0, {}, "");
  EXPECT_EQ(catalog.find("help"), nullptr);
  EXPECT_EQ(names(*catalog.page(newest, {OutputSchemaDetail::brief}, "")), std::vector<std::string>{});
}

TEST(Page, TreatsTheEmptyCursorAsTheFirstPage) {
  const std::vector<std::string_view> entries = {"1", "2", "3"};
  EXPECT_EQ(page_begin("", entries), 0U);
  EXPECT_EQ(page_members("x", entries, 0, 0), R"("x":[1,2,3])");
  EXPECT_EQ(page_members("x", entries, 2, 2), R"("x":[3])");
  EXPECT_EQ(page_members("x", {}, 0, 5), R"("x":[])");
}

TEST(Page, RejectsACursorBeyondTheEntries) {
  const std::vector<std::string_view> entries = {"1", "2", "3"};
  for (const std::size_t begin : {0, 3, 4})
    EXPECT_FALSE(page_begin(cursor_for(begin, entries), entries)) << begin;
  EXPECT_EQ(page_begin(cursor_for(1, entries), entries), 1U);
}

}  // namespace
}  // namespace snapgen::mcp
