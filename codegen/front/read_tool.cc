#include "codegen/front/read_tool.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "codegen/front/keywords.h"
#include "codegen/front/name.h"
#include "runtime/base/ascii.h"
#include "runtime/base/text.h"

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Member;
using json::Node;

const std::vector<std::string_view> tool_keys = {"$defs",        "$schema", "_meta",       "annotations",
                                                 "description",  "icons",   "inputSchema", "name",
                                                 "outputSchema", "title",   "x-snapgen"};
const std::vector<std::string_view> extension_keys = {
    "coherence",   "deadline_ms", "errors", "examples", "family", "formats", "listing", "long_name",
    "permissions", "rate",        "result", "run",      "task",   "tier",    "wire",    "workspace"};

std::uint32_t count_of(const Member& m, const SourceLocation& location, Findings& findings) {
  std::optional<std::int64_t> value = m.value.integer();
  if (m.value.is(Kind::number) && value && *value >= 1 && *value <= std::numeric_limits<std::uint32_t>::max())
    return static_cast<std::uint32_t>(*value);
  findings.add(location, "\"" + m.key + "\" is not an integer from 1");
  return 0;
}

// Reads the argument that `m` names; each of its values has a separate limit.
void separate_by(RateLimit& rate, const Member& m, const SourceLocation& location, const Schema& input,
                 Findings& findings) {
  const Property* argument =
      m.value.is(Kind::string) ? find_property(resolved(input), m.value.text) : nullptr;
  const Schema* schema = argument ? &resolved(*argument->schema) : nullptr;
  if (!schema || !schema->values || schema->kinds != kinds::string)
    return findings.add(location, "\"by\" is not the name of an argument that is an enum of strings");
  rate.by_argument = m.value.text;
  for (const Constant& each : *schema->values) rate.values.push_back(each.string);
}

class ToolChecker {
 public:
  ToolChecker(const File& file, Findings& findings) : file_(file), findings_(findings) {
    tool_.file = &file;
    tool_.location = {.file = &file, .offset = file.document.root.offset};
  }

  ToolFile run(const Schema* input, const Schema* output) {
    tool_.input = input;
    tool_.output = output;
    tool_.rendering = output ? Rendering::structured : Rendering::text;
    for (const Member& member : file_.document.root.members) read_member(member);
    for (std::string_view needed : {"name", "description", "inputSchema", "x-snapgen"})
      if (!file_.document.root.find(needed) && !file_.broken)
        findings_.add(tool_.location, "\"" + std::string(needed) + "\" is missing");
    if (file_.family.empty()) add_finding(tool_.location, "a tool lies in the folder of its family");
    check_rendering();
    note_unedited(file_.document.root, tool_.location);
    if (tool_.listed_as_written) check_references(file_.document.root, tool_.location);
    return std::move(tool_);
  }

 private:
  void add_finding(const SourceLocation& location, std::string sentence) {
    findings_.add(location, std::move(sentence));
  }
  SourceLocation location_of(const Member& member) const {
    return inner_location(tool_.location, member.key, member.value.offset);
  }
  SourceLocation extension_location_of(const Member& member) const {
    return inner_location(extension_, member.key, member.value.offset);
  }

  bool expect_kind(const Member& member, Kind kind, std::string_view words, const SourceLocation& location) {
    if (member.value.is(kind)) return true;
    add_finding(location, "\"" + member.key + "\" is not " + std::string(words));
    return false;
  }

  void read_member(const Member& member) {
    const std::string& key = member.key;
    if (key == "$schema" || key == "$defs") return;
    if (key == "name") return read_name(member);
    if (key == "title") {
      if (expect_kind(member, Kind::string, "a string", location_of(member))) tool_.title = member.value.text;
    } else if (key == "description") {
      read_description(member);
    } else if (key == "inputSchema") {
      check_input_root(member);
    } else if (key == "outputSchema") {
      check_output_root(member);
    } else if (key == "annotations") {
      read_annotations(member);
    } else if (key == "icons") {
      read_icons(member);
    } else if (key == "_meta") {
      if (expect_kind(member, Kind::object, "an object", location_of(member)))
        tool_.meta = constant_of(member.value).canonical;
    } else if (key == "x-snapgen") {
      read_extension(member);
    } else {
      SourceLocation location = inner_location(tool_.location, key, member.key_offset);
      add_finding(location,
                  "\"" + key + "\" is not known in a tool" +
                      (key == "definitions" ? suggestion_of("$defs") : suggestion_clause(key, tool_keys)));
    }
  }

