#pragma once
// Manual pages (section 1, man(7) macros) from what a program takes. A footer of CLI11 is read as paragraphs:
// lines that are indented stay as they are, "Examples:" and "Exit codes: ..." get their sections.
#include <string>
#include <vector>

#include "runtime/cli/description.h"

namespace snapgen::cli {

struct ManualText {
  std::string product;               // "snapgen 0.1.0"
  std::string date;                  // "2026-11-22"
  std::vector<std::string> also;     // Other names of the program: "snapback".
  std::vector<std::string> related;  // Pages of section 1 to see, besides the program's own.
};

struct ManualPage {
  std::string name;  // "snap-store"; its file is snap-store.1
  std::string text;
};

// The program's page, which has all commands without commands of their own, one page for each of the others
// ("snap store ..." is snap-store), and the first again for each other name.
std::vector<ManualPage> manual(const Command& program, const ManualText& text);

}  // namespace snapgen::cli
