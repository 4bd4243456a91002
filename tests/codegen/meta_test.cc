// schemas/meta describes to editors which schemas authors may write. It must accept the same files as the
// schema compiler.
#include <algorithm>

#include <gtest/gtest.h>

#include "codegen/front/check.h"
#include "codegen/front/keywords.h"
#include "codegen/front/read_tool.h"
#include "codegen/lines/line_formats.h"
#include "tests/codegen/files.h"
#include "tests/codegen/validate.h"

namespace snapgen::codegen {
namespace {

// The files of schemas/meta, compiled like the project's schemas.
class Meta {
 public:
  Meta() {
    std::vector<SourceText> texts = schema_files("schemas/meta");
    for (SourceText& each : texts) {
      const std::string dialect = "https://json-schema.org/draft/2020-12/schema";
      each.text.replace(each.text.find(dialect), dialect.size(), "meta/message.json");
    }
    sources_ = parse_sources(std::move(texts), {.schemas = "schemas", .name_space = "meta", .namespaces = {}},
                             findings_);
    checked_ = check(sources_, resolve(sources_, findings_), findings_);
  }

  std::vector<std::string> findings() const { return findings_.lines(); }
  const Schema& schema(const std::string& name) const {
    return *checked_.messages.at(sources_.find("schemas/meta/" + name + ".json"));
  }
  const Schema& definition(const std::string& file, const std::string& name) const {
    for (const Definition& each : checked_.definitions.at(sources_.find("schemas/meta/" + file + ".json")))
      if (each.name == name) return *each.schema;
    return schema(file);
  }

 private:
  Findings findings_;
  Sources sources_;
  CheckedSchemas checked_;
};

std::vector<std::string> members(const Schema& schema) {
  std::vector<std::string> names;
  for (const Property& each : resolved(schema).properties) names.push_back(each.name);
  std::sort(names.begin(), names.end());
  return names;
}
std::vector<std::string> strings(const std::vector<std::string_view>& views) {
  std::vector<std::string> all(views.begin(), views.end());
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Meta, TheMetaSchemasAreValid) { EXPECT_EQ(Meta().findings(), std::vector<std::string>()); }

TEST(Meta, TheMetaSchemasAcceptTheSameKeywordsAsTheCompiler) {
  const Meta meta;
  EXPECT_EQ(members(meta.definition("message", "keywords")), strings(known_keywords()));
  EXPECT_EQ(members(meta.schema("tool")), strings(known_tool_keys()));
  EXPECT_EQ(members(*find_property(meta.schema("tool"), "x-snapgen")->schema),
            strings(known_extension_keys()));
  const Schema& wire = meta.definition("tool", "wire");
  EXPECT_EQ(members(wire), strings(known_wire_keys()));
  EXPECT_EQ(members(meta.definition("tool", "wire_line")), strings(known_wire_line_keys()));
  EXPECT_EQ(members(meta.definition("tool", "wire_field")), strings(known_wire_field_keys()));
}

TEST(Meta, EverySchemaFileIsValid) {
  const Meta meta;
  std::size_t files = 0;
  for (const std::string folder : {"schemas", "tests/fixture/schemas", "tests/codegen/golden"}) {
    for (const SourceText& each : schema_files(folder)) {
      if (each.path.starts_with("schemas/meta/")) continue;
      const json::Document document = json::parse_document(each.text);
      const json::Node* dialect = document.root.find("$schema");
      ASSERT_TRUE(dialect) << each.path;
      const std::size_t slash = dialect->text.rfind('/') + 1;
      const std::string name = dialect->text.substr(slash, dialect->text.size() - slash - 5);
      for (const Misfit& misfit : validate(meta.schema(name), document.root))
        ADD_FAILURE() << each.path << " " << misfit.pointer << ": " << misfit.message;
      const auto folder_of_file = std::filesystem::path(each.path).parent_path();
      EXPECT_TRUE(std::filesystem::exists(source_root() / folder_of_file / dialect->text))
          << each.path << " names a $schema that does not exist";
      ++files;
    }
  }
  EXPECT_GT(files, 50U);
}

TEST(Meta, EditorsReportTheSameErrorsAsTheCompiler) {
  const Meta meta;
  for (const std::string name : {"unknown_keywords", "refused_keywords", "keyword_values", "types"}) {
    const json::Document document =
        json::parse_document(file_text(source_root() / "tests/codegen/errors" / (name + ".json")));
    EXPECT_FALSE(validate(meta.schema("message"), document.root).empty()) << name;
  }
  for (const std::string name :
       {"tool_top", "tool_extension", "tool_name", "tool_long_name", "tool_description"}) {
    const json::Document document =
        json::parse_document(file_text(source_root() / "tests/codegen/errors" / (name + ".json")));
    EXPECT_FALSE(validate(meta.schema("tool"), document.root).empty()) << name;
  }
}

}  // namespace
}  // namespace snapgen::codegen
