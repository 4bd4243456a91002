#pragma once
// WorkspaceServices: all that the server knows of a workspace, for callers that need more than the open
// workspace.

namespace snapgen::core {

class KeptImports;
class Memory;
class Workspace;

// References to what one server keeps open; they outlive whoever is handed this.
struct WorkspaceServices {
  Workspace& workspace;
  Memory& memory;
  KeptImports& imports;
};

}  // namespace snapgen::core
