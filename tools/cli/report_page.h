#pragma once
// The page that `snap report` writes: one HTML file with all that it needs, which opens from a disk and asks
// nobody for anything. What people wrote and how files are called is text in it, whatever it looks like.
#include <string>
#include <string_view>

#include "tools/work/history/history.h"

namespace snapgen::tools {

// `name`: of the workspace, for its title. The same history gives the same bytes. Times are UTC.
std::string report_page(const core::History& history, std::string_view name);

}  // namespace snapgen::tools
