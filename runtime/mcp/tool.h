#pragma once
// The interface between a session and the generated code for tools: constants for each tool, and a ToolSet
// that finds and calls tools. The session knows tools through this header only.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/async/task.h"
#include "runtime/base/result.h"

namespace snapgen::mcp {

class Call;

// The forms of tools/list, which differ in the fields of a Tool object that a protocol revision knows.
enum class ListingForm : std::uint8_t {
  v2024_11_05,  // name, description, inputSchema
  v2025_03_26,  // the same and annotations
  v2025_06_18,  // the same and title, outputSchema (of an object), _meta; also for 2025-11-25
  v2026_07_28,  // the same, with any outputSchema
};
inline constexpr std::size_t listing_form_count = 4;

// How much of each outputSchema tools/list contains, if the listing form has outputSchema.
enum class OutputSchemaDetail : std::uint8_t {
  brief,   // As in Tool::listing: each branch with the members that distinguish it.
  merged,  // Tool::merged_output_schema.
  none,
};

// The outputSchemas that a client sees.
struct OutputSchemaForm {
  OutputSchemaDetail detail = OutputSchemaDetail::brief;
  // The members that answers to this client omit. OutputSchemaDetail::merged omits them too.
  std::span<const std::string_view> omitted_members = {};
};

enum class Spelling : std::uint8_t { safe, dotted };  // such as snapshot_create and snapshot.create

// Whether a call may become a task (tasks.h).
enum class TaskUse : std::uint8_t { never, optional, required };

// An argument, at any depth, whose text has a meaning that its schema names as x-snapgen.brand, such as Path.
struct BrandedArgument {
  std::string_view name;
  std::string_view brand;
};

struct Tool {
  std::string_view name;       // with dots, as in the schema file
  std::string_view safe_name;  // the same with `_` for `.`
  std::string_view family;
  std::uint32_t deadline_ms;  // 0 if the tool has no deadline
  // The Tool object for tools/list, as canonical JSON with $refs inlined, by form and spelling.
  std::string_view listing[listing_form_count][2];
  // An outputSchema of one object, with the members of all kinds of result except failures; empty if none.
  std::string_view merged_output_schema;
  std::string_view tier = {};         // the lowest that may call it: free, pro, enterprise; empty: all
  std::uint32_t rate_per_minute = 0;  // 0 if not limited
  std::uint32_t rate_burst = 0;       // size of a burst, in calls
  // The argument whose values have separate rate limits, and these values; empty if all calls share one
  // limit.
  std::string_view rate_argument = {};
  std::span<const std::string_view> rate_values = {};
  std::span<const BrandedArgument> branded_arguments = {};
  TaskUse task = TaskUse::never;
  bool needs_workspace = false;  // rejected by a server without a workspace
  bool is_hidden = false;        // in no list and profile, and callable in all of them
};

struct Profile {
  std::string_view name;
  std::span<const std::uint16_t> tools;  // indexes into ToolSet::all(), sorted by tool name
};

// Writes an error in the form of a family: replaces `text`, which is empty, by the text that the client gets.
using ErrorWriter = void (*)(std::string& text, const Error& error);

class ToolSet {
 public:
  virtual std::span<const Tool> all() const = 0;
  // Finds a tool by either spelling, with a perfect hash. Returns null if there is none.
  virtual const Tool* find(std::string_view name) const = 0;
  virtual std::span<const Profile> profiles() const = 0;
  // Returns whether calls of the tool can work in this server. Lists omit other tools. A call of one that is
  // in the profile fails with the reason.
  virtual bool can_work(const Tool&) const { return true; }
  // Reads `arguments` (one JSON object; valid until the returned task first suspends) into the tool's input,
  // runs its handler, and appends a CallToolResult's members, without the braces and in canonical order, to
  // `result`:
  //   "content":[...],"isError":true | "content":[...] | "content":[...],"structuredContent":{...}
  // The renderer of the call writes them. A failed handler or invalid arguments become an isError result. The
  // task itself returns no other error than `cancelled`, for which no answer is sent.
  virtual Task<Unit> call(const Tool& tool, Call& call, std::string_view arguments, std::string& result) = 0;
  // Returns the function that writes errors in the form of the tool's family.
  virtual ErrorWriter error_writer(const Tool& tool) const = 0;
  // Appends the members of an isError result for a call that failed while its handler is still running, such
  // as by its deadline. `client_name` is what the client calls itself.
  virtual void append_unfinished_result(const Tool& tool, std::string_view client_name, const Error& error,
                                        std::string& result) const;

 protected:
  ~ToolSet() = default;
};

}  // namespace snapgen::mcp
