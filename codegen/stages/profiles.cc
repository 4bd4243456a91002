#include "codegen/stages/profiles.h"

#include <map>
#include <set>

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Member;
using json::Node;

class ProfileReader {
 public:
  ProfileReader(const Model& model, const File& file, Findings& findings) : file_(file), findings_(findings) {
    for (const ToolModel& tool : model.tools) {
      families_.push_back(tool.tool->file->family);
      names_.push_back(tool.tool->name);
    }
  }

  void run(std::map<std::string, std::set<std::size_t>>& profiles) {
    SourceLocation root{.file = &file_, .offset = file_.document.root.offset};
    for (const Member& member : file_.document.root.members) {
      if (member.key == "$schema") continue;
      SourceLocation location = inner_location(root, member.key, member.value.offset);
      if (!member.value.is(Kind::object)) {
        findings_.add(location, "a profile is an object with \"families\", \"tools\" or both");
        continue;
      }
      std::set<std::size_t> chosen;
      for (const Member& each : member.value.members) {
        SourceLocation here = inner_location(location, each.key, each.value.offset);
        if (each.key == "families")
          choose(each.value, here, families_, "family", chosen);
        else if (each.key == "tools")
          choose(each.value, here, names_, "tool", chosen);
        else if (each.key != "description")
          findings_.add(here, "\"" + each.key + "\" is not known in a profile" +
                                  suggestion_clause(each.key, {"description", "families", "tools"}));
      }
      profiles[member.key] = std::move(chosen);
    }
  }

 private:
  void choose(const Node& list, const SourceLocation& location, const std::vector<std::string>& names,
              const std::string& what, std::set<std::size_t>& chosen) {
    if (!list.is(Kind::array)) return findings_.add(location, "a profile must list names");
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const Node& each = list.items[i];
      bool found = false;
      for (std::size_t tool = 0; tool < names.size(); ++tool) {
        if (names[tool] != each.text) continue;
        chosen.insert(tool);
        found = true;
      }
      std::vector<std::string_view> known(names.begin(), names.end());
      if (!found)
        findings_.add(inner_location(location, std::to_string(i), each.offset),
                      "there is no " + what + " \"" + each.text + "\"" + suggestion_clause(each.text, known));
    }
  }

  const File& file_;
  Findings& findings_;
  std::vector<std::string> families_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<ProfileModel> make_profiles(const Model& model, const File* file, Findings& findings) {
  std::map<std::string, std::set<std::size_t>> profiles;
  for (std::size_t i = 0; i < model.tools.size(); ++i) {
    profiles["full"].insert(i);
    profiles[model.tools[i].tool->file->family].insert(i);
  }
  profiles.erase("");
  if (file) ProfileReader(model, *file, findings).run(profiles);
  std::vector<ProfileModel> found;
  for (const auto& [name, tools] : profiles)
    found.push_back({.name = name, .tools = {tools.begin(), tools.end()}});
  return found;
}

}  // namespace snapgen::codegen
