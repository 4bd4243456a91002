// Small workspaces of Go, with the files that an edit of a file affects.
//
// `affected` has for each file of Go what go list says, as in "file: affected files". Where the server deliberately
// differs, `server` has its answers and `because` the reason. `packages` are the arguments of go list.
const module = (path, more = '') => `module ${path}\n\ngo 1.19\n${more}`;
const go = (name, ...imports) => `package ${name}\n\nimport (\n${imports.map((path) => `\t_ "${path}"\n`).join('')})\n`;

export const goLayouts = [
  {
    name: 'a package in several files, with tests inside and outside of it',
    files: {
      'go.mod': module('example.com/g0'), 'main.go': go('main', 'example.com/g0/p'), 'p/a.go': go('p'), 'p/b.go': go('p', 'example.com/g0/q'), 'p/a_test.go': go('p', 'example.com/g0/r'),
      'p/x_test.go': go('p_test', 'example.com/g0/p'), 'q/q.go': go('q'), 'r/r.go': go('r'),
    },
    affected: ['p/a.go: main.go p/a_test.go p/b.go p/x_test.go', 'p/a_test.go: p/x_test.go', 'p/b.go: main.go p/a.go p/a_test.go p/x_test.go', 'p/x_test.go: p/a_test.go', 'q/q.go: main.go p/a.go p/a_test.go p/b.go p/x_test.go', 'r/r.go: p/a_test.go p/x_test.go'],
  },
  {
    name: 'nested modules that a module replaces by their folders',
    files: {
      'go.mod': module('example.com/g1', 'require (\n\texample.com/g1/sub v0.0.0\n\tother.org/dep v1.2.3\n)\nreplace example.com/g1/sub => ./sub\nreplace (\n\tother.org/dep v1.2.3 => ./third/dep // comment\n)\n'),
      'main.go': go('main', 'example.com/g1/sub/x', 'other.org/dep/y'), 'sub/go.mod': module('example.com/g1/sub'), 'sub/x/x.go': go('x'), 'third/dep/go.mod': module('other.org/dep'), 'third/dep/y/y.go': go('y'),
    },
    affected: ['sub/x/x.go: main.go', 'third/dep/y/y.go: main.go'],
  },
  {
    name: 'a module that is replaced by a fork, beside the original',
    files: {
      'app/go.mod': module('example.com/g2/app', 'require example.com/g2/lib v1.0.0\nreplace example.com/g2/lib => ../vendored/lib\n'), 'app/main.go': go('main', 'example.com/g2/lib'),
      'a/lib/go.mod': module('example.com/g2/lib'), 'a/lib/lib.go': go('lib'), 'vendored/lib/go.mod': module('example.com/g2/lib'), 'vendored/lib/lib.go': go('lib'),
    },
    root: 'app',
    affected: ['vendored/lib/lib.go: app/main.go'],
  },
  {
    name: 'a fork under another module name',
    files: {
      'go.mod': module('example.com/g3', 'require other.org/orig v1.0.0\nreplace other.org/orig => ./fork\n'), 'main.go': go('main', 'other.org/orig/x'), 'fork/go.mod': module('example.com/g3/fork'), 'fork/x/x.go': go('x', 'other.org/orig/y'), 'fork/y/y.go': go('y'),
    },
    affected: ['fork/x/x.go: main.go', 'fork/y/y.go: fork/x/x.go main.go'],
  },
  {
    name: 'go.work',
    files: {
      'go.work': 'go 1.19\n\nuse (\n\t./app\n\t./lib\n)\n', 'app/go.mod': module('example.com/g4/app', 'require example.com/g4/lib v1.0.0\n'), 'app/main.go': go('main', 'example.com/g4/lib/x'),
      'lib/go.mod': module('example.com/g4/lib'), 'lib/x/x.go': go('x', 'example.com/g4/lib/internal/y'), 'lib/internal/y/y.go': go('y'),
    },
    packages: ['./app/...', './lib/...'],
    affected: ['lib/internal/y/y.go: app/main.go lib/x/x.go', 'lib/x/x.go: app/main.go'],
  },
  {
    name: 'go.work that replaces a module',
    files: {
      'go.work': 'go 1.19\n\nuse ./app\n\nreplace other.org/g5 => ./fork\n', 'app/go.mod': module('example.com/g5/app', 'require other.org/g5 v1.0.0\n'), 'app/main.go': go('main', 'other.org/g5/x'), 'fork/go.mod': module('other.example/fork'), 'fork/x/x.go': go('x'),
    },
    packages: ['./app/...'],
    affected: ['fork/x/x.go: app/main.go'],
  },
  {
    name: 'modules of one repository, without go.work and replace',
    files: {
      'app/go.mod': module('example.com/g6/app', 'require example.com/g6/lib v1.0.0\n'), 'app/main.go': go('main', 'example.com/g6/lib'), 'lib/go.mod': module('example.com/g6/lib'), 'lib/lib.go': go('lib'),
    },
    root: 'app',
    affected: [],
    server: ['lib/lib.go: app/main.go'],
    because: 'the next version of the module has the edit',
  },
  {
    name: 'packages in folders named internal, testdata, and with a prefix that go list skips',
    files: {
      'go.mod': module('example.com/g7'), 'a/a.go': go('a', 'example.com/g7/a/internal/x', 'example.com/g7/testdata/y', 'example.com/g7/_skipped/z'), 'a/internal/x/x.go': go('x'), 'testdata/y/y.go': go('y'), '_skipped/z/z.go': go('z'), 'b/b.go': go('b', 'example.com/g7/a/internal/x'),
    },
    affected: ['_skipped/z/z.go: a/a.go', 'a/internal/x/x.go: a/a.go b/b.go', 'testdata/y/y.go: a/a.go'],
  },
  {
    name: 'build constraints',
    files: {
      'go.mod': module('example.com/g8'), 'main.go': go('main', 'example.com/g8/p'), 'p/p.go': go('p'), 'p/p_linux.go': go('p'), 'p/p_windows.go': go('p'), 'p/tagged.go': `//go:build never\n\n${go('p', 'example.com/g8/q')}`,
      'p/gen.go': `//go:build ignore\n\n${go('main', 'example.com/g8/r')}`, 'q/q.go': go('q'), 'r/r.go': go('r'),
    },
    affected: ['p/p.go: main.go p/p_linux.go', 'p/p_linux.go: main.go p/p.go'],
    server: [
      'p/gen.go: main.go p/p.go p/p_linux.go p/p_windows.go p/tagged.go', 'p/p.go: main.go p/gen.go p/p_linux.go p/p_windows.go p/tagged.go', 'p/p_linux.go: main.go p/gen.go p/p.go p/p_windows.go p/tagged.go',
      'p/p_windows.go: main.go p/gen.go p/p.go p/p_linux.go p/tagged.go', 'p/tagged.go: main.go p/gen.go p/p.go p/p_linux.go p/p_windows.go', 'q/q.go: main.go p/gen.go p/p.go p/p_linux.go p/p_windows.go p/tagged.go',
      'r/r.go: main.go p/gen.go p/p.go p/p_linux.go p/p_windows.go p/tagged.go',
    ],
    because: 'other systems and tags select other files',
  },
  {
    name: 'vendor',
    files: {
      'go.mod': module('example.com/g9', 'require other.org/nine v1.0.0\n'), 'main.go': go('main', 'other.org/nine/x'), 'vendor/modules.txt': '# other.org/nine v1.0.0\n## explicit; go 1.19\nother.org/nine/x\nother.org/nine/y\n',
      'vendor/other.org/nine/x/x.go': go('x', 'other.org/nine/y'), 'vendor/other.org/nine/y/y.go': go('y'),
    },
    affected: ['vendor/other.org/nine/x/x.go: main.go', 'vendor/other.org/nine/y/y.go: main.go vendor/other.org/nine/x/x.go'],
  },
  {
    name: 'modules with a major version, in a folder of that name and in the root',
    files: {
      'go.mod': module('example.com/g10', 'require (\n\texample.com/g10/v2 v2.0.0\n\tother.org/ten/v3 v3.0.0\n)\nreplace example.com/g10/v2 => ./v2\nreplace other.org/ten/v3 => ./three\n'),
      'main.go': go('main', 'example.com/g10/v2/x', 'example.com/g10/x', 'other.org/ten/v3/x'), 'x/x.go': go('x'), 'v2/go.mod': module('example.com/g10/v2'), 'v2/x/x.go': go('x', 'example.com/g10/v2/y'), 'v2/y/y.go': go('y'), 'three/go.mod': module('other.org/ten/v3'), 'three/x/x.go': go('x'),
    },
    affected: ['three/x/x.go: main.go', 'v2/x/x.go: main.go', 'v2/y/y.go: main.go v2/x/x.go', 'x/x.go: main.go'],
  },
  {
    name: 'go.mod with blocks, quotes and comments',
    files: { 'go.mod': '// first\nmodule ( // second\n\t"example.com/g11" // third\n)\n\ngo 1.19\n', 'main.go': '/* c */ package main // x\nimport p "example.com/g11/p"; import . "example.com/g11/q"\nimport (`example.com/g11/r`; _ "example.com/g11/s")\nvar _ = "import"\n', 'p/p.go': go('p'), 'q/q.go': go('q'), 'r/r.go': go('r'), 's/s.go': go('s') },
    affected: ['p/p.go: main.go', 'q/q.go: main.go', 'r/r.go: main.go', 's/s.go: main.go'],
  },
  {
    name: 'a nested module hides its folder from the module around it',
    files: { 'go.mod': module('example.com/g12'), 'main.go': go('main', 'example.com/g12/sub/x'), 'sub/go.mod': module('other.org/sub12'), 'sub/x/x.go': go('x') },
    affected: [],
    server: ['sub/x/x.go: main.go'],
    because: 'the import is an error until the nested go.mod is deleted or replaced',
  },
];
