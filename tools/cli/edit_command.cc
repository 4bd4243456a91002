#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/mcp/render.h"
#include "schemas/substrate/workspace_apply_patch.h"
#include "schemas/substrate/workspace_edit.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/cli/diff_colours.h"
#include "tools/cli/path_words.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"

namespace snapgen::tools {
namespace {

// Returns the content of a file; `-` is standard input. Errors: not_found.
Result<std::string> content_of(const std::string& name) {
  using Bytes = std::istreambuf_iterator<char>;
  if (name == "-") return std::string(Bytes(std::cin), Bytes());
  std::ifstream file(name, std::ios::binary);
  if (!file)
    return Error(ErrorCode::not_found,
                 printable(name) + " cannot be read. Name a readable file, or - for standard input.");
  return std::string(Bytes(file), Bytes());
}

// Returns the rows of changed files, and what was done.
template <class File>
std::string changed_files_text(const std::vector<File>& files, bool is_applied,
                               const std::optional<std::string>& undo, const Terminal& out) {
  AlignedRows rows;
  for (const File& file : files) {
    const std::string from = file.from ? displayed_path(*file.from) + " -> " : std::string();
    rows.add({{std::string(text(file.status)), Colour::dim}, {from + displayed_path(file.path)}});
  }
  const std::string count = core::count_with_noun(static_cast<std::int64_t>(files.size()), "file");
  std::string words = rows.text(out, 2);
  if (!is_applied) return words + "Would change " + count + ".\n";
  words += files.empty() ? "Nothing to change." : "Changed " + count + ".";
  if (undo) words += " To go back, restore " + core::short_snapshot_id(*undo) + ".";
  return words + "\n";
}

// Returns the coloured diff of a dry run. Errors: internal (a damaged answer).
template <class Answer>
Result<std::string> planned_diff_text(const Answer& answer, const Terminal& out) {
  std::string words;
  if (answer.diff) {
    const std::string diff = TRY(core::bytes_of_text(*answer.diff));
    words = coloured_diff(out.sanitized(diff), out);
  }
  if (answer.omitted_files)
    words +=
        "The diff of " + core::count_with_noun(*answer.omitted_files, "file") + " is too large to show.\n";
  return words;
}

// Returns the lines that differ where the file is most similar: "-" what was sent, "+" the file.
template <class Difference>
std::string difference_lines(const std::optional<std::vector<Difference>>& differences, const Terminal& out) {
  std::string lines;
  if (!differences) return lines;
  for (const Difference& each : *differences) {
    const std::string number = "  " + std::to_string(each.line) + " ";
    if (each.expected) lines += number + out.paint(Colour::red, "-" + printable(*each.expected)) + "\n";
    if (each.found) lines += number + out.paint(Colour::green, "+" + printable(*each.found)) + "\n";
  }
  return lines;
}

// ---- snap edit

struct EditOptions {
  std::string path;
  std::optional<std::string> old_text;
  std::optional<std::string> new_text;
  std::string edits_file;
  bool all = false;
  bool dry_run = false;
};

// Reads a JSON array of edits, or an object with the arguments of workspace.edit. Errors: invalid_argument.
Result<WorkspaceEditInput> edits_of_json(const std::string& text) {
  const bool is_array =
      text.find_first_not_of(" \t\r\n") < text.size() && text[text.find_first_not_of(" \t\r\n")] == '[';
  const std::string arguments = is_array ? "{\"edits\":" + text + "}" : text;
  json::Reader in(arguments);
  WorkspaceEditInput input;
  tools::read(in, input);
  in.end();
  if (!in.ok()) return mcp::invalid_arguments(in);
  return input;
}

Result<WorkspaceEditInput> edit_input_of(ToolCaller& caller, const EditOptions& options) {
  if (!options.edits_file.empty()) {
    if (!options.path.empty())
      return Error(ErrorCode::invalid_argument, "PATH and --edits exclude each other. Omit one of them.");
    const std::string text = TRY(content_of(options.edits_file));
    return edits_of_json(text);
  }
  if (options.path.empty() || !options.old_text || !options.new_text)
    return Error(ErrorCode::invalid_argument, "Pass PATH, --old and --new, or --edits FILE.");
  std::optional<std::vector<Path>> path;
  TRY(caller.resolve_paths({options.path}, path));
  FileEdit edit;
  edit.path = std::move(path->front());
  edit.old = core::text_of_bytes(*options.old_text);
  edit.new_ = core::text_of_bytes(*options.new_text);
  edit.all = options.all;
  WorkspaceEditInput input;
  input.edits.push_back(std::move(edit));
  return input;
}

std::string faults_text(const std::vector<EditFault>& faults, const Terminal& out) {
  std::string words;
  for (const EditFault& fault : faults) {
    words += "edits[" + std::to_string(fault.edit) + "] ";
    if (fault.path) words += displayed_path(*fault.path) + ": ";
    words += printable(fault.message) + "\n" + difference_lines(fault.nearest, out);
    if (fault.matches)
      for (const WorkspaceEditMatch& match : *fault.matches)
        words += "  " + displayed_path(match.path) + ":" + std::to_string(match.line) + "\n";
    if (fault.diff) words += coloured_diff(out.sanitized(*fault.diff), out);
  }
  return words + "Nothing was changed.\n";
}

Result<int> edit(const Invocation& invocation, const EditOptions& options) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  WorkspaceEditInput input = TRY(edit_input_of(*caller, options));
  input.dry_run = input.dry_run || options.dry_run;
  const ToolAnswer<WorkspaceEditOutput> made = TRY(caller->call<WorkspaceEditOutput>(input));
  const auto& edited = std::get<WorkspaceEdited>(made.output);
  const Terminal& out = invocation.out;
  if (!edited.faults.empty())
    return print_answer(invocation, made.json(), faults_text(edited.faults, out), exit_failed_or_found);
  std::string words = TRY(planned_diff_text(edited, out));
  words += changed_files_text(edited.files, edited.applied, edited.undo, out);
  if (edited.notes)
    for (const std::string& note : *edited.notes) words += printable(note) + "\n";
  return print_answer(invocation, made.json(), words);
}

// ---- snap apply

struct ApplyOptions {
  std::string file = "-";
  bool dry_run = false;
};

std::string rejects_text(const std::vector<WorkspaceApplyPatchReject>& rejects, const Terminal& out) {
  std::string words;
  for (const WorkspaceApplyPatchReject& reject : rejects) {
    const std::string path = reject.path ? displayed_path(*reject.path) : std::string("patch");
    if (reject.message) words += path + ": " + printable(*reject.message) + "\n";
    for (const WorkspaceRejectedHunk& hunk : reject.hunks) {
      words += path + " hunk " + std::to_string(hunk.number) + ": " + printable(hunk.message) + "\n";
      words += difference_lines(hunk.nearest, out);
      if (hunk.header) words += "  write " + printable(*hunk.header) + "\n";
    }
  }
  return words + "Nothing was changed.\n";
}

Result<int> apply(const Invocation& invocation, const ApplyOptions& options) {
  const std::string patch = TRY(content_of(options.file));
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  caller->set_argument_names({{"patch", "FILE"}});
  const WorkspaceApplyPatchInput input{.dry_run = options.dry_run, .patch = core::text_of_bytes(patch)};
  const ToolAnswer<WorkspaceApplyPatchOutput> made = TRY(caller->call<WorkspaceApplyPatchOutput>(input));
  const auto& patched = std::get<WorkspacePatched>(made.output);
  const Terminal& out = invocation.out;
  if (!patched.rejects.empty())
    return print_answer(invocation, made.json(), rejects_text(patched.rejects, out), exit_failed_or_found);
  std::string words = TRY(planned_diff_text(patched, out));
  words += changed_files_text(patched.files, patched.applied, patched.undo, out);
  return print_answer(invocation, made.json(), words);
}

}  // namespace

