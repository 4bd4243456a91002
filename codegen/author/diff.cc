#include "codegen/author/diff.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "codegen/author/diff_lines.h"
#include "codegen/author/diff_schema.h"
#include "codegen/front/publish.h"
#include "runtime/json/document.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {
namespace {

struct PublishedTool {
  const ToolFile* tool = nullptr;
  std::string input, output;
  // Returns the parts that are unchanged if a tool is only renamed.
  std::string same() const { return tool->description + "\n" + input + "\n" + output; }
};

std::map<std::string, PublishedTool> tools_of(const StageResults& all) {
  std::map<std::string, PublishedTool> found;
  Findings unused;
  for (const ToolModel& each : all.model.tools) {
    const ToolFile& tool = *each.tool;
    found[tool.name] = {
        .tool = &tool,
        .input = published_schema(*tool.input, unused, RootConditionals::included),
        .output = tool.output ? published_schema(*tool.output, unused, RootConditionals::included) : ""};
  }
  return found;
}

class ToolComparer {
 public:
  ToolComparer(const StageResults& before, const StageResults& after, std::vector<Change>& changes)
      : before_(before), after_(after), changes_(changes) {}

  void run(const PublishedTool& before, const PublishedTool& after) {
    name_ = after.tool->name;
    schema(before.input, after.input, "/inputSchema", true);
    if (before.output.empty() != after.output.empty()) {
      const bool removed = after.output.empty();
      add(removed, "/outputSchema",
          removed ? "there is no longer a structured result" : "there is a structured result now");
    } else if (!before.output.empty()) {
      schema(before.output, after.output, "/outputSchema", false);
    }
    for (WireChange& each : compare_wire(before_.wire, *before.tool, after_.wire, *after.tool))
      add(each.breaking, each.pointer, std::move(each.sentence));
    hints(*before.tool, *after.tool);
    access(*before.tool, *after.tool);
    words(*before.tool, *after.tool);
  }

 private:
  void add(bool breaking, const std::string& pointer, std::string sentence) {
    changes_.push_back(
        {.breaking = breaking, .tool = name_, .pointer = pointer, .sentence = std::move(sentence)});
  }

  void schema(const std::string& before, const std::string& after, const std::string& pointer, bool input) {
    const json::Document from = json::parse_document(before), to = json::parse_document(after);
    for (SchemaChange& each : compare_schemas(from.root, to.root, pointer)) {
      bool breaking = false;
      switch (each.effect) {
        case ChangeEffect::narrower: breaking = input; break;
        case ChangeEffect::wider: breaking = !input; break;
        case ChangeEffect::narrower_and_wider:
        case ChangeEffect::removed: breaking = true; break;
        case ChangeEffect::new_default:
          if (!input) continue;  // A result has its members, whatever their defaults are.
          breaking = true;
          break;
        case ChangeEffect::looser:
        case ChangeEffect::annotated: break;
      }
      add(breaking, each.pointer, std::move(each.sentence));
    }
  }

  // Compares hints, by which hosts decide whether to run tools without confirmation. Absent hints have the
  // protocol's defaults.
  void hints(const ToolFile& before, const ToolFile& after) {
    struct Hint {
      const char* name;
      bool otherwise;  // The value of an absent hint.
      bool harmless;   // The value for which hosts may skip the confirmation.
    };
    static constexpr Hint known[] = {{"destructiveHint", true, false},
                                     {"idempotentHint", false, true},
                                     {"openWorldHint", true, false},
                                     {"readOnlyHint", false, true}};
    const json::Document from = json::parse_document(before.annotations.empty() ? "{}" : before.annotations);
    const json::Document to = json::parse_document(after.annotations.empty() ? "{}" : after.annotations);
    for (const Hint& hint : known) {
      const json::Node* was = from.root.find(hint.name);
      const json::Node* is = to.root.find(hint.name);
      const bool old_value = was ? was->boolean : hint.otherwise,
                 new_value = is ? is->boolean : hint.otherwise;
      if (old_value == new_value) continue;
      add(old_value == hint.harmless, std::string("/annotations/") + hint.name,
          std::string("it is ") + (new_value ? "true" : "false") + " now");
    }
  }

  static int rank(const std::string& tier) { return tier == "enterprise" ? 2 : tier == "pro" ? 1 : 0; }

