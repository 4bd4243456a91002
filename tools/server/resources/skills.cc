// The skill that teaches a model how to work with this server: its file as a resource, and its entry in the
// list of skills.
#include "runtime/json/writer.h"
#include "tools/engine/base/hash.h"
#include "tools/server/resources/route.h"
#include "tools/server/resources/skill_texts.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view skill_uri = "skill://snapgen/SKILL.md";
constexpr std::string_view skill_text = skill_texts::SKILL_md;

// The lines `name: value` between two lines `---` at the beginning. The values of this file are plain text in
// one line.
constexpr std::string_view frontmatter = skill_text.substr(4, skill_text.find("\n---", 3) - 3);
static_assert(skill_text.starts_with("---\n") && frontmatter.ends_with('\n'));

// Returns the first line of `lines`, and removes it from there.
constexpr std::string_view next_line(std::string_view& lines) {
  const std::string_view line = lines.substr(0, lines.find('\n'));
  lines.remove_prefix(line.size() + 1);
  return line;
}

constexpr std::string_view line_value(std::string_view line) { return line.substr(line.find(": ") + 2); }

constexpr std::string_view value_named(std::string_view name) {
  std::string_view lines = frontmatter;
  while (!lines.empty())
    if (const std::string_view line = next_line(lines); line.substr(0, line.find(": ")) == name)
      return line_value(line);
  return {};
}
static_assert(value_named("name") == "snapgen" && !value_named("description").empty());

std::string frontmatter_json() {
  std::string out;
  std::string_view lines = frontmatter;
  while (!lines.empty()) {
    const std::string_view line = next_line(lines);
    out += (out.empty() ? "{" : ",") + json::quoted(line.substr(0, line.find(": "))) + ":" +
           json::quoted(line_value(line));
  }
  return out + "}";
}

Result<ResourceContent> read_skill(App&, const mcp::UriVariables&, const std::stop_token&) {
  return ResourceContent{.bytes = std::string(skill_text), .mime_type = std::string(markdown_type)};
}

constexpr ResourceRoute skill_route_table[] = {
    {.uri = skill_uri,
     .name = value_named("name"),
     .title = "Skill",
     .description = value_named("description"),
     .mime_type = markdown_type,
     .read = &read_skill,
     .needs_worktree = false},
};

}  // namespace

std::span<const ResourceRoute> skill_routes() { return skill_route_table; }

std::vector<mcp::Skill> skills() {
  mcp::Skill skill;
  skill.uri = skill_uri;
  skill.frontmatter.text = frontmatter_json();
  mcp::SkillFile file;
  file.uri = skill_uri;
  file.digest = "sha256:" + core::sha256_hex(skill_text);
  file.size = static_cast<std::int64_t>(skill_text.size());
  skill.resources.push_back(std::move(file));
  return {std::move(skill)};
}

}  // namespace snapgen::tools
