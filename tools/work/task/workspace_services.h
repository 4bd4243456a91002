#pragma once
// WorkspaceServices: the open workspace with its memory and import graph.

namespace snapgen::core {

class ImportGraphCache;
class LearningStore;
class Workspace;

// References to services of the App, which outlive all users of this struct.
struct WorkspaceServices {
  Workspace& workspace;
  LearningStore& learning_store;
  ImportGraphCache& import_graph;
};

}  // namespace snapgen::core
