#pragma once
// NodeLoadError: the error with which node ends while it loads a file.
#include <optional>
#include <string>
#include <string_view>

#include "tools/insight/check/read/collect.h"

namespace snapgen::core {

// Reads the lines that node prints before it ends:
//
//     file:///shop/src/price.js:7
//     export const b = missing.value;
//                              ^
//
//     TypeError: Cannot read properties of undefined (reading 'value')
//         at file:///shop/src/price.js:7:26
//
// The first line names a file of node itself if that could not find a module. The lines must outlive this
// object.
class NodeLoadError {
 public:
  explicit NodeLoadError(const OutputPathResolver& places) : places_(&places) {}

  void read_line(std::string_view line);
  // Forgets the lines.
  void reset() { *this = NodeLoadError(*places_); }

  // The first line of the error, for example "SyntaxError: Unexpected token ';'"; empty if there is none.
  const std::string& message() const { return message_; }
  // Returns the location of the error in the workspace: the one above the error, else the first in its stack,
  // else the file that imports the missing module. It has no path if node names none of the workspace.
  OutputLocation location() const;

 private:
  bool is_in_workspace(std::string_view path) const;

  const OutputPathResolver* places_;
  OutputLocation at_;                    // The location above the error.
  std::optional<OutputLocation> stack_;  // The first location of the workspace in the stack.
  bool after_mark_ = false;
  bool wants_next_ = false;  // The message continues on the next line.
  std::string message_;
  std::string_view importer_;  // The path after "imported from".
};

}  // namespace snapgen::core