void add_edit_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<EditOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "edit",
       .description = "Replace a text of a file, or make the edits of the tool workspace_edit: all or none. "
                      "What is replaced is kept first.",
       .examples = {{"snap edit src/a.c --old 'int n;' --new 'int count;'", "a text that occurs once"},
                    {"snap edit --edits edits.json --dry-run", "show what the edits would change"}},
       .exit_codes = "0 done; 1 it failed, or an edit does not fit; 2 the command line is wrong."},
      [options](const Invocation& parsed) { return edit(parsed, *options); });
  command.add_option("PATH", options->path, "The file.");
  command.add_option("--old", options->old_text, "The text to replace, which occurs exactly once.")
      ->type_name("TEXT");
  command.add_option("--new", options->new_text, "The new text.")->type_name("TEXT");
  command.add_flag("--all", options->all, "Replace every occurrence.");
  command
      .add_option("--edits", options->edits_file, "A file with a JSON array of edits; - is standard input.")
      ->type_name("FILE");
  command.add_flag("--dry-run", options->dry_run, "Show the change as a diff, and write nothing.");
}

void add_apply_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<ApplyOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "apply",
       .description = "Apply a unified diff: all of it or nothing. What it replaces is kept first.",
       .examples = {{"snap apply fix.patch --dry-run", "show what the patch would change"},
                    {"git diff main feature | snap apply", "apply the differences of two branches"}},
       .exit_codes = "0 done; 1 it failed, or a hunk does not fit; 2 the command line is wrong."},
      [options](const Invocation& parsed) { return apply(parsed, *options); });
  command.add_option("FILE", options->file, "The patch. Default: standard input, as -.");
  command.add_flag("--dry-run", options->dry_run, "Show the change as a diff, and write nothing.");
}

}  // namespace snapgen::tools
