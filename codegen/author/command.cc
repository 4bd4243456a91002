#include "codegen/author/command.h"

#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>

#include "codegen/author/files.h"

namespace snapgen::codegen {

void add_schema_options(CLI::App& command, SchemaArguments& arguments) {
  command
      .add_option("--root", arguments.root, "The project's root; other paths of schemas are relative to it.")
      ->capture_default_str()
      ->type_name("DIR");
  command.add_option("--schemas", arguments.schemas, "The folder of schema files.")
      ->capture_default_str()
      ->type_name("DIR");
  command
      .add_option("--include", arguments.includes,
                  "A folder that $ref may refer to; its code is generated elsewhere.")
      ->type_name("DIR");
  command
      .add_option("--namespace", arguments.namespaces,
                  "Namespace of the code; FOLDER=NAME for the schemas of one folder.")
      ->type_name("NAME");
}

Settings parse_settings(const SchemaArguments& arguments) {
  Settings settings{.schemas = normalized_path(arguments.schemas)};
  if (settings.schemas.size() > 1 && settings.schemas.ends_with('/')) settings.schemas.pop_back();
  for (const std::string& each : arguments.namespaces) {
    const std::size_t equals = each.find('=');
    if (equals == std::string::npos)
      settings.name_space = each;
    else
      settings.namespaces.emplace_back(normalized_path(each.substr(0, equals)), each.substr(equals + 1));
  }
  return settings;
}

bool read_schemas(const SchemaArguments& arguments, const Settings& settings,
                  std::vector<SourceText>& texts) {
  const std::filesystem::path root = arguments.root;
  const auto read = [&](const std::string& folder, bool emitted) {
    if (read_folder(root, folder, emitted, texts)) return true;
    print_failure("can't read the folder " + normalized_path(root / folder));
    return false;
  };
  if (!read(settings.schemas, true)) return false;
  for (const std::string& each : arguments.includes)
    if (!read(normalized_path(each), false)) return false;
  return true;
}

int print_failure(const std::string& sentence, int code) {
  std::cerr << "snapgen: " << sentence << "\n";
  return code;
}

}  // namespace snapgen::codegen
