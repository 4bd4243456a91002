#pragma once
// NextActions: the calls that an answer proposes, or an error where a call failed.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/facade/next_action.h"
#include "tools/app/app.h"

namespace snapgen::tools {

// Calls that would make sense now. Only what the server shows and the tier allows is proposed, under the name
// that tools/list has for it.
class NextActions {
 public:
  explicit NextActions(App& app) : app_(app) {}

  // `tool`: its dotted name. `args`: canonical JSON that fits its schema. `priority`: 0 to 1.
  NextActions& add(std::string_view tool, std::string args, double priority, std::string reason,
                   std::optional<std::string> condition = {});
  App& app() const { return app_; }
  // The best first, five at most.
  std::vector<NextAction> ranked() &&;

 private:
  App& app_;
  std::vector<NextAction> found_;
};

}  // namespace snapgen::tools
