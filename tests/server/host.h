#pragma once
// Host: a client of a server process over standard input and output. It checks every response for the
// properties that all tools guarantee.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "codegen/front/check.h"
#include "runtime/base/fd.h"
#include "runtime/json/document.h"

namespace snapgen::tools {

// The project's schema files, as the generator reads them.
class Schemas {
 public:
  Schemas();
  const codegen::ToolFile* find(std::string_view safe_name) const;
  const std::vector<codegen::ToolFile>& all() const { return checked_.tools; }

 private:
  codegen::Sources sources_;
  codegen::ResolvedSchemas resolved_;
  codegen::CheckedSchemas checked_;
};

struct Answer {
  bool is_error = false;
  std::string text;  // The one text block: canonical JSON.
  json::Node body;   // the text, parsed

  // Returns a member by its path, such as "error/details/fingerprint". If the member is missing, the test
  // fails and null is returned.
  const json::Node& at(std::string_view path) const;
  std::string string(std::string_view path) const { return at(path).text; }
  std::int64_t integer(std::string_view path) const { return at(path).integer().value_or(-1); }
  std::string code() const { return is_error ? string("error/code") : "ok"; }
};

struct Start {
  std::vector<std::string> arguments = {"--stdio"};
  std::string program = "snapgen-server";
  std::string folder;                            // The folder in which the server starts; empty: the current
                                                 // one.
  std::map<std::string, std::string> variables;  // Variables added to a small environment.
};

class Host {
 public:
  explicit Host(Start start);
  Host(Host&&) = delete;
  ~Host();

  void initialize();
  // Sends a request, reads lines up to its response, and returns the whole message.
  json::Node request(std::string_view method, std::string_view parameters);
  // Sends tools/call. `arguments` is a JSON object.
  Answer call(std::string_view tool, std::string_view arguments);

  // Closes standard input and waits for the end of the server. Returns the exit code and the messages
  // received until then.
  int finish();
  const std::string& errors() const { return errors_; }
  const std::string& rest() const { return rest_; }

 private:
  std::string read_line();

  Schemas schemas_;
  pid_t process_ = -1;
  Fd to_;
  Fd from_;
  Fd errors_from_;
  std::string pending_;
  std::string rest_;
  std::string errors_;
  int next_id_ = 1;
};

}  // namespace snapgen::tools
