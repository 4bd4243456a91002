#pragma once
// Catalog: the tools of a server as one profile shows them, with what tools/list answers, put together once
// for each form, extent of output schemas and page.
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

// A tool that is no longer served, and what to use instead: `successor` completes "It is now ...", and begins
// with the name of a tool. Of several with one name that counts whose successor is shown first.
struct Renamed {
  std::string_view name;
  std::string_view successor;
};

bool has_profile(const ToolSet& tools, std::string_view name);

class Catalog {
 public:
  // `profile` empty: every tool. `tools` null: none.
  Catalog(ToolSet* tools, Spelling spelling, std::size_t page_size, std::span<const Renamed> renamed,
          std::string_view profile);

  bool empty() const { return shown_.empty(); }
  std::span<const Tool* const> shown() const { return shown_; }
  std::string_view shown_name(const Tool& tool) const;
  // False: there is no such profile, and nothing changed.
  bool show(std::string_view profile);

  // By either spelling; null if there is none or the profile hides it.
  const Tool* find(std::string_view name) const {
    const Tool* tool = tools_ ? tools_->find(name) : nullptr;
    return tool && visible_[index(*tool)] ? tool : nullptr;
  }
  // Why find() found nothing, with the name that was probably meant.
  std::string unknown(std::string_view name) const;

  // Members of a tools/list result; nothing if the cursor is not one of ours.
  std::optional<std::string_view> page(ListingForm form, OutputSchemas schemas, std::string_view cursor);

 private:
  struct Page {
    ListingForm form;
    OutputSchemas schemas;
    std::size_t begin;
    std::string members;
  };

  std::size_t index(const Tool& tool) const { return static_cast<std::size_t>(&tool - tools_->all().data()); }

  ToolSet* tools_;
  Spelling spelling_;
  std::size_t page_size_;
  std::span<const Renamed> renamed_;
  std::vector<const Tool*> shown_;
  std::vector<bool> visible_;
  std::vector<std::unique_ptr<const Page>> pages_;
};

}  // namespace snapgen::mcp
