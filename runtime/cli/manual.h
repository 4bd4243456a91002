#pragma once
// Manual pages (section 1, man(7) macros) from a program's description. A CLI11 footer is split into
// paragraphs: indented lines are verbatim, and "Examples:" and "Exit codes: ..." become sections.
#include <string>
#include <vector>

#include "runtime/cli/description.h"

namespace snapgen::cli {

struct ManualMetadata {
  std::string product;                   // Such as "snapgen 0.1.0".
  std::string date;                      // Such as "2026-11-22".
  std::vector<std::string> other_names;  // Other names of the program, such as "snapback".
  std::vector<std::string> see_also;     // More pages of section 1 for SEE ALSO.
};

struct ManualPage {
  std::string name;  // Such as "snap-store", for the file snap-store.1.
  std::string text;
};

// Returns the program's page with all leaf commands, and one page for each command with subcommands ("snap
// store ..." is snap-store). Each other name of the program gets a copy of its page.
std::vector<ManualPage> manual_pages(const Command& program, const ManualMetadata& text);

}  // namespace snapgen::cli
