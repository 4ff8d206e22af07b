import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { projectFolders, root } from './install.mjs';
import { imports } from './programs.mjs';

/** The runs of Jest for these paths: each the configuration of its project, for specs beside the code or end to end. */
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

/**
 * The runs of Jest that could fail by what changed since main: the specs that import a changed file of their package, and
 * all specs of the packages above a changed one. End to end, all of an app that changed; of the desktop those against
 * the real service where that changed alone. Packages for release and the site are left to `npm test`.
 */
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
  const endToEnd = ['service', 'desktop'].flatMap((app) => {
    const config = `apps/${app}/jest.e2e.config.js`;
    if (touched.has(`@caregate/${app}`)) return [{ config, needsBuild: true, arguments_: [] }];
    const isServed = app === 'desktop' && touched.has('@caregate/service');
    return isServed ? [{ config, needsBuild: true, arguments_: againstService() }] : [];
  });
  return [...units, ...endToEnd];
}

/** Everything, where more than code changed. */
function related(files) {
  const isCode = (file) => /\/(?:src|e2e)\/.*\.tsx?$/u.test(file) && !file.includes('/generated/');
  return files.every(isCode)
    ? ['--findRelatedTests', ...files.map((file) => join(root, file))]
    : [];
}

/** The desktop's end-to-end specs that start the real service. */
function againstService() {
  return globSync('apps/desktop/e2e/**/*.e2e.spec.ts', { cwd: root })
    .map((file) => join(root, file))
    .filter((file) => imports(file, /\/service\.testing\.ts$/u));
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