  void access(const ToolFile& before, const ToolFile& after) {
    if (rank(before.tier) != rank(after.tier))
      add(rank(after.tier) > rank(before.tier), "/x-snapgen/tier",
          "the tier is " + (after.tier.empty() ? "free" : after.tier) + ", and was " +
              (before.tier.empty() ? "free" : before.tier));
    if (before.needs_workspace != after.needs_workspace)
      add(after.needs_workspace, "/x-snapgen/workspace",
          after.needs_workspace ? "it needs a workspace now" : "it no longer needs a workspace");
    if (before.is_hidden != after.is_hidden)
      add(after.is_hidden, "/x-snapgen/listing",
          after.is_hidden ? "hosts no longer see it" : "hosts see it now");
    // A tool that can also read the other one still does what it did.
    if (before.coherence != after.coherence)
      add(!before.coherence.empty() && after.coherence != "hybrid", "/x-snapgen/coherence",
          "the coherence is " + (after.coherence.empty() ? "none given" : after.coherence) + ", and was " +
              (before.coherence.empty() ? "none given" : before.coherence));
    names(before.permissions, after.permissions, "/x-snapgen/permissions", "permission", true);
    names(before.errors, after.errors, "/x-snapgen/errors", "error", false);
    const auto per_minute = [](const ToolFile& tool) { return tool.rate ? tool.rate->per_minute : 0; };
    const auto in_words = [](std::uint32_t rate) {
      return rate ? std::to_string(rate) + " calls a minute" : "without limit";
    };
    if (per_minute(before) != per_minute(after))
      add(per_minute(after) && (!per_minute(before) || per_minute(after) < per_minute(before)),
          "/x-snapgen/rate",
          "the rate is " + in_words(per_minute(after)) + ", and was " + in_words(per_minute(before)));
    const auto by = [](const ToolFile& tool) { return tool.rate ? tool.rate->by_argument : std::string(); };
    if (by(before) != by(after))
      add(by(after).empty(), "/x-snapgen/rate/by",
          by(after).empty() ? "all calls share one rate limit now"
                            : "each " + by(after) + " has a separate rate limit now");
    const auto deadline = [](const ToolFile& tool) {
      return tool.deadline_ms ? std::to_string(tool.deadline_ms) + " ms" : std::string("none");
    };
    if (before.deadline_ms != after.deadline_ms)
      add(false, "/x-snapgen/deadline_ms",
          "the deadline is " + deadline(after) + ", and was " + deadline(before));
    if (before.task != after.task)
      add(after.task == "required", "/x-snapgen/task",
          "it is a task: " + (after.task.empty() ? "never" : after.task) +
              ", and was: " + (before.task.empty() ? "never" : before.task));
  }

  void names(std::vector<std::string> before, std::vector<std::string> after, const std::string& pointer,
             const std::string& what, bool breaking) {
    std::ranges::sort(before);
    std::ranges::sort(after);
    std::vector<std::string> lost, gained;
    std::ranges::set_difference(before, after, std::back_inserter(lost));
    std::ranges::set_difference(after, before, std::back_inserter(gained));
    for (const std::string& each : gained) add(breaking, pointer, "this " + what + " is new: " + each);
    for (const std::string& each : lost) add(false, pointer, "this " + what + " is gone: " + each);
  }

  void words(const ToolFile& before, const ToolFile& after) {
    if (before.description != after.description) add(false, "/description", "the description changed");
    if (before.title != after.title) add(false, "/title", "the title changed");
  }

  const StageResults& before_;
  const StageResults& after_;
  std::vector<Change>& changes_;
  std::string name_;
};

// The files of a side with faults, and those that refer to them, by the end of their paths:
// "family/name.json".
std::set<std::string> faulty_files(const StageResults& all) {
  std::set<std::string> faulty;
  for (const Finding& each : all.findings.sorted()) faulty.insert(each.file);
  for (bool again = true; std::exchange(again, false);)
    for (const auto& [node, target] : all.resolved.targets) {
      const std::string& file = all.resolved.schemas.at(node).location.file->path;
      if (faulty.contains(all.resolved.schemas.at(target).location.file->path))
        again = faulty.insert(file).second || again;
    }
  return faulty;
}

std::string path_in_schemas(const std::string& path) { return path.substr(path.find('/') + 1); }

// Finds the value that a pointer into a tool selects, or the last one on the way to it that the files have.
class PlaceFinder {
 public:
  PlaceFinder(const StageResults& all, const File& file)
      : all_(all), file_(&file), node_(&file.document.root) {}

  SourceLocation find(std::string_view pointer) {
    while (!pointer.empty()) {
      pointer.remove_prefix(1);
      const std::size_t end = std::min(pointer.find('/'), pointer.size());
      if (!enter(*node_, *file_, pointer.substr(0, end), 0)) break;
      pointer.remove_prefix(end);
    }
    return {.file = file_, .offset = node_->offset};
  }

