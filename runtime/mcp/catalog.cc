#include "runtime/mcp/catalog.h"

#include <algorithm>

#include "runtime/base/text.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/page.h"
#include "runtime/mcp/quoted_name.h"

namespace snapgen::mcp {

namespace {

// Returns the Tool object with `schema` in place of its outputSchema, or without outputSchema if `schema` is
// empty.
std::string with_output_schema(std::string_view listed, std::string_view schema) {
  return json::rewrite_members(
      listed, [&](std::string_view name, std::string_view value) -> std::optional<std::string> {
        if (name != "outputSchema") return std::string(value);
        if (schema.empty()) return std::nullopt;
        return std::string(schema);
      });
}

// Returns the schema of an object without the properties `omitted`.
std::string schema_without(std::string_view schema, std::span<const std::string_view> omitted) {
  return json::rewrite_members(
      schema, [&](std::string_view name, std::string_view value) -> std::optional<std::string> {
        if (name == "properties") return json::without_members(value, omitted);
        if (name != "required") return std::string(value);
        std::vector<std::string> required;
        json::Reader in(value);
        json::read_value(in, required);
        std::erase_if(required, [&](const std::string& each) {
          return std::ranges::find(omitted, each) != omitted.end();
        });
        return json::to_json(required);
      });
}

// Returns the outputSchema of a tool that a client sees instead of the brief one; empty if it sees none.
std::string output_schema_of(const Tool& tool, const OutputSchemaForm& form) {
  if (form.detail == OutputSchemaDetail::none || tool.merged_output_schema.empty()) return {};
  return schema_without(tool.merged_output_schema, form.omitted_members);
}

}  // namespace

Catalog::Catalog(ToolSet* tools, Spelling spelling, std::size_t page_size,
                 std::span<const RenamedTool> renamed, std::string_view profile)
    : tools_(tools),
      spelling_(spelling),
      page_size_(page_size),
      renamed_tools_(renamed),
      may_be_called_(tools ? tools->all().size() : 0) {
  if (!tools_) return;
  const std::span<const Tool> all = tools_->all();
  for (std::size_t i = 0; i < all.size(); ++i) may_be_called_[i] = all[i].is_hidden;
  if (profile.empty()) {
    for (const Tool& tool : all)
      if (!tool.is_hidden) shown_tools_.push_back(&tool);
    std::ranges::sort(shown_tools_, {}, [&](const Tool* tool) { return shown_name(*tool); });
  } else {
    const std::span<const Profile> profiles = tools_->profiles();
    const auto found = std::ranges::find(profiles, profile, &Profile::name);
    if (found == profiles.end()) return;
    for (const std::uint16_t i : found->tools)
      if (!all[i].is_hidden) shown_tools_.push_back(&all[i]);
  }
  profile_ = profile;
  for (const Tool* tool : shown_tools_) may_be_called_[index(*tool)] = true;
}

std::string Catalog::unknown_tool_sentence(std::string_view name) const {
  std::string sentence = "Unknown tool " + quoted_name(name) + ".";
  for (const RenamedTool& each : renamed_tools_) {
    if (!is_same_name(name, each.name)) continue;
    const std::size_t end = std::min(each.successor.find_first_of(" ,"), each.successor.size());
    if (const Tool* successor = find(each.successor.substr(0, end)))
      return sentence.append(" It is now ")
          .append(shown_name(*successor))
          .append(each.successor.substr(end))
          .append(".");
  }
  if (tools_ && tools_->find(name))
    return "The tool " + quoted_name(name) + " is not in the profile " + quoted_name(profile_) +
           " of this server.";
  if (const Tool* meant = suggested_tool(name, shown_tools_))
    sentence += " Did you mean " + json::quoted(shown_name(*meant)) + "?";
  return sentence;
}

std::optional<std::string_view> Catalog::page(ListingForm form, OutputSchemaForm schemas,
                                              std::string_view cursor) {
  const auto made_before = [&](std::size_t begin) -> const Page* {
    for (const auto& page : pages_)
      if (page->form == form && page->begin == begin && page->schemas.detail == schemas.detail &&
          std::ranges::equal(page->schemas.omitted_members, schemas.omitted_members))
        return page.get();
    return nullptr;
  };
  if (cursor.empty())
    if (const Page* first = made_before(0)) return first->members;
  std::vector<std::string> changed;  // Owns the entries that differ from Tool::listing.
  changed.reserve(shown_tools_.size());
  std::vector<std::string_view> entries;
  for (const Tool* tool : shown_tools_) {
    if (!tools_->can_work(*tool)) continue;
    const std::string_view listed =
        tool->listing[static_cast<std::size_t>(form)][static_cast<std::size_t>(spelling_)];
    if (schemas.detail == OutputSchemaDetail::brief)
      entries.push_back(listed);
    else
      entries.push_back(changed.emplace_back(with_output_schema(listed, output_schema_of(*tool, schemas))));
  }
  const std::optional<std::size_t> begin = page_begin(cursor, entries);
  if (!begin) return std::nullopt;
  if (const Page* there = made_before(*begin)) return there->members;
  Page made{.form = form,
            .schemas = schemas,
            .begin = *begin,
            .members = mcp::page_members("tools", entries, *begin, page_size_)};
  pages_.push_back(std::make_unique<const Page>(std::move(made)));
  return pages_.back()->members;
}

std::string_view Catalog::shown_name(const Tool& tool) const {
  return spelling_ == Spelling::safe ? tool.safe_name : tool.name;
}

}  // namespace snapgen::mcp
