"""make_table.py HEADER...: prints C++ with a table of every class in generated headers that has a reader."""
import pathlib
import re
import sys

print('#include "tests/structs/round_trip.h"\n')
entries = []
for name in sys.argv[1:]:
    text = pathlib.Path(name).read_text()
    space = re.search(r"^namespace (\w+) \{$", text.replace("namespace snapgen::json {", ""), re.M)[1]
    print(f'#include "{pathlib.Path(name).name}"')
    for each in re.findall(r"^void read\(json::Reader& in, (\w+)& out\);$", text, re.M):
        entries.append(f'    {{"{space}/{each}", &round_trip<{space}::{each}>}},')
print("\nnamespace snapgen::structs {\n\nconst std::map<std::string_view, RoundTrip>& table() {")
print("  static const std::map<std::string_view, RoundTrip> all = {\n" + "\n".join(entries) + "\n  };\n  return all;\n}\n")
print("}  // namespace snapgen::structs")
