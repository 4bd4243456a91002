#include "tools/server/prompts/prompt_texts.h"

#include <initializer_list>

#include "schemas/tool_names.h"
#include "tools/server/resources/route.h"

namespace snapgen::tools {
namespace {

// Steps is a numbered list in which each step uses a tool. Steps for tools that are not listed are omitted.
class Steps {
 public:
  explicit Steps(const mcp::Server& server) : server_(server) {}

  // Adds `sentence`, in which `@` stands for the first of `tools` that is listed. Returns false if none is
  // listed.
  bool with(std::initializer_list<std::string_view> tools, std::string_view sentence) {
    for (const std::string_view tool : tools) {
      const std::string_view name = server_.listed_name(tool);
      if (name.empty()) continue;
      std::string step(sentence);
      for (std::size_t at = step.find('@'); at != std::string::npos; at = step.find('@', at + name.size()))
        step.replace(at, 1, name);
      add(step);
      return true;
    }
    return false;
  }
  void add(std::string_view sentence) {
    text_ += std::to_string(++count_) + ". ";
    text_.append(sentence).append("\n");
  }
  const std::string& text() const { return text_; }

 private:
  const mcp::Server& server_;
  std::string text_;
  int count_ = 0;
};

std::string value_of(const PromptArguments& given, const std::string& name) {
  const auto found = given.find(name);
  return found == given.end() ? std::string() : found->second;
}

std::string start_task(const mcp::Server& server, const PromptArguments& given, const PromptSnapshot*) {
  const std::string files = value_of(given, "files");
  std::string text = "Work on this task: " + value_of(given, "task") + "\n";
  if (!files.empty()) text += "It is mainly about: " + files + "\n";
  text += "\nFollow these steps so that nothing is lost and nothing is guessed:\n";
  Steps steps(server);
  const bool begins =
      steps.with({tool_names::snap},
                 "Before you change anything call @ with mode start, the task, and the files you expect to "
                 "touch. It takes a snapshot that can be restored, and returns the risk and the learnings "
                 "from earlier work.") ||
      steps.with({tool_names::snapback_session},
                 "Before you change anything call @ with op start and the task; it returns the risk and the "
                 "learnings from earlier work.");
  if (!begins)
    steps.with({tool_names::snapshot_create},
               "Before you change anything call @ with paths [\".\"], and note the snapshot_id.");
  steps.with({tool_names::snapshot_file},
             "Read with @ and the related tools, and pass the lease_id of the first answer to the next "
             "reads: as long as they succeed, all of them show one state. On STALE_LEASE read the changed "
             "paths again without it.");
  steps.with({tool_names::workspace_apply_patch},
             "Change files with @, under the lease of your reads. A patch is all or nothing; a reject shows "
             "the content that it found instead.");
  const bool has_check = steps.with({tool_names::check},
                                    "When the change is complete, call @ and fix what it finds: first with "
                                    "the checks that run no programs, "
                                    "then with the workspace's tests.");
  if (!has_check)
    steps.with({tool_names::snapback_validate},
               "When the change is complete, call @ and fix what it finds: first with mode quick, then with "
               "mode comprehensive. It runs no tests: run those yourself.");
  steps.with({tool_names::snap_learn, tool_names::snapback_learn},
             "If something surprised you that later work should know, record it with @ in one sentence.");
  steps.with({tool_names::snap_end, tool_names::snapback_session},
             "At the end call @ to close the task, and say what was changed and why.");
  return text + steps.text();
}

std::string review_change(const mcp::Server& server, const PromptArguments& given,
                          const PromptSnapshot* snapshot) {
  const std::string focus = value_of(given, "focus");
  std::string text = "Review the uncommitted changes of this work tree";
  if (snapshot) text = "Review what was changed in this work tree since the snapshot " + snapshot->about;
  text += focus.empty() ? ".\n\n" : ". Focus on: " + focus + ".\n\n";
  Steps steps(server);
  steps.with({tool_names::snapshot_diff},
             snapshot ? "Call @ with against \"" + snapshot->id + "\" to see every change."
                      : std::string("Call @ with against \"head\" to see every change."));
  if (server.listed_name(tool_names::snapshot_diff).empty() && snapshot)
    steps.with({tool_names::snap_fix},
               "Call @ with action diff and id \"" + snapshot->id + "\" to see which files differ.");
  steps.with({tool_names::snapshot_file},
             "Read around each change with @, under one lease_id, until you know what the code relies on.");
  steps.with({tool_names::check},
             "Call @ with mode impact to see which files depend on the changed ones, and with mode quick for "
             "conflict markers and known violations.");
  steps.with({tool_names::snapback_analyze}, "Call @ with type risk for the changed files.");
  steps.add(
      "Report findings, the most harmful first: the file and line, what goes wrong and with which input, and "
      "how to fix it. Say what you did not review. Change nothing.");
  return text + steps.text();
}

std::string restore_safely(const mcp::Server& server, const PromptArguments& given,
                           const PromptSnapshot* snapshot) {
  const std::string paths = value_of(given, "paths");
  const std::string id = snapshot ? snapshot->id : value_of(given, "snapshot_id");
  std::string text = "Restore " + (paths.empty() ? "the files" : paths) + " as they were in the snapshot " +
                     (snapshot ? snapshot->about : id) + ", without losing the current content.\n\n";
  Steps steps(server);
  const bool has_diff =
      steps.with({tool_names::snapshot_changes},
                 "Call @ with snapshot_id \"" + id + "\" to see what differs from the work tree.");
  if (!has_diff)
    steps.with({tool_names::snap_fix},
               "Call @ with action diff and id \"" + id + "\" to see what differs from the work tree.");
  steps.add(
      "Tell me in a few lines what would be overwritten, and whose work that may be. Wait for my approval.");
  const bool restores =
      paths.empty() &&
      (steps.with({tool_names::snap_fix},
                  "Call @ with action restore, id \"" + id +
                      "\" and dryRun true, and then without dryRun. What it overwrites is captured first. "
                      "Note the snapshot that it names: restoring that snapshot undoes the restore.") ||
       steps.with({tool_names::snapback_snapshot_restore},
                  "Call @ with the snapshot \"" + id + "\"; what it overwrites is captured first."));
  if (!restores) {
    steps.with(
        {tool_names::snapshot_create},
        "Call @ with the paths that will be overwritten, so that they can be restored, and note the id.");
    steps.with({tool_names::snapshot_file},
               "Read each of them from the snapshot with @ and snapshot_id \"" + id + "\".");
    steps.with({tool_names::workspace_write_file},
               "Write each back with @ and expected_blob, so that no newer edit is overwritten unnoticed.");
  }
  steps.with({tool_names::check, tool_names::snapback_validate}, "Call @ to check the restored files.");
  return text + steps.text();
}

std::string author_tool(const mcp::Server&, const PromptArguments& given, const PromptSnapshot*) {
  const std::string name = value_of(given, "name");
  return "Write a new tool for this server: `" + name + "`. " + value_of(given, "purpose") +
         "\n\nA tool is one JSON file and something that runs. Without C++ it is a command: the server is "
         "started with "
         "`--tools FOLDER`, or `.snapback/config.json` names the folder as `tools`, and each file there is a "
         "tool:\n\n"
         "```json\n"
         "{\n"
         "  \"name\": \"" +
         name +
         "\",\n"
         "  \"title\": \"Two or three words\",\n"
         "  \"description\": \"What it does, when to call it, and what it does not do: the model chooses by "
         "this.\",\n"
         "  \"annotations\": { \"readOnlyHint\": true },\n"
         "  \"inputSchema\": {\n"
         "    \"type\": \"object\",\n"
         "    \"additionalProperties\": false,\n"
         "    \"required\": [\"text\"],\n"
         "    \"properties\": { \"text\": { \"type\": \"string\", \"maxLength\": 1000, \"description\": "
         "\"...\" } }\n"
         "  },\n"
         "  \"x-snapgen\": {\n"
         "    \"family\": \"own\",\n"
         "    \"deadline_ms\": 10000,\n"
         "    \"errors\": [\"INVALID_ARGUMENT\", \"UNAVAILABLE\"],\n"
         "    \"run\": { \"command\": [\"./" +
         name +
         ".py\"] },\n"
         "    \"examples\": [{ \"name\": \"Usual\", \"arguments\": { \"text\": \"hello\" } }]\n"
         "  }\n"
         "}\n"
         "```\n\n"
         "1. Ask me what is unclear about its input and output before you write anything.\n"
         "2. Write the file: every field described and limited, no unnecessary field, an example for each "
         "way of calling it.\n"
         "3. Write the command: it reads the arguments as one JSON object on standard input and writes its "
         "result as "
         "one JSON value on standard output; it ends with another exit code than 0, and a sentence on "
         "standard error, "
         "if it fails.\n"
         "4. Run `snapgen check` on the folder and fix what it reports; then try it with each example, "
         "and with "
         "wrong arguments.\n";
}

constexpr PromptParameter task_parameters[] = {
    {.name = "task", .description = "The task, in one sentence.", .required = true},
    {.name = "files", .description = "The main paths of the task, separated by commas."}};
constexpr PromptParameter review_parameters[] = {
    {.name = "snapshot_id", .description = "What to compare with; absent: HEAD."},
    {.name = "focus",
     .description = "The focus of the review: security, errors, speed, tests, style, or anything else."}};
constexpr PromptParameter restore_parameters[] = {
    {.name = "snapshot_id", .description = "The snapshot to restore.", .required = true},
    {.name = "paths", .description = "Paths to restore, separated by commas; absent: every file."}};
constexpr PromptParameter author_parameters[] = {
    {.name = "name", .description = "Its name: letters, digits, _ and dots.", .required = true},
    {.name = "purpose", .description = "What it is to do, and for whom.", .required = true}};

constexpr std::string_view task_tools[] = {tool_names::snap, tool_names::snapback_session,
                                           tool_names::snapshot_create};
constexpr std::string_view review_tools[] = {tool_names::snapshot_diff, tool_names::check,
                                             tool_names::snapback_analyze};
constexpr std::string_view restore_tools[] = {tool_names::snap_fix, tool_names::snapback_snapshot_restore,
                                              tool_names::workspace_write_file};

constexpr PromptKind kinds[] = {
    {.name = "start_task",
     .title = "Start a task",
     .description =
         "Does a task with a snapshot at the start, reads under one lease, and a check at the end.",
     .parameters = task_parameters,
     .needed_tools = task_tools,
     .write = &start_task,
     .resource = worktree_uri},
    {.name = "review_change",
     .title = "Review a change",
     .description = "Reviews what was changed since HEAD or since a snapshot, with what depends on it.",
     .parameters = review_parameters,
     .needed_tools = review_tools,
     .write = &review_change,
     .resource = worktree_uri},
    {.name = "restore_safely",
     .title = "Restore safely",
     .description = "Restores files from a snapshot without losing the current content.",
     .parameters = restore_parameters,
     .needed_tools = restore_tools,
     .write = &restore_safely},
    {.name = "author_tool",
     .title = "Author a tool",
     .description = "Writes a new tool for this server: its schema file, what runs it, and its examples.",
     .parameters = author_parameters,
     .write = &author_tool,
     .resource = "snapgen://reference/guide.md"},
};

}  // namespace

std::span<const PromptKind> prompt_kinds() { return kinds; }

}  // namespace snapgen::tools
