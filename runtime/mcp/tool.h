#pragma once
// The generator's description of what a server offers: constants per tool, and one function that finds,
// reads, calls and writes. The session knows tools through this header only.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/async/task.h"
#include "runtime/base/result.h"

namespace snapgen::mcp {

class Call;

// Which fields of a Tool object a protocol revision knows.
enum class ListingForm : std::uint8_t {
  v2024_11_05,  // name, description, inputSchema
  v2025_03_26,  // + annotations
  v2025_06_18,  // + title, outputSchema (root must be an object), _meta; also 2025-11-25
  v2026_07_28,  // any root of outputSchema
};
inline constexpr std::size_t listing_forms = 4;

// How much of each outputSchema tools/list shows, if the listing form has it.
enum class OutputSchemas : std::uint8_t {
  brief,  // As in Tool::listing: the branches, and the members that distinguish them.
  whole,  // Tool::output_schema.
  none,
};

enum class Spelling : std::uint8_t { safe, dotted };  // snapshot_create, snapshot.create

// Whether a call may become a task (tasks.h).
enum class TaskUse : std::uint8_t { never, optional, required };

struct Tool {
  std::string_view name;       // dotted, as the schema file has it
  std::string_view safe_name;  // the same with `_` for `.`
  std::string_view family;
  std::uint32_t deadline_ms;  // 0: none
  // The canonical Tool object for tools/list, $refs inlined: listing[form][spelling].
  std::string_view listing[listing_forms][2];
  std::string_view output_schema;     // canonical, $refs inlined; empty if none
  std::string_view tier = {};         // lowest tier that may call it: free, pro, enterprise; empty: all
  std::uint32_t rate_per_minute = 0;  // 0: not limited
  std::uint32_t rate_burst = 0;       // size of a burst, in calls
  // The argument whose values have separate limits, and these values; empty: all calls share one.
  std::string_view rate_by = {};
  std::span<const std::string_view> rate_values = {};
  TaskUse task = TaskUse::never;
  bool needs_workspace = false;  // rejected where there is none
};

struct Profile {
  std::string_view name;
  std::span<const std::uint16_t> tools;  // indexes into ToolSet::all(), in order of name
};

class ToolSet {
 public:
  virtual std::span<const Tool> all() const = 0;
  // Finds a tool by either spelling, with a perfect hash. Returns null if there is none.
  virtual const Tool* find(std::string_view name) const = 0;
  virtual std::span<const Profile> profiles() const = 0;
  // Reads `arguments` (one JSON object; valid until the returned task first suspends) into the tool's input,
  // runs its handler, and appends a CallToolResult's members, without the braces and in canonical order, to
  // `result`:
  //   "content":[...],"isError":true | "content":[...] | "content":[...],"structuredContent":{...}
  // A failed handler or invalid arguments become an isError result in the family's form. The task's own error
  // is only ever `cancelled`, for which no answer is sent.
  virtual Task<Unit> call(const Tool& tool, Call& call, std::string_view arguments, std::string& result) = 0;
  // Appends the members of an isError result for `error` in the form of the tool's family. Used for a call
  // that failed outside its handler, such as by its deadline.
  virtual void fail(const Tool& tool, const Error& error, std::string& result) const = 0;
  // The same for a call whose handler is still running. `client_name` is the name that the client gave.
  virtual void give_up(const Tool& tool, std::string_view client_name, const Error& error,
                       std::string& result) const {
    static_cast<void>(client_name);
    fail(tool, error, result);
  }

 protected:
  ~ToolSet() = default;
};

}  // namespace snapgen::mcp
