#include "runtime/mcp/resource_set.h"

namespace snapgen::mcp {

Task<Completion> ResourceSet::complete(Context&, const CompleteParams&) { co_return Completion{}; }

}  // namespace snapgen::mcp