  void read_name(const Member& member) {
    if (!expect_kind(member, Kind::string, "a string", location_of(member))) return;
    const std::string& name = member.value.text;
    tool_.name = name;
    for (char c : name) tool_.safe_name += c == '.' ? '_' : c;
    auto allowed = [](char c) { return is_alphanumeric(c) || c == '_' || c == '-' || c == '.'; };
    if (name.empty() || !std::ranges::all_of(name, allowed))
      return add_finding(
          location_of(member),
          "a tool's name may contain only letters, digits, \"_\", \"-\" and \".\"; hosts reject the "
          "whole list for any other character");
    const std::size_t max = may_have_long_name() ? fixed_name_max : tool_name_max;
    if (name.size() > max)
      add_finding(location_of(member), "a tool's name has at most " + std::to_string(max) +
                                           " characters, not " + std::to_string(name.size()) +
                                           ": hosts put the server's name in front and stop at 60");
    std::string stem = tool_.safe_name;
    std::ranges::replace(stem, '-', '_');
    if (stem != file_.stem)
      add_finding(location_of(member),
                  "the tool \"" + name + "\" is in " + file_.stem + ".json; its file is " + stem + ".json");
    if (!is_identifier(stem) || is_reserved(stem))
      add_finding(location_of(member),
                  "\"" + stem + "\", the name of the handler, is not a name that C++ allows");
  }

  const Node* extension_value(std::string_view key) const {
    const Node* extension = file_.document.root.find("x-snapgen");
    return extension ? extension->find(key) : nullptr;
  }

  bool may_have_long_name() const {
    const Node* value = extension_value("long_name");
    return value && value->is(Kind::boolean) && value->boolean;
  }

  // Notes the texts of `snapgen new tool` in schemas and examples.
  void note_unedited(const Node& node, const SourceLocation& location) {
    for (const Member& member : node.members) {
      const SourceLocation here = inner_location(location, member.key, member.value.offset);
      const std::string& text = member.value.text;
      if ((member.key == "description" && (text == unedited_input || text == unedited_output)) ||
          (member.key == "name" && text == unedited_example))
        findings_.add_note(here, "this text is that of `snapgen new tool`; replace it");
      note_unedited(member.value, here);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i)
      note_unedited(node.items[i], inner_location(location, std::to_string(i), node.items[i].offset));
  }

  // Checks that references remain inside the file, because a client sees nothing else.
  void check_references(const Node& node, const SourceLocation& location) {
    for (const Member& member : node.members) {
      const SourceLocation here = inner_location(location, member.key, member.value.offset);
      if (member.key == "x-snapgen" || member.key == "_meta") continue;
      if (member.key == "$ref" && member.value.is(Kind::string) && !member.value.text.starts_with("#/$defs/"))
        add_finding(
            here,
            "a tool whose schema is listed unchanged may refer only to its own \"$defs\": \"#/$defs/...\"");
      check_references(member.value, here);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i)
      check_references(node.items[i], inner_location(location, std::to_string(i), node.items[i].offset));
  }

  void read_description(const Member& member) {
    if (!expect_kind(member, Kind::string, "a string", location_of(member))) return;
    tool_.description = member.value.text;
    if (tool_.description.find(unedited_description) != std::string::npos)
      findings_.add_note(location_of(member),
                         "the description is that of `snapgen new tool`; describe the tool");
    std::size_t size = code_point_count(tool_.description);
    if (size == 0)
      add_finding(location_of(member),
                  "the description is empty, but it is all that a model knows about the tool");
    if (size > description_max)
      add_finding(location_of(member), "the description has " + std::to_string(size) +
                                           " characters; hosts cut it at " + std::to_string(description_max));
  }

