// Small workspaces of Python, with the files that each import executes.
//
// `edges` is what Python executes, as "importer -> file", except the packages that contain the importer: each module
// depends on them. Where the server deliberately differs, `server` has its edges and `because` the reason. `path` is
// the search path before the standard library, as the way in which the modules `run` are started determines it.
export const pythonLayouts = [
  {
    name: 'modules and packages beside a script',
    files: { 'main.py': 'import helper, p.q\nfrom p import a\n', 'helper.py': '', 'p/__init__.py': '', 'p/a.py': '', 'p/q.py': 'import helper\nimport p.a as b\n' },
    path: ['.'], run: ['main'],
    edges: ['main.py -> helper.py', 'main.py -> p/__init__.py', 'main.py -> p/a.py', 'main.py -> p/q.py', 'p/q.py -> helper.py', 'p/q.py -> p/a.py'],
  },
  {
    name: 'the layout with src, and tests',
    files: { 'pyproject.toml': '[project]\nname = "shop1"\n', 'src/shop1/__init__.py': 'from .cart import total\n', 'src/shop1/cart.py': 'from shop1 import price\ntotal = 1\n', 'src/shop1/price.py': '', 'tests/test_cart.py': 'import helpers1\nfrom shop1.cart import total\n', 'tests/helpers1.py': '' },
    path: ['tests', 'src'], run: ['test_cart'],
    edges: ['src/shop1/__init__.py -> src/shop1/cart.py', 'src/shop1/cart.py -> src/shop1/price.py', 'tests/test_cart.py -> src/shop1/__init__.py', 'tests/test_cart.py -> src/shop1/cart.py', 'tests/test_cart.py -> tests/helpers1.py'],
  },
  {
    name: 'package-dir of setuptools',
    files: { 'pyproject.toml': '[tool.setuptools.package-dir]\n"" = "lib"\n', 'lib/shop2/__init__.py': '', 'lib/shop2/cart.py': 'import far2\n', 'lib/far2.py': '', 'tests/test_a.py': 'import shop2.cart\n' },
    path: ['tests', 'lib'], run: ['test_a'],
    edges: ['lib/shop2/cart.py -> lib/far2.py', 'tests/test_a.py -> lib/shop2/__init__.py', 'tests/test_a.py -> lib/shop2/cart.py'],
  },
  {
    name: 'pythonpath of pytest, and python-source of maturin',
    files: { 'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["app", "."]\n\n[tool.maturin]\npython-source = "python"\n', 'app/cart3.py': '', 'python/fast3/__init__.py': '', 'tests/test_a.py': 'import cart3\nimport fast3\n' },
    path: ['tests', 'app', '.', 'python'], run: ['test_a'],
    edges: ['tests/test_a.py -> app/cart3.py', 'tests/test_a.py -> python/fast3/__init__.py'],
  },
  {
    name: 'pythonpath in pytest.ini',
    files: { 'pytest.ini': '[pytest]\npythonpath = app lib\n', 'app/cart4.py': '', 'lib/price4.py': '', 'tests/test_a.py': 'import cart4, price4\n' },
    path: ['tests', 'app', 'lib'], run: ['test_a'],
    edges: ['tests/test_a.py -> app/cart4.py', 'tests/test_a.py -> lib/price4.py'],
  },
  {
    name: 'a namespace package in two distributions',
    files: { 'a/pyproject.toml': '', 'a/src/acme5/one.py': 'import acme5.two\nfrom acme5 import three\n', 'b/pyproject.toml': '', 'b/src/acme5/two.py': '', 'b/src/acme5/three/__init__.py': '', 'b/src/acme5/three/four.py': '', 'a/src/main5.py': 'from acme5.three import four\nimport acme5.one\n' },
    path: ['a/src', 'b/src'], run: ['main5'],
    edges: ['a/src/acme5/one.py -> b/src/acme5/three/__init__.py', 'a/src/acme5/one.py -> b/src/acme5/two.py', 'a/src/main5.py -> a/src/acme5/one.py', 'a/src/main5.py -> b/src/acme5/three/__init__.py', 'a/src/main5.py -> b/src/acme5/three/four.py'],
  },
  {
    name: 'a package without __init__.py hides no package with one that is found later',
    files: { 'a/pyproject.toml': '', 'a/shop6/one.py': '', 'b/pyproject.toml': '', 'b/shop6/__init__.py': '', 'b/shop6/two.py': '', 'b/shop6/one.py': '', 'main.py': 'import shop6.one\nimport shop6.two\n' },
    path: ['.', 'a', 'b'], run: ['main'],
    edges: ['main.py -> b/shop6/__init__.py', 'main.py -> b/shop6/one.py', 'main.py -> b/shop6/two.py'],
    server: ['main.py -> a/shop6/one.py', 'main.py -> b/shop6/__init__.py', 'main.py -> b/shop6/two.py'],
    because: 'the distributions may be installed one without the other',
  },
  {
    name: 'relative imports',
    files: {
      'p7/__init__.py': 'from . import a\nfrom .sub import deep\n', 'p7/a.py': 'from .sub.deep import x\nfrom . import b as c, sub\nfrom .b import *\n', 'p7/b.py': '', 'p7/sub/__init__.py': 'x = 1\n', 'p7/sub/deep.py': 'from .. import b\nfrom ..b import __name__ as n\nfrom . import x, other\nx = 1\n', 'p7/sub/other.py': '', 'main.py': 'import p7\n',
    },
    path: ['.'], run: ['main'],
    edges: ['main.py -> p7/__init__.py', 'p7/__init__.py -> p7/a.py', 'p7/__init__.py -> p7/sub/__init__.py', 'p7/__init__.py -> p7/sub/deep.py', 'p7/a.py -> p7/b.py', 'p7/a.py -> p7/sub/__init__.py', 'p7/a.py -> p7/sub/deep.py', 'p7/sub/deep.py -> p7/b.py', 'p7/sub/deep.py -> p7/sub/other.py'],
    server: ['main.py -> p7/__init__.py', 'p7/__init__.py -> p7/a.py', 'p7/__init__.py -> p7/sub/__init__.py', 'p7/__init__.py -> p7/sub/deep.py', 'p7/a.py -> p7/b.py', 'p7/a.py -> p7/sub/__init__.py', 'p7/a.py -> p7/sub/deep.py', 'p7/sub/deep.py -> p7/b.py', 'p7/sub/deep.py -> p7/sub/__init__.py', 'p7/sub/deep.py -> p7/sub/other.py'],
    because: 'the import names what the package itself defines',
  },
  {
    name: 'names that a package defines, and those that are modules of it',
    files: { 'p8/__init__.py': 'from .impl import run\nvalue = 1\n', 'p8/impl.py': 'def run(): pass\n', 'p8/value.py': '', 'a.py': 'from p8 import run, value\n', 'b.py': 'import p8.value\nfrom p8 import impl\n' },
    path: ['.'], run: ['a', 'b'],
    edges: ['a.py -> p8/__init__.py', 'b.py -> p8/__init__.py', 'b.py -> p8/impl.py', 'b.py -> p8/value.py', 'p8/__init__.py -> p8/impl.py'],
    server: ['a.py -> p8/__init__.py', 'a.py -> p8/value.py', 'b.py -> p8/__init__.py', 'b.py -> p8/impl.py', 'b.py -> p8/value.py', 'p8/__init__.py -> p8/impl.py'],
    because: 'the server does not read which names a package defines',
  },
  {
    name: 'stubs',
    files: { 'p9/__init__.py': '', 'p9/x.py': '', 'p9/x.pyi': '', 'p9/only.pyi': '', 'main.py': 'import p9.x\ntry:\n    import p9.only\nexcept ImportError:\n    pass\n' },
    path: ['.'], run: ['main'],
    edges: ['main.py -> p9/__init__.py', 'main.py -> p9/x.py'],
    server: ['main.py -> p9/__init__.py', 'main.py -> p9/only.pyi', 'main.py -> p9/x.py', 'main.py -> p9/x.pyi'],
    because: 'type checkers read the stubs',
  },
  {
    name: 'conftest.py',
    files: { 'tests/conftest.py': 'import support10\n', 'tests/support10.py': '', 'tests/test_a.py': 'from conftest import support10\n', 'tests/in/test_b.py': 'import conftest\n' },
    path: ['tests', 'tests/in'], run: ['conftest', 'test_a', 'test_b'],
    edges: ['tests/conftest.py -> tests/support10.py', 'tests/in/test_b.py -> tests/conftest.py', 'tests/test_a.py -> tests/conftest.py'],
  },
  {
    name: 'modules with the names of standard ones, beside a script and in a package',
    files: { 'tools/run.py': 'import colorsys\n', 'tools/colorsys.py': '', 'p11/__init__.py': '', 'p11/chunk.py': '', 'p11/a.py': 'import chunk\n', 'tools/b.py': 'import p11.a\n' },
    path: ['tools', '.'], run: ['run', 'b'],
    edges: ['tools/b.py -> p11/__init__.py', 'tools/b.py -> p11/a.py', 'tools/run.py -> tools/colorsys.py'],
  },
  {
    name: 'a module with the name of one that is part of the interpreter',
    files: { 'main.py': 'import time, sys\n', 'time.py': '', 'sys.py': '' },
    path: ['.'], run: ['main'],
    edges: [],
    server: ['main.py -> sys.py', 'main.py -> time.py'],
    because: 'the build of the interpreter determines which modules are part of it',
  },
  {
    name: 'a package beside a module of the same name',
    files: { 'main.py': 'import pilot12\nimport pilot12.fly\n', 'pilot12.py': '', 'pilot12/__init__.py': '', 'pilot12/fly.py': '', 'space12.py': '', 'space12/suit.py': '', 'b.py': 'import space12\n' },
    path: ['.'], run: ['main', 'b'],
    edges: ['b.py -> space12.py', 'main.py -> pilot12/__init__.py', 'main.py -> pilot12/fly.py'],
  },
  {
    name: 'every form of import',
    files: {
      'main.py': [
        'import a13 as x, p13.b', 'import \\', '  c13', 'from p13 import (  # comment', '    d as e,', ')', 'a = 1; import f13', 'try: import g13', 'except ImportError: pass', 'def run():', '    import h13', 'run()', 'import importlib', "importlib.import_module('i13')",
        "__import__('j13')", "importlib.import_module('.k', package='p13')", 's = """', 'import never13', '"""', "class C:\n    from l13 import m", 'if True: from n13 import *', "from p13.sub import o", '',
      ].join('\n'),
      ...Object.fromEntries(['a13', 'c13', 'f13', 'g13', 'h13', 'i13', 'j13', 'n13', 'never13', 'p13/__init__', 'p13/b', 'p13/d', 'p13/k', 'p13/sub/o'].map((name) => [`${name}.py`, ''])), 'l13.py': 'm = 1\n',
    },
    path: ['.'], run: ['main'],
    edges: ['a13', 'c13', 'f13', 'g13', 'h13', 'i13', 'j13', 'l13', 'n13', 'p13/__init__', 'p13/b', 'p13/d', 'p13/k', 'p13/sub/o'].map((name) => `main.py -> ${name}.py`),
  },
  {
    name: 'a script in a folder, whose packages have no __init__.py',
    files: { 'services/a/main14.py': 'import jobs.mail\n', 'services/a/jobs/mail.py': 'import settings14\nimport jobs.queue14\n', 'services/a/jobs/queue14.py': '', 'services/a/settings14.py': '', 'services/b/settings14.py': '' },
    path: ['services/a'], run: ['main14'],
    edges: ['services/a/jobs/mail.py -> services/a/jobs/queue14.py', 'services/a/jobs/mail.py -> services/a/settings14.py', 'services/a/main14.py -> services/a/jobs/mail.py'],
  },
  {
    name: '__main__.py of a package',
    files: { 'p15/__init__.py': '', 'p15/__main__.py': 'from p15 import cli\nfrom .cli import run\n', 'p15/cli.py': 'run = 1\n' },
    path: ['.'], run: ['p15.__main__'],
    edges: ['p15/__main__.py -> p15/cli.py'],
  },
  {
    name: 'two scripts with modules of the same name',
    files: { 'a/main16.py': 'import util16\n', 'a/util16.py': '', 'b/other16.py': 'import util16\n', 'b/util16.py': '' },
    path: ['b'], run: ['other16'],
    edges: ['b/other16.py -> b/util16.py'],
    server: ['a/main16.py -> a/util16.py', 'b/other16.py -> b/util16.py'],
    because: 'Python ran one of the scripts',
  },
];
