#pragma once
// Adopts records that earlier versions of the server stored in the work trees alone.

namespace snapgen::core {

class Workspace;

// If the store has no records yet, adds those in `.snapback/` of all work trees that exist. A failure is
// ignored: the records of a work tree are added when a server opens it, too.
void adopt_earlier_records(const Workspace& workspace);

}  // namespace snapgen::core
