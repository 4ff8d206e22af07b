import { execFileSync } from 'node:child_process';
import { dirname, join, relative } from 'node:path';
import { folderCircles } from './folder-circles.mjs';
import { packagesOfWorkspace, root } from './packages.mjs';
import { importsWithin, isForTests, sourceFiles } from './source-files.mjs';

/** Which scopes each scope may depend on, itself aside; `type:tool` packages are programs, which nobody imports. */
const SCOPES = {
  domain: [],
  'api-client': ['domain'],
  'sample-data': ['domain'],
  fhir: ['domain'],
  'audit-log': [],
  testing: [],
  service: ['domain', 'api-client', 'audit-log', 'fhir', 'sample-data'],
  desktop: ['domain', 'api-client', 'audit-log'],
  tools: ['domain', 'api-client', 'audit-log', 'sample-data', 'testing'],
};
/** What the tests of a scope may depend on besides. */
const SCOPES_OF_TESTS = { desktop: ['sample-data'], fhir: ['sample-data'] };
const TYPES = { lib: ['lib'], test: ['lib', 'test'], app: ['lib'], tool: ['lib', 'test', 'tool'] };

export function forbiddenArrows(packages) {
  const tagsOf = new Map(packages.map(({ own }) => [own.name, tags(own)]));
  return packages.flatMap(({ own }) => {
    const { scope, type } = tags(own);
    const isForbidden = (forTests) => (name) => {
      const to = tagsOf.get(name);
      if (to === undefined) return false;
      const scopes = [
        scope,
        ...SCOPES[scope],
        ...(forTests ? ['testing', ...(SCOPES_OF_TESTS[scope] ?? [])] : []),
      ];
      const types = [...TYPES[type], ...(forTests ? ['test'] : [])];
      return !scopes.includes(to.scope) || !types.includes(to.type);
    };
    const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = own;
    return [
      ...Object.keys({ ...dependencies, ...peerDependencies }).filter(isForbidden(false)),
      ...Object.keys(devDependencies).filter(isForbidden(true)),
    ].map((name) => `${own.name} -> ${name}`);
  });
}

function tags({ nx }) {
  return Object.fromEntries((nx?.tags ?? []).map((tag) => tag.split(':')));
}

export function rooms() {
  return packagesOfWorkspace()
    .filter(({ folder }) => folder !== root)
    .map(({ folder }) => relative(root, folder).replaceAll('\\', '/'));
}

export function circlesIn(room) {
  const circles = folderCircles(importsWithin(join(root, room)));
  return circles.map(({ folder, points }) => `${folder}: ${points.join(' ')}`);
}

export function fullestFolder(room) {
  const counts = new Map();
  for (const file of sourceFiles(join(root, room)).filter((each) => !isForTests(each))) {
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  const [[at, files] = ['.', 0]] = [...counts].toSorted(([, a], [, b]) => b - a);
  return { at, files };
}

/** As `path`, `path: export` or `package.json: dependency`, by package; `production` leaves out tests and exports. */
export function unusedByRoom({ production = false } = {}) {
  const options = production ? ['--production', '--include', 'files,dependencies'] : [];
  const printed = execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/knip/bin/knip.js'),
      '--config',
      'tools/lint/knip.json',
      '--reporter',
      'json',
      '--no-exit-code',
      ...options,
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  const lines = JSON.parse(printed).issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds)
      .filter(
        ([kind, found]) =>
          Array.isArray(found) && (!production || ['files', 'dependencies'].includes(kind)),
      )
      .flatMap(([kind, found]) =>
        found.map(({ name }) => (kind === 'files' ? file : `${file}: ${name}`)),
      ),
  );
  return Object.fromEntries([
    ['.', lines.filter((line) => line.startsWith('package.json'))],
    ...rooms().map((room) => [
      room,
      lines
        .filter((line) => line.startsWith(`${room}/`))
        .map((line) => line.slice(room.length + 1)),
    ]),
  ]);
}
