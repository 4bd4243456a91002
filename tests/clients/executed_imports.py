"""Executes imports, and prints each that leads to a file of the same folder.

The argument is a list in JSON with an object for each folder: "folder"; "path", its folders that precede the standard
library in the search path; and "run", the names of the modules to import. Prints a list of edges for each of them."""
import builtins
import importlib
import importlib.util
import json
import os
import sys

load, import_statement = importlib.import_module, builtins.__import__


def executed(folder, path, run):
    edges = set()

    def add(importer, name):
        """Adds the module's file, unless it is that of a package which contains the importer."""
        file = getattr(sys.modules.get(name), "__file__", None) or ""
        contains = file.endswith("/__init__.py") and importer.startswith(os.path.dirname(file) + "/")
        if file.startswith(folder + "/") and file != importer and not contains:
            edges.add(f"{os.path.relpath(importer, folder)} -> {os.path.relpath(file, folder)}")

    def add_all(names, module, members=()):
        importer = names.get("__file__", "")
        parts = module.split(".")
        packages = [".".join(parts[:end]) for end in range(1, len(parts) + 1)]
        for name in packages + [f"{module}.{member}" for member in members or ()]:
            if importer.startswith(folder + "/"):
                add(importer, name)

    def hook(name, names=None, local_names=None, members=(), level=0):
        names = names or sys._getframe(1).f_globals
        result = import_statement(name, names, local_names, members, level)
        add_all(names, importlib.util.resolve_name("." * level + name, names.get("__package__")) if level else name, members)
        return result

    def import_module(name, package=None):
        result = load(name, package)
        add_all(sys._getframe(1).f_globals, importlib.util.resolve_name(name, package))
        return result

    sys.path[:0] = [os.path.normpath(os.path.join(folder, each)) for each in path]
    builtins.__import__, importlib.import_module = hook, import_module
    for name in run:
        load(name)
    builtins.__import__, importlib.import_module = import_statement, load
    return sorted(edges)


for each in json.loads(sys.argv[1]):
    # A separate process, because the modules of the layouts have the same names.
    child = os.fork()
    if child == 0:
        print(json.dumps(executed(**each)), flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"The imports of {each['folder']} failed.")