  // Checks the root of an input. Hosts reject a tool, or all tools, for these keywords. Authors who list a
  // schema as written are responsible for their hosts.
  void check_input_root(const Member& member) {
    if (!expect_kind(member, Kind::object, "an object", location_of(member))) return;
    const Node* listing = extension_value("listing");
    const bool as_written = listing && listing->text == "written";
    for (std::string_view keyword : {"$ref", "allOf", "anyOf", "oneOf"}) {
      if (as_written && keyword != "$ref") continue;
      const Node* found = member.value.find(keyword);
      if (!found || only_require(*found)) continue;
      const bool is_choice = keyword == "anyOf" || keyword == "oneOf";
      add_finding(inner_location(location_of(member), keyword, found->offset),
                  "\"" + std::string(keyword) +
                      "\" at the root of an input makes hosts drop the tool; write its properties here" +
                      (is_choice ? ", and in \"" + std::string(keyword) +
                                       "\" only what is required, such as {\"required\": [\"a\"]}"
                                 : ""));
    }
    check_object_root(member, "the root of an input has \"type\": \"object\"");
  }
  void check_output_root(const Member& member) {
    if (!expect_kind(member, Kind::object, "an object", location_of(member))) return;
    check_object_root(
        member,
        "the root of an output needs \"type\": \"object\"; clients of 2025-11-25 and earlier reject the "
        "whole list for any other type");
  }
  void check_object_root(const Member& member, const char* sentence) {
    const Node* type = member.value.find("type");
    if (!type || !type->is(Kind::string) || type->text != "object")
      add_finding(type ? inner_location(location_of(member), "type", type->offset) : location_of(member),
                  sentence);
  }

  void read_icons(const Member& member) {
    if (!expect_kind(member, Kind::array, "a list", location_of(member))) return;
    for (std::size_t i = 0; i < member.value.items.size(); ++i) {
      const Node& icon = member.value.items[i];
      const Node* source = icon.find("src");
      const bool fits = source && source->is(Kind::string) &&
                        (source->text.starts_with("https://") || source->text.starts_with("data:image/"));
      if (!fits)
        add_finding(
            inner_location(location_of(member), std::to_string(i), icon.offset),
            "an icon needs a \"src\" that begins with \"https://\" or \"data:image/\"; hosts show no other "
            "icons");
    }
    tool_.icons = constant_of(member.value).canonical;
  }

  void read_annotations(const Member& member) {
    if (!expect_kind(member, Kind::object, "an object", location_of(member))) return;
    for (const Member& each : member.value.members) {
      SourceLocation location = inner_location(location_of(member), each.key, each.value.offset);
      if (each.key == "title") {
        expect_kind(each, Kind::string, "a string", location);
        continue;
      }
      static const std::vector<std::string_view> hints = {"destructiveHint", "idempotentHint",
                                                          "openWorldHint", "readOnlyHint", "title"};
      if (std::ranges::find(hints, each.key) == hints.end())
        add_finding(location, "\"" + each.key + "\" is not an annotation of a tool" +
                                  suggestion_clause(each.key, hints));
      else
        expect_kind(each, Kind::boolean, "true or false", location);
    }
    const Node* reads = member.value.find("readOnlyHint");
    const Node* destroys = member.value.find("destructiveHint");
    if (reads && reads->boolean && destroys && destroys->boolean)
      findings_.add_note(inner_location(location_of(member), "destructiveHint", destroys->offset),
                         "hosts ignore \"destructiveHint\" of a tool that only reads");
    tool_.annotations = constant_of(member.value).canonical;
  }

  void read_extension(const Member& member) {
    extension_ = location_of(member);
    if (!expect_kind(member, Kind::object, "an object", extension_)) return;
    if (!member.value.find("family"))
      add_finding(extension_,
                  "\"family\" is missing; it is the name of the folder, \"" + file_.family + "\"");
    for (const Member& each : member.value.members) read_extension_member(each);
  }

