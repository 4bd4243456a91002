#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schemas/facade/snapback_context.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/engine/base/phrase.h"

namespace snapgen::tools {
namespace {

struct ContextOptions {
  std::string domain;
  std::string name;
  std::optional<double> value;
  bool force = false;
};

std::string number(double value) {
  std::string out;
  json::Writer(out).number(value);
  return out;
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& each : items) out += (out.empty() ? "" : ", ") + each;
  return out;
}

void add_constraint(Facts& facts, const Constraint& constraint) {
  const std::string unit = constraint.unit ? " " + *constraint.unit : "";
  if (constraint.min) facts.emplace_back("at least", number(*constraint.min) + unit);
  if (constraint.max) facts.emplace_back("at most", number(*constraint.max) + unit);
  if (constraint.description) facts.emplace_back("about", *constraint.description);
}

std::string blockers_of(const SnapbackContextOutputData& data, const Terminal& out) {
  if (!data.blockers) return "";
  AlignedRows rows;
  for (const Blocker& each : *data.blockers) {
    const Colour colour = each.severity == BlockerSeverity::high     ? Colour::red
                          : each.severity == BlockerSeverity::medium ? Colour::yellow
                                                                     : Colour::plain;
    rows.add({{std::string(text(each.severity)), colour}, {each.id.value_or("")}, {each.description}});
  }
  return rows.empty() ? "" : "blockers\n" + rows.text(out, 2);
}

std::string context_text(const SnapbackContextOutputData& data, const std::string& summary,
                         const Terminal& out) {
  // For `build` and `status`, the output is the text that models get.
  if (data.op == ContextOp::build && data.context)
    return out.sanitized(*data.context) + (data.context->ends_with('\n') ? "" : "\n");
  std::string text = printable(summary) + "\n";
  Facts facts;
  if (data.name && !data.name->empty()) facts.emplace_back("project", *data.name);
  if (data.phase && !data.phase->empty()) facts.emplace_back("phase", *data.phase);
  if (data.stack && !data.stack->empty()) facts.emplace_back("stack", joined(*data.stack));
  if (data.constraints && !data.constraints->empty()) facts.emplace_back("limits", joined(*data.constraints));
  if (data.constraint) add_constraint(facts, *data.constraint);
  if (data.path) facts.emplace_back("file", *data.path);
  if (data.valid) facts.emplace_back(".ctx", *data.valid ? "fresh" : "not current");
  return text + facts_text(facts, out) + blockers_of(data, out);
}

// Returns 1 for a failed check, a stale context or a blocked project.
int exit_code_of(const SnapbackContextOutputData& data) {
  switch (data.op) {
    case ContextOp::check: return data.passed.value_or(true) ? exit_done : exit_failed_or_found;
    case ContextOp::validate: return data.valid.value_or(true) ? exit_done : exit_failed_or_found;
    case ContextOp::blockers:
      return data.blockers && !data.blockers->empty() ? exit_failed_or_found : exit_done;
    case ContextOp::init:
    case ContextOp::build:
    case ContextOp::status:
    case ContextOp::constraint: break;
  }
  return exit_done;
}

Result<int> run_context(const Invocation& invocation, const ContextOptions& options, ContextOp op) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  SnapbackContextInput input{.op = op, .force = options.force, .value = options.value};
  if (!options.domain.empty()) input.domain = options.domain;
  if (!options.name.empty()) input.name = options.name;
  ToolAnswer<SnapbackContextOutput> made = TRY(caller->call<SnapbackContextOutput>(input));
  const SnapbackContextOutputData& data = made.output.data;
  return print_answer(invocation, made.json(), context_text(data, made.summary, invocation.out),
                      exit_code_of(data));
}

}  // namespace

void add_context_command(CLI::App& program, Invocation& invocation) {
  CLI::App& context =
      add_group(program, "ctx", "The shared context of a project: .snapback/ctx/context.json.");
  auto options = std::make_shared<ContextOptions>();
  const auto add = [&](const CommandText& text, ContextOp op) -> CLI::App& {
    return add_command(context, invocation, text,
                       [options, op](const Invocation& parsed) { return run_context(parsed, *options, op); });
  };
  const auto add_limit = [&](CLI::App& command) {
    command.add_option("DOMAIN", options->domain, "The kind of limit: bundle.")->required();
    command.add_option("NAME", options->name, "The name of the limit: size.")->required();
  };
  add({.name = "init",
       .description = "Create context.json from the content of the workspace.",
       .examples = {{"snap ctx init", ""}}},
      ContextOp::init)
      .add_flag("--force", options->force, "Overwrite an existing file.");
  add({.name = "build",
       .description = "Write .ctx, a short text for models, from context.json, and print it.",
       .examples = {{"snap ctx build", ""}}},
      ContextOp::build);
  add({.name = "validate",
       .description = "Check context.json, and whether .ctx is up to date with it.",
       .examples = {{"snap ctx validate || snap ctx build", ""}},
       .exit_codes = "0 it is fresh; 1 it is not, or something failed; 2 the command line is wrong."},
      ContextOp::validate);
  add({.name = "status",
       .description = "Show the project at a glance.",
       .examples = {{"snap ctx status", ""}}},
      ContextOp::status);
  add_limit(add({.name = "constraint",
                 .description = "Show a limit.",
                 .examples = {{"snap ctx constraint bundle size", ""}}},
                ContextOp::constraint));
  CLI::App& check =
      add({.name = "check",
           .description = "Check a value against a limit.",
           .examples = {{"snap ctx check bundle size 240", ""}},
           .exit_codes = "0 it does; 1 it does not, or something failed; 2 the command line is wrong."},
          ContextOp::check);
  add_limit(check);
  check.add_option("VALUE", options->value, "The value.")->required();
  add({.name = "blockers",
       .description = "List what blocks the project.",
       .examples = {{"snap ctx blockers", ""}},
       .exit_codes = "0 nothing; 1 there are some, or something failed; 2 the command line is wrong."},
      ContextOp::blockers);
}

}  // namespace snapgen::tools