 private:
  // Continues at a member of the node, or of a schema that it refers to or merges.
  bool enter(const json::Node& node, const File& file, std::string_view token, int depth) {
    constexpr int depth_max = 20;
    if (depth > depth_max) return false;
    if (const json::Node* child = json::child_at_token(node, token)) {
      node_ = child;
      file_ = &file;
      return true;
    }
    if (const auto target = all_.resolved.targets.find(&node); target != all_.resolved.targets.end())
      if (enter(*target->second, *all_.resolved.schemas.at(target->second).location.file, token, depth + 1))
        return true;
    const json::Node* parts = node.find("allOf");
    return parts && std::ranges::any_of(parts->items, [&](const json::Node& part) {
             return enter(part, file, token, depth + 1);
           });
  }

  const StageResults& all_;
  const File* file_;
  const json::Node* node_;
};

void set_place(Change& change, const ComparisonSide& side, const File& file) {
  const SourceLocation location = PlaceFinder(side.all, file).find(change.pointer);
  change.file = side.prefix + location.file->path;
  change.position = line_and_column(location);
}

}  // namespace

Comparison compare(const ComparisonSide& old_side, const ComparisonSide& new_side) {
  std::map<std::string, PublishedTool> before = tools_of(old_side.all), after = tools_of(new_side.all);
  std::set<std::string> left_out;
  for (const StageResults* side : {&old_side.all, &new_side.all})
    for (const std::string& each : faulty_files(*side)) left_out.insert(path_in_schemas(each));
  const auto is_left_out = [&](const auto& each) {
    return left_out.contains(path_in_schemas(each.second.tool->file->path));
  };
  std::set<std::string> left_out_names;
  for (const auto* tools : {&before, &after})
    for (const auto& each : *tools)
      if (is_left_out(each)) left_out_names.insert(each.first);
  for (auto* tools : {&before, &after})
    std::erase_if(*tools, [&](const auto& each) { return left_out_names.contains(each.first); });
  std::multimap<std::string, std::string> fresh;
  for (const auto& [name, tool] : after)
    if (!before.count(name)) fresh.emplace(tool.same(), name);
  Comparison found;
  found.left_out.assign(left_out.begin(), left_out.end());
  std::set<std::string> taken;
  for (const auto& [name, tool] : before) {
    const std::size_t first = found.changes.size();
    if (const auto now = after.find(name); now != after.end()) {
      ToolComparer(old_side.all, new_side.all, found.changes).run(tool, now->second);
      for (std::size_t i = first; i < found.changes.size(); ++i)
        set_place(found.changes[i], new_side, *now->second.tool->file);
      continue;
    }
    const auto moved = fresh.find(tool.same());
    const bool renamed = moved != fresh.end() && taken.insert(moved->second).second;
    found.changes.push_back({.breaking = true,
                             .tool = name,
                             .sentence = renamed ? "it is renamed to " + moved->second : "it is removed"});
    set_place(found.changes.back(), renamed ? new_side : old_side,
              renamed ? *after.at(moved->second).tool->file : *tool.tool->file);
  }
  for (const auto& [name, tool] : after) {
    if (before.count(name) || taken.count(name)) continue;
    found.changes.push_back({.breaking = false, .tool = name, .sentence = "it is new"});
    set_place(found.changes.back(), new_side, *tool.tool->file);
  }
  const auto order = [](const Change& a, const Change& b) {
    return std::tie(a.tool, a.pointer, a.sentence) < std::tie(b.tool, b.pointer, b.sentence);
  };
  std::ranges::sort(found.changes, order);
  return found;
}

std::string report_text(const std::vector<Change>& changes, bool colour) {
  std::string text;
  for (const Change& each : changes) {
    const std::string word = each.breaking ? "breaking:" : "fine:";
    text += each.file + ":" + std::to_string(each.position.line) + ":" +
            std::to_string(each.position.column) + ": ";
    text += colour ? (each.breaking ? "\x1b[31m" : "\x1b[32m") + word + "\x1b[0m" : word;
    text += " " + each.tool + (each.pointer.empty() ? "" : " " + each.pointer) + ": " + each.sentence + "\n";
  }
  return text;
}

std::string report_json(const std::vector<Change>& changes) {
  const auto breaking = std::ranges::count_if(changes, [](const Change& each) { return each.breaking; });
  std::vector<std::string> rows;
  for (const Change& each : changes)
    rows.push_back(json_object({{"breaking", each.breaking ? "true" : "false"},
                                {"column", std::to_string(each.position.column)},
                                {"file", json::quoted(each.file)},
                                {"line", std::to_string(each.position.line)},
                                {"pointer", json::quoted(each.pointer)},
                                {"sentence", json::quoted(each.sentence)},
                                {"tool", json::quoted(each.tool)}}));
  return "{\"breaking\":" + std::to_string(breaking) + ",\"changes\":" + json_array(rows) + "}\n";
}

}  // namespace snapgen::codegen
