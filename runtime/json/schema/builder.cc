#include "runtime/json/schema/builder.h"

#include <algorithm>

#include "runtime/json/tree.h"

namespace snapgen::json {

void PlanBuilder::run(const std::vector<const Node*>& roots) {
  for (const Node* each : roots) schema_index(*each);
  make_pending_steps();
  finish_dynamic_references();
  reject_reference_cycles();
}

void PlanBuilder::make_pending_steps() {
  for (; finished_count_ < schema_nodes_.size(); ++finished_count_)
    make_steps(static_cast<std::uint32_t>(finished_count_));
}

void PlanBuilder::make_steps(std::uint32_t index) {
  if (!schema_nodes_[index]) return;  // It was made by false_schema().
  const Node& node = *schema_nodes_[index];
  current_schema_ = &node;
  steps_.clear();
  const std::uint32_t resource = resources_.resource_index_of(node);
  if (node.is(Kind::boolean)) {
    if (!node.boolean) add_step(Op::never);
  } else {
    const Dialect dialect = resources_.resource(resource).dialect;
    const Keywords keywords(node, dialect);
    add_references(node, keywords);
    if (!dialect.is_draft7 || !keywords[Keyword::ref]) {
      add_value_steps(keywords, dialect);
      add_applicators(keywords, dialect);
    }
  }
  std::ranges::stable_sort(steps_, {}, &Step::op);
  const auto first = static_cast<std::uint32_t>(plan_.steps.size());
  plan_.steps.insert(plan_.steps.end(), steps_.begin(), steps_.end());
  const bool unevaluated = std::ranges::any_of(steps_, [](const Step& each) {
    return each.op == Op::unevaluated_items || each.op == Op::unevaluated_properties;
  });
  plan_.schemas[index] = {.first = first,
                          .count = static_cast<std::uint32_t>(steps_.size()),
                          .resource = resource,
                          .has_unevaluated_step = unevaluated};
}

// A $dynamicRef may refer to the anchor of its name in any resource that evaluation can enter: any that has a
// schema in the plan. The schema of such an anchor may add resources, so the search is repeated.
void PlanBuilder::finish_dynamic_references() {
  // For each anchor, the schemas that it names, by resource.
  std::map<std::string, std::map<std::uint32_t, std::uint32_t>> targets;
  for (bool more = !dynamic_anchors_.empty(); more;) {
    more = false;
    std::set<std::uint32_t> passed;
    for (const PlanSchema& each : plan_.schemas) passed.insert(each.resource);
    for (std::size_t i = 0; i < dynamic_anchors_.size(); ++i) {
      for (const std::uint32_t resource : passed) {
        const auto& anchors = resources_.resource(resource).dynamic_anchors;
        const auto found = anchors.find(dynamic_anchors_[i]);
        if (found == anchors.end()) continue;
        const auto [entry, is_new] = targets[dynamic_anchors_[i]].try_emplace(resource, 0);
        if (!is_new) continue;
        entry->second = schema_index(*found->second);
        more = true;
      }
    }
    make_pending_steps();
  }
  for (Step& each : plan_.steps) {
    if (each.op != Op::dynamic_reference) continue;
    const auto& known = targets[dynamic_anchors_[each.b]];
    if (known.size() <= 1) {
      each = {.op = Op::reference, .a = each.a};
      continue;
    }
    std::vector<std::uint32_t> pairs;
    for (const auto& [resource, target] : known) pairs.insert(pairs.end(), {resource, target});
    each.b = append_list(pairs);
    each.c = static_cast<std::uint32_t>(known.size());
  }
}

// Rejects schemas that apply each other to the same value in a circle, because evaluation would not end.
void PlanBuilder::reject_reference_cycles() {
  current_schema_ = nullptr;
  enum class Mark : std::uint8_t { unseen, open, done };
  std::vector<Mark> marks(plan_.schemas.size(), Mark::unseen);
  const auto same_value = [&](const Step& step) {
    std::vector<std::uint32_t> out;
    const auto listed = [&](std::uint32_t stride, std::uint32_t first) {
      for (std::uint32_t i = first; i < step.b; i += stride) out.push_back(plan_.lists[step.a + i]);
    };
    switch (step.op) {
      case Op::all_of:
      case Op::any_of:
      case Op::one_of: listed(1, 0); break;
      case Op::dependent_schemas: listed(2, 1); break;
      case Op::condition: out = {step.a, step.b, step.c}; break;
      case Op::reference:
      case Op::none_of: out = {step.a}; break;
      default: break;
    }
    std::erase(out, no_index);
    return out;
  };
  struct Open {
    std::uint32_t schema;
    std::vector<std::uint32_t> left;
  };
  const auto open = [&](std::uint32_t index) {
    marks[index] = Mark::open;
    Open made{.schema = index};
    const PlanSchema& it = plan_.schemas[index];
    for (std::uint32_t i = 0; i < it.count; ++i) {
      for (const std::uint32_t each : same_value(plan_.steps[it.first + i])) made.left.push_back(each);
    }
    return made;
  };
  for (std::uint32_t start = 0; start < marks.size(); ++start) {
    if (marks[start] != Mark::unseen) continue;
    std::vector<Open> path;
    path.push_back(open(start));
    while (!path.empty()) {
      Open& last = path.back();
      if (last.left.empty()) {
        marks[last.schema] = Mark::done;
        path.pop_back();
        continue;
      }
      const std::uint32_t next = last.left.back();
      last.left.pop_back();
      if (marks[next] == Mark::open)
        add_problem(*schema_nodes_[last.schema], "this schema applies itself to the same value without end");
      else if (marks[next] == Mark::unseen)
        path.push_back(open(next));
    }
  }
}

std::uint32_t PlanBuilder::schema_index(const Node& node) {
  const auto [entry, is_new] =
      schema_indexes_.try_emplace(&node, static_cast<std::uint32_t>(schema_nodes_.size()));
  if (is_new) {
    schema_nodes_.push_back(&node);
    plan_.schemas.emplace_back();
  }
  return entry->second;
}

std::uint32_t PlanBuilder::false_schema() {
  if (has_false_schema_) return false_schema_;
  has_false_schema_ = true;
  false_schema_ = static_cast<std::uint32_t>(schema_nodes_.size());
  schema_nodes_.push_back(nullptr);
  plan_.schemas.push_back({.first = static_cast<std::uint32_t>(plan_.steps.size()), .count = 1});
  plan_.steps.push_back({.op = Op::never});
  return false_schema_;
}

std::uint32_t PlanBuilder::subschema_index(const Member& member, const Node& node) {
  if (node.is(Kind::object) || node.is(Kind::boolean)) return schema_index(node);
  add_problem(node, "\"" + member.key + "\": a schema is an object, true or false");
  return 0;
}

std::uint32_t PlanBuilder::text_index(std::string_view text) {
  if (const auto known = text_indexes_.find(text); known != text_indexes_.end()) return known->second;
  const auto index = static_cast<std::uint32_t>(plan_.texts.size());
  plan_.texts.push_back(plan_.strings.emplace_back(text));
  text_indexes_.emplace(text, index);
  return index;
}

std::uint32_t PlanBuilder::pattern_index(const Member& member, std::string_view source, std::size_t offset) {
  if (const auto known = pattern_indexes_.find(source); known != pattern_indexes_.end()) return known->second;
  if (const std::optional<std::string> problem = pattern_error(source)) {
    problems_.push_back(
        {resources_.document_uri_of(*current_schema_), offset, "\"" + member.key + "\": " + *problem});
    return 0;
  }
  const auto index = static_cast<std::uint32_t>(plan_.patterns.size());
  plan_.patterns.push_back(&plan_.owned_patterns.emplace_back(plan_.strings.emplace_back(source)));
  pattern_indexes_.emplace(source, index);
  return index;
}

PlanConstant PlanBuilder::constant_of(const Node& node) {
  std::string text;
  switch (node.kind) {
    case Kind::string:
    case Kind::number: text = node.text; break;
    case Kind::boolean: text = node.boolean ? "true" : "false"; break;
    case Kind::object:
    case Kind::array: text = normal_form(node); break;
    case Kind::null:
    case Kind::invalid: text = "null"; break;
  }
  return {.kind = node.kind, .text = plan_.strings.emplace_back(std::move(text))};
}

std::vector<std::uint32_t> PlanBuilder::read_name_list(const Member& member, const Node& list) {
  std::vector<std::uint32_t> out;
  std::set<std::string_view> seen;
  if (!expect_kind(member, list, Kind::array, "a list of names")) return out;
  for (const Node& each : list.items) {
    if (!each.is(Kind::string))
      add_problem(each, "\"" + member.key + "\" is not a list of names");
    else if (seen.insert(each.text).second)
      out.push_back(text_index(each.text));
    else
      add_problem(each, "\"" + each.text + "\" is listed twice");
  }
  return out;
}

std::uint32_t PlanBuilder::append_list(const std::vector<std::uint32_t>& list) {
  const auto from = static_cast<std::uint32_t>(plan_.lists.size());
  plan_.lists.insert(plan_.lists.end(), list.begin(), list.end());
  return from;
}

void PlanBuilder::add_step(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  steps_.push_back({.op = op, .a = a, .b = b, .c = c});
}

bool PlanBuilder::expect_kind(const Member& member, const Node& node, Kind kind, std::string_view words) {
  if (node.is(kind)) return true;
  add_problem(node, "\"" + member.key + "\" is not " + std::string(words));
  return false;
}

void PlanBuilder::add_problem(const Node& node, std::string message) {
  problems_.push_back({resources_.document_uri_of(current_schema_ ? *current_schema_ : node), node.offset,
                       std::move(message)});
}

// ---- The functions of compile.h.

Plan OwnedPlan::plan() const {
  return {.schemas = schemas,
          .steps = steps,
          .lists = lists,
          .texts = texts,
          .constants = constants,
          .patterns = patterns};
}

std::unique_ptr<OwnedPlan> compile_plan(SchemaResources& resources, const std::vector<const Node*>& roots,
                                        const PlanOptions& options, SchemaProblems& problems) {
  auto plan = std::make_unique<OwnedPlan>();
  PlanBuilder(resources, options, *plan, problems).run(roots);
  return plan;
}

}  // namespace snapgen::json
