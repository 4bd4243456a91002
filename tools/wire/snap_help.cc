#include "schemas/wire/snap_help.h"

#include "tools/wire/common.h"

namespace snapgen::tools {

// Plain text, without a line: it is what one reads when lines are not clear.
Task<mcp::Text> snap_help(App&, mcp::Call&, const SnapHelpInput& in) {
  co_return mcp::Text{std::string(lines::help(text(in.topic)))};
}

}  // namespace snapgen::tools
