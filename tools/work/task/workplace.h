#pragma once
// Workplace: all that the server knows of a workspace, for who needs more than the substrate.

namespace snapgen::core {

class KeptImports;
class Memory;
class Substrate;

// References to what one server keeps open; they outlive whoever is handed this.
struct Workplace {
  Substrate& substrate;
  Memory& memory;
  KeptImports& imports;
};

}  // namespace snapgen::core
