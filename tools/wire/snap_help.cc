#include "schemas/wire/snap_help.h"

#include "tools/wire/common.h"

namespace snapgen::tools {

// Returns plain text instead of a line, for readers who do not know the form of lines yet.
Task<mcp::Text> snap_help(App&, mcp::Call&, const SnapHelpInput& in) {
  co_return mcp::Text{std::string(lines::help(text(in.topic)))};
}

}  // namespace snapgen::tools
