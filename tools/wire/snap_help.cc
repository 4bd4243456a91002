#include "schemas/wire/snap_help.h"

#include "tools/wire/common.h"

namespace snapgen::tools {

// Returns plain text without a line, for readers who do not know the format of lines.
Task<mcp::Text> snap_help(App&, mcp::Call&, const SnapHelpInput& in) {
  co_return mcp::Text{std::string(lines::help(text(in.topic)))};
}

}  // namespace snapgen::tools
