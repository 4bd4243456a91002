#pragma once
// describe: builds the pages of tools and messages from their schema files.
#include <map>
#include <set>
#include <string>

#include "codegen/pages/document.h"
#include "codegen/pages/text.h"
#include "codegen/stages/stages.h"

namespace snapgen::codegen::pages {

class Describer {
 public:
  // `error_places` has, for each family, the location that explains its errors, such as "substrate#errors".
  Describer(const StageResults& all, const Settings& settings,
            std::map<std::string, std::string> error_places);

  // Returns the page of one schema file.
  Page page(const SourceUnit& unit) const;

  const LinkedWords& known() const { return linked_words_; }
  // Returns the path of a file's page: substrate/x for schemas/substrate/x.json.
  std::string path_of(const File& file) const;

 private:
  // Converts a description to spans; names of tools become links.
  Spans words(const std::string& text, const Page& page) const {
    return spans_of(text, linked_words_, page.path);
  }
  void add_description(Page& page, const std::string& text) const;

  // Describes a type in words with links: "list of Path".
  Spans type_words(const Type& type, const File& here, bool named = true) const;
  Spans schema_words(const Schema& schema, const File& here) const;
  Spans list_of(const Type& item, const File& here) const;
  Spans field_type(const Field& field, const File& here) const;
  bool has_section(const Type& type) const;

  FieldRow field_row(const Field& field, const Type& owner, const Page& page, const File& here) const;
  void add_fields(Page& page, const Type& type, const File& here) const;
  void add_type_section(Page& page, const Type& type) const;

  void add_tool(Page& page, const ToolModel& tool, const SourceUnit& unit) const;
  void add_facts(Page& page, const ToolFile& tool) const;
  void add_arguments(Page& page, const ToolModel& tool) const;
  void add_result(Page& page, const ToolModel& tool, std::set<const Type*>& shown) const;
  bool answers_in_lines(const ToolFile& tool) const;
  void add_lines(Page& page, const ToolFile& tool) const;
  void add_errors(Page& page, const ToolFile& tool) const;
  void add_examples(Page& page, const ToolFile& tool) const;
  void add_message(Page& page, const SourceUnit& unit) const;
  static void add_route(Page& page, const File& file);
  void add_message_examples(Page& page, const File& file) const;
  std::string title_of(const File& file) const;
  void add_used_by(Page& page, const File& file) const;

  const StageResults& all_;
  const Settings& settings_;
  std::map<std::string, std::string> error_page_links_;
  LinkedWords linked_words_;
  std::map<const File*, std::set<const File*>> users_by_file_;
  std::map<const Schema*, const Type*> types_;
  std::map<std::string, const Type*> brands_;  // Types of ids that have separate pages.
};

}  // namespace snapgen::codegen::pages
