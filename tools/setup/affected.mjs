import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { projectFolders, root } from './install.mjs';

export function ownRuns(paths) {
  const runs = new Map();
  for (const path of paths) {
    const file = relative(root, resolve(process.env.INIT_CWD ?? root, path));
    const folder = projectFolders().find((each) => file === each || file.startsWith(`${each}/`));
    if (folder === undefined || !existsSync(join(root, file))) {
      throw new Error(`No spec file and no folder of a package: ${path}`);
    }
    const isEndToEnd = file.startsWith(`${folder}/e2e`);
    const config = `${folder}/jest${isEndToEnd ? '.e2e' : ''}.config.js`;
    const run = runs.get(config) ?? { config, needsBuild: isEndToEnd, arguments_: [] };
    run.arguments_.push(join(root, file));
    runs.set(config, run);
  }
  return [...runs.values()];
}

/** The desktop's end-to-end specs by room; any other change runs all. */
const seenBy = [
  [/^src\/(?:main|renderer)\/print\//u, ['print']],
  [/^src\/main\//u, ['session', 'people']],
  [/^src\/renderer\/screens\/(?:sign-in|emergency|auditor)\//u, ['people', 'look/people-states']],
  [/^src\/renderer\/(?!main\.tsx|app\.tsx)/u, ['screens', 'look/states']],
];

/** What is likely to fail since main: specs that import a changed file, all of the packages above, end to end what sees it. */
export function affectedRuns(changed = changedFiles()) {
  const packages = projectFolders().map((folder) => {
    const own = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const uses = Object.keys({ ...own.dependencies, ...own.devDependencies });
    const files = changed.filter((file) => file.startsWith(`${folder}/`));
    return { folder, name: own.name, uses, files };
  });
  const touched = new Set(packages.filter(({ files }) => files.length > 0).map(({ name }) => name));
  const isAbove = ({ uses }) => uses.some((name) => touched.has(name));
  for (let size = -1; size !== touched.size;) {
    size = touched.size;
    packages.filter(isAbove).forEach(({ name }) => touched.add(name));
  }
  const units = packages
    .filter(
      ({ folder, name }) => touched.has(name) && existsSync(join(root, folder, 'jest.config.js')),
    )
    .map((each) => ({
      config: `${each.folder}/jest.config.js`,
      arguments_: ['--passWithNoTests', ...(isAbove(each) ? [] : related(each.files))],
    }));
  const runs = (app, arguments_) => ({
    config: `apps/${app}/jest.e2e.config.js`,
    needsBuild: true,
    arguments_: arguments_.map((each) => join(root, `apps/${app}/e2e`, each)),
  });
  const isTouched = (app) => touched.has(`@caregate/${app}`);
  const desktop = packages.find(({ name }) => name === '@caregate/desktop');
  const endToEnd = [
    ...(isTouched('service') ? [runs('service', [])] : []),
    ...(isTouched('desktop')
      ? [runs('desktop', isAbove(desktop) ? [] : specsThatSee(desktop))]
      : isTouched('service')
        ? [runs('desktop', ['day/tasks.e2e.spec.ts'])]
        : []),
  ];
  return [...units, ...endToEnd];
}

/** Runs everything if more than code changed. */
function related(files) {
  const isCode = (file) => /\/(?:src|e2e)\/.*\.tsx?$/u.test(file) && !file.includes('/generated/');
  return files.every(isCode)
    ? ['--findRelatedTests', ...files.map((file) => join(root, file))]
    : [];
}

function specsThatSee({ folder, files }) {
  const folders = files
    .map((file) => file.slice(folder.length + 1))
    .filter((file) => !/^src\/.*\.spec\.tsx?$/u.test(file))
    .map((file) =>
      /^e2e\/.*\.e2e\.spec\.ts$/u.test(file)
        ? [file.slice('e2e/'.length)]
        : seenBy.find(([room]) => room.test(file))?.[1],
    );
  return folders.includes(undefined) ? [] : [...new Set(folders.flat())];
}

/** Since the commit that this branch left main at, or since what was last pushed to it. */
function changedFiles() {
  const git = (...words) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const [main] = git(
    'for-each-ref',
    '--format=%(refname)',
    'refs/remotes/origin/main',
    'refs/heads/main',
  ).toReversed();
  const [base] = git('merge-base', main, 'HEAD');
  const changed = git('diff', '--name-only', base);
  changed.push(...git('ls-files', '--others', '--exclude-standard'));
  console.log(`${changed.length} files changed since ${main}.`);
  return changed;
}
