#pragma once
// Whether expected files are written instead of compared.
namespace snapgen::codegen {

extern bool updating;

}  // namespace snapgen::codegen
