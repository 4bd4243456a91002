#include "codegen/model/route.h"

#include <algorithm>
#include <map>

#include "codegen/front/read_tool.h"
#include "runtime/base/ascii.h"

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Member;
using json::Node;

const Node* route_node(const File& file) {
  const Node* extension = file.document.root.find("x-snapgen");
  return extension ? extension->find("route") : nullptr;
}

bool is_plain(char c) { return is_alphanumeric(c) || c == '_' || c == '-'; }
bool is_name(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_plain(c) || c == '.'; });
}
// Returns whether the text is a path whose characters need no escaping, with a slash before each segment.
bool is_path(const std::string& text) {
  return text.starts_with('/') && !text.ends_with('/') && text.find("//") == std::string::npos &&
         std::ranges::all_of(text, [](char c) { return is_plain(c) || c == '/'; });
}

class RouteChecker {
 public:
  explicit RouteChecker(Findings& findings) : findings_(findings) {}

  void check(const File& file, const Node& route, const CheckedSchemas& checked) {
    const SourceLocation root{.file = &file, .offset = file.document.root.offset};
    location_ = inner_location(inner_location(root, "x-snapgen", route.offset), "route", route.offset);
    if (!route.is(Kind::object)) return findings_.add(location_, "\"route\" is not an object");
    for (const Member& each : route.members) member(each);
    for (std::string_view needed : {"name", "method", "path"})
      if (!route.find(needed)) findings_.add(location_, "\"" + std::string(needed) + "\" is missing");
    const auto found = checked.messages.find(&file);
    if (found == checked.messages.end() || resolved(*found->second).kinds != kinds::object)
      return findings_.add(location_, "the body of a request is an object: \"type\": \"object\" is missing");
    const Node* method = route.find("method");
    if (method && method->is(Kind::string) && method->text == "GET" &&
        !resolved(*found->second).properties.empty())
      findings_.add(inner_location(location_, "method", method->offset),
                    "a request with GET has no body, and so no \"properties\"");
    unique(file, route);
  }

 private:
  void member(const Member& each) {
    const SourceLocation here = inner_location(location_, each.key, each.value.offset);
    const bool is_text = each.value.is(Kind::string);
    const std::string& text = each.value.text;
    if (each.key == "name") {
      if (!is_text || !is_name(text))
        findings_.add(here, "\"name\" is not a name of letters, digits, \"_\", \"-\" and \".\"");
    } else if (each.key == "method") {
      if (!is_text || (text != "GET" && text != "POST"))
        findings_.add(here, "\"method\" is not \"GET\" or \"POST\"");
    } else if (each.key == "path") {
      if (!is_text || !is_path(text))
        findings_.add(here,
                      "\"path\" is not a path like /v1/things/find, of letters, digits, \"_\" and \"-\"");
    } else if (each.key == "repeatable") {
      if (!each.value.is(Kind::boolean)) findings_.add(here, "\"repeatable\" is not true or false");
    } else if (each.key == "rate") {
      rate_of(each, here, nullptr, findings_);
    } else {
      findings_.add(
          inner_location(location_, each.key, each.key_offset),
          "\"" + each.key + "\" is not known in \"route\"" + suggestion_clause(each.key, known_route_keys()));
    }
  }

  // Rejects routes with the same name, or the same method and path.
  void unique(const File& file, const Node& route) {
    const Node* name = route.find("name");
    const Node* method = route.find("method");
    const Node* path = route.find("path");
    if (name && name->is(Kind::string)) {
      const auto [other, is_new] = names_.emplace(name->text, &file);
      if (!is_new)
        findings_.add(inner_location(location_, "name", name->offset),
                      "the name \"" + name->text + "\" is taken by " + other->second->path);
    }
    if (method && path && method->is(Kind::string) && path->is(Kind::string)) {
      const auto [other, is_new] = places_.emplace(method->text + " " + path->text, &file);
      if (!is_new)
        findings_.add(inner_location(location_, "path", path->offset),
                      "the requests of " + other->second->path + " go to the same path");
    }
  }

  Findings& findings_;
  SourceLocation location_;
  std::map<std::string, const File*> names_;
  std::map<std::string, const File*> places_;
};

}  // namespace

std::vector<std::string_view> known_route_keys() { return {"method", "name", "path", "rate", "repeatable"}; }

std::optional<RouteDefinition> route_of(const File& file) {
  const Node* route = file.kind == FileKind::message && !file.foreign ? route_node(file) : nullptr;
  if (!route) return std::nullopt;
  const Node* repeatable = route->find("repeatable");
  const std::string method = route->find("method")->text;
  std::optional<RateLimit> rate;
  Findings unused;  // The check stage has already reported these findings.
  for (const Member& each : route->members)
    if (each.key == "rate") rate = rate_of(each, {.file = &file, .offset = 0}, nullptr, unused);
  return RouteDefinition{.name = route->find("name")->text,
                         .method = method,
                         .path = route->find("path")->text,
                         .repeatable = repeatable ? repeatable->boolean : method == "GET",
                         .rate = rate};
}

void check_routes(const Sources& sources, const CheckedSchemas& checked, Findings& findings) {
  RouteChecker checker(findings);
  for (const auto& file : sources.files) {
    const Node* route = file->kind == FileKind::message && !file->foreign ? route_node(*file) : nullptr;
    if (route) checker.check(*file, *route, checked);
  }
}

}  // namespace snapgen::codegen
