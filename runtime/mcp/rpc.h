#pragma once
// The codes of JSON-RPC errors: those of JSON-RPC 2.0, section 5.1, and those that MCP adds.

namespace snapgen::mcp {

enum class RpcCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  resource_not_found = -32002,  // in revisions up to 2025-11-25; later ones use invalid_params
  header_mismatch = -32020,     // this and the next two: since revision 2026-07-28
  missing_capability = -32021,
  unsupported_version = -32022,
};

}  // namespace snapgen::mcp
