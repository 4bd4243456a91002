#pragma once
// Catalog has the tools of a server that the selected profile shows, and lists those that can work. It builds
// each page of tools/list once for each ListingForm and OutputSchemaForm.
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mcp/revision.h"
#include "runtime/mcp/tool.h"

namespace snapgen::mcp {

// RenamedTool is a tool that was removed or renamed. `successor` completes "It is now ..." and begins with a
// tool's name. If several entries have the same name, the first whose successor the catalog shows applies.
struct RenamedTool {
  std::string_view name;
  std::string_view successor;
};

class Catalog {
 public:
  // Makes a catalog that shows the tools of `profile`, all if that is empty, or none if it is unknown. If
  // `tools` is null, the catalog is empty.
  Catalog(ToolSet* tools, Spelling spelling, std::size_t page_size, std::span<const RenamedTool> renamed,
          std::string_view profile);

  bool empty() const { return shown_tools_.empty(); }
  std::span<const Tool* const> shown_tools() const { return shown_tools_; }
  std::string_view shown_name(const Tool& tool) const;

  // Finds a tool by either spelling. Returns null if it does not exist or is not in the profile.
  const Tool* find(std::string_view name) const {
    const Tool* tool = tools_ ? tools_->find(name) : nullptr;
    return tool && may_be_called_[index(*tool)] ? tool : nullptr;
  }
  // Returns the error sentence for an unknown name, with the name that was probably meant.
  std::string unknown_tool_sentence(std::string_view name) const;

  // Returns the members of a tools/list result, or nullopt if the cursor is not one of this list.
  std::optional<std::string_view> page(ListingForm form, OutputSchemaForm schemas, std::string_view cursor);

 private:
  struct Page {
    ListingForm form;
    OutputSchemaForm schemas;
    std::size_t begin;
    std::string members;
  };

  std::size_t index(const Tool& tool) const { return static_cast<std::size_t>(&tool - tools_->all().data()); }

  ToolSet* tools_;
  Spelling spelling_;
  std::size_t page_size_;
  std::span<const RenamedTool> renamed_tools_;
  std::string profile_;  // Empty: all tools.
  std::vector<const Tool*> shown_tools_;
  std::vector<bool> may_be_called_;  // By index: shown or hidden.
  std::vector<std::unique_ptr<const Page>> pages_;
};

// Whether two names differ only in `.`, `_`, `-` and case.
bool is_same_name(std::string_view a, std::string_view b);

// Returns the tool that was probably meant, or null. A prefix that both names share, such as the family's, is
// not compared. A destructive tool is suggested only for one or two wrong letters, or for an unambiguous
// abbreviation.
const Tool* suggested_tool(std::string_view name, std::span<const Tool* const> tools);

}  // namespace snapgen::mcp
