#pragma once
// Workplace: all that the server knows of a workspace, for who needs more than the substrate.
#include "tools/core/analysis/kept_imports.h"
#include "tools/core/memory/memory.h"
#include "tools/core/substrate.h"

namespace snapgen::core {

// References to what one server keeps open; they outlive whoever is handed this.
struct Workplace {
  Substrate& substrate;
  Memory& memory;
  KeptImports& imports;
};

}  // namespace snapgen::core