  void read_extension_member(const Member& m) {
    const std::string& key = m.key;
    // Other code reads these: the examples stage and line_formats.cc.
    if (key == "examples" || key == "wire") return;
    if (key == "family") {
      if (expect_kind(m, Kind::string, "a string", extension_location_of(m)) && m.value.text != file_.family)
        add_finding(
            extension_location_of(m),
            "the family is \"" + m.value.text + "\", but the file is in the folder \"" + file_.family + "\"");
    } else if (key == "coherence") {
      tool_.coherence = one_of(m, {"hybrid", "none", "snapshot", "worktree"});
    } else if (key == "result") {
      std::string rendering = one_of(m, {"content", "mirror", "summarized", "text"});
      if (rendering == "mirror") tool_.rendering = Rendering::structured;
      if (rendering == "summarized") tool_.rendering = Rendering::summarized;
      if (rendering == "text") tool_.rendering = Rendering::text;
      if (rendering == "content") tool_.rendering = Rendering::content;
    } else if (key == "formats") {
      tool_.formats_asserted = one_of(m, {"annotate", "assert"}) == "assert";
    } else if (key == "tier") {
      tool_.tier = one_of(m, {"enterprise", "free", "pro"});
    } else if (key == "listing") {
      const std::string listing = one_of(m, {"hidden", "inlined", "written"});
      tool_.is_hidden = listing == "hidden";
      tool_.listed_as_written = listing == "written";
    } else if (key == "task") {
      tool_.task = one_of(m, {"optional", "required"});
    } else if (key == "deadline_ms") {
      tool_.deadline_ms = count(m, extension_location_of(m));
    } else if (key == "long_name") {
      expect_kind(m, Kind::boolean, "true or false", extension_location_of(m));
    } else if (key == "workspace") {
      if (expect_kind(m, Kind::boolean, "true or false", extension_location_of(m)))
        tool_.needs_workspace = m.value.boolean;
    } else if (key == "rate") {
      read_rate(m);
    } else if (key == "run") {
      run(m);
    } else if (key == "errors") {
      tool_.errors = names(m, "ERROR_CODE", [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
    } else if (key == "permissions") {
      tool_.permissions =
          names(m, "a_permission", [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
    } else {
      add_finding(inner_location(extension_, key, m.key_offset),
                  "\"" + key + "\" is not known in \"x-snapgen\"" + suggestion_clause(key, extension_keys));
    }
  }

  std::string one_of(const Member& m, const std::vector<std::string_view>& known) {
    if (m.value.is(Kind::string) && std::ranges::find(known, m.value.text) != known.end())
      return m.value.text;
    std::string list;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (i) list += i + 1 == known.size() ? " or " : ", ";
      list += "\"" + std::string(known[i]) + "\"";
    }
    add_finding(extension_location_of(m),
                "\"" + m.key + "\" is not " + list + suggestion_clause(m.value.text, known));
    return {};
  }

  std::uint32_t count(const Member& m, const SourceLocation& location) {
    return count_of(m, location, findings_);
  }

  void read_rate(const Member& m) {
    if (m.value.is(Kind::string))
      tool_.rate_words = m.value.text;
    else
      tool_.rate = rate_of(m, extension_location_of(m), tool_.input, findings_);
  }

  void run(const Member& m) {
    SourceLocation location = extension_location_of(m);
    if (!expect_kind(m, Kind::object, "an object", location)) return;
    RunCommand run;
    for (const Member& each : m.value.members) {
      SourceLocation here = inner_location(location, each.key, each.value.offset);
      if (each.key == "command") {
        run.command = texts(each, here);
        const std::vector<Node>& words = each.value.items;
        if (each.value.is(Kind::array) &&
            (words.empty() || (words[0].is(Kind::string) && words[0].text.empty())))
          add_finding(here, "\"command\" is a list of a program and its arguments");
      } else if (each.key == "environment") {
        run.environment = texts(each, here);
        for (const std::string& name : run.environment)
          if (name.empty() || name.find('=') != std::string::npos)
            add_finding(here, "\"environment\" lists names of variables, not their values");
      } else if (each.key == "folder") {
        if (expect_kind(each, Kind::string, "a string", here)) run.folder = each.value.text;
        if (!is_below_workspace(run.folder))
          add_finding(here, "\"folder\" is a path below the workspace, without \"..\"");
      } else if (each.key == "output_bytes_max") {
        run.output_bytes_max = count(each, here);
      } else {
        add_finding(
            here, "\"" + each.key + "\" is not known in \"run\"" +
                      suggestion_clause(each.key, {"command", "environment", "folder", "output_bytes_max"}));
      }
    }
    if (!m.value.find("command")) add_finding(location, "\"command\" is missing");
    tool_.run_command = std::move(run);
  }

  static bool is_below_workspace(const std::string& path) {
    if (path.starts_with('/')) return false;
    for (std::size_t at = 0; at <= path.size();) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      if (std::string_view(path).substr(at, end - at) == "..") return false;
      at = end + 1;
    }
    return true;
  }

  // Reads a list of texts. They may contain anything but NUL, which program arguments cannot contain.
  std::vector<std::string> texts(const Member& m, const SourceLocation& location) {
    std::vector<std::string> found;
    if (!expect_kind(m, Kind::array, "a list of texts", location)) return found;
    for (std::size_t i = 0; i < m.value.items.size(); ++i) {
      const Node& each = m.value.items[i];
      if (each.is(Kind::string) && each.text.find('\0') == std::string::npos)
        found.push_back(each.text);
      else
        add_finding(inner_location(location, std::to_string(i), each.offset), "it is not a text without NUL");
    }
    return found;
  }

  template <class Allowed>
  std::vector<std::string> names(const Member& m, std::string_view example, Allowed allowed) {
    std::vector<std::string> found;
    if (!expect_kind(m, Kind::array, "a list of names", extension_location_of(m))) return found;
    for (std::size_t i = 0; i < m.value.items.size(); ++i) {
      const Node& each = m.value.items[i];
      bool fits = each.is(Kind::string) && !each.text.empty() && std::ranges::all_of(each.text, allowed);
      if (fits)
        found.push_back(each.text);
      else
        add_finding(inner_location(extension_location_of(m), std::to_string(i), each.offset),
                    "a name in \"" + m.key + "\" is written like \"" + std::string(example) + "\"");
    }
    return found;
  }

  void check_rendering() {
    const Node* result = extension_value("result");
    if (!result) return;
    SourceLocation location = inner_location(extension_, "result", result->offset);
    const bool shows = tool_.rendering == Rendering::structured || tool_.rendering == Rendering::summarized;
    if (shows && !tool_.output)
      add_finding(location,
                  "\"" + result->text + "\" shows the output as text, and there is no \"outputSchema\"");
    if (tool_.rendering == Rendering::text && tool_.output)
      add_finding(location, "\"text\" gives no structured content, which \"outputSchema\" promises");
  }

  const File& file_;
  Findings& findings_;
  ToolFile tool_;
  SourceLocation extension_;
};

}  // namespace

std::vector<std::string_view> known_tool_keys() { return tool_keys; }
std::vector<std::string_view> known_extension_keys() { return extension_keys; }

ToolFile read_tool(const File& file, const Schema* input, const Schema* output, Findings& findings) {
  return ToolChecker(file, findings).run(input, output);
}

RateLimit rate_of(const Member& m, const SourceLocation& location, const Schema* input, Findings& findings) {
  RateLimit rate;
  std::vector<std::string_view> known = {"burst", "per_minute"};
  if (input) known.push_back("by");
  if (!m.value.is(Kind::object)) {
    findings.add(location, input ? "\"rate\" is neither an object nor a text" : "\"rate\" is not an object");
    return rate;
  }
  for (const Member& each : m.value.members) {
    SourceLocation here = inner_location(location, each.key, each.value.offset);
    if (each.key == "per_minute")
      rate.per_minute = count_of(each, here, findings);
    else if (each.key == "burst")
      rate.burst = count_of(each, here, findings);
    else if (each.key == "by" && input)
      separate_by(rate, each, here, *input, findings);
    else
      findings.add(here,
                   "\"" + each.key + "\" is not known in \"rate\"" + suggestion_clause(each.key, known));
  }
  if (!m.value.find("per_minute")) findings.add(location, "\"per_minute\" is missing");
  if (!m.value.find("burst")) rate.burst = rate.per_minute;
  return rate;
}

void check_message_extension(const File& file, Findings& findings) {
  const Node& root = file.document.root;
  const Node* extension = root.find("x-snapgen");
  const Node* formats = extension ? extension->find("formats") : nullptr;
  if (!formats) return;
  if (formats->is(Kind::string) && (formats->text == "annotate" || formats->text == "assert")) return;
  SourceLocation location =
      inner_location(SourceLocation{.file = &file, .offset = root.offset}, "x-snapgen", extension->offset);
  findings.add(inner_location(location, "formats", formats->offset),
               "\"formats\" is not \"annotate\" or \"assert\"");
}

}  // namespace snapgen::codegen
