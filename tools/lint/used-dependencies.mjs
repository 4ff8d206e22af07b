import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { packageJson, packageName, root } from './packages.mjs';

const notOfTheProduct =
  /\/(?:e2e|testing|generate)\/|\.(?:spec|testing|config|mutate)\.\w+$|\.json$/u;
const notOurs =
  /(?:^|\/)(?:node_modules|dist|out|coverage|reports|results|\.\w[^/]*)(?:\/|$)|\/generated\/|-results\.json$/u;

/**
 * The packages that each package.json declares and nothing uses: a run-time dependency that no file of the product
 * imports, a development one that no file imports or names and no script runs.
 */
export function unusedDependencies(packages) {
  const uses = packages.map(({ folder, own }) => usesOf(folder, own));
  const all = {
    product: new Set(uses.flatMap(({ product }) => [...product])),
    anywhere: new Set(uses.flatMap(({ anywhere }) => [...anywhere])),
  };
  return packages.flatMap(({ folder, own }, index) => {
    // The root's serve everybody.
    const { product, anywhere } = folder === root ? all : uses[index];
    const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = own;
    const needed = [
      ...Object.keys(dependencies).map((name) => [name, product]),
      ...Object.keys(peerDependencies).map((name) => [name, product]),
      ...Object.keys(devDependencies).map((name) => [name, anywhere]),
    ];
    return needed
      .filter(([name, used]) => !isUsed(name, folder, withPeers(folder, used)))
      .map(([name]) => `${own.name}: ${name}`);
  });
}

function usesOf(folder, own) {
  const product = new Set();
  const anywhere = new Set(
    [...Object.values(own.scripts ?? {}), ...commandsIn(folder)].flatMap(wordsOf),
  );
  for (const file of filesOf(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    const isProduct = folder !== root && !notOfTheProduct.test(`/${file}`);
    if (/\.[cm]?[jt]sx?$/u.test(file)) {
      for (const name of loadedBy(text)) {
        anywhere.add(name);
        if (isProduct) product.add(name);
      }
    }
    // Configurations and tests also name what a tool is to load, or its path.
    if (!isProduct) quotedIn(text).forEach((name) => anywhere.add(name));
  }
  return { product, anywhere };
}

function loadedBy(text) {
  const imported = ts.preProcessFile(text, true, true).importedFiles;
  const resolved = text.matchAll(/\bresolve\(\s*['"](?<path>[^'"]+)['"]/gu);
  return [
    ...imported.map(({ fileName }) => fileName),
    ...[...resolved].map(({ groups }) => groups.path),
  ].map(packageName);
}

/** Of this package alone: the root's are those outside the rooms. */
function filesOf(folder) {
  return globSync(folder === root ? '*' : '**/*', { cwd: folder })
    .filter((file) => /\.(?:[cm]?[jt]sx?|json)$/u.test(file) && !notOurs.test(`/${file}`))
    .filter((file) => !/(?:^|\/)package(?:-lock)?\.json$/u.test(file));
}

function isUsed(name, folder, used) {
  const typed = /^@types\/(?<of>.+)$/u.exec(name)?.groups.of.replace('__', '/');
  const bins = typed === undefined ? binsOf(name, folder) : [];
  return [name, ...bins, ...(typed === undefined ? [] : [typed, `@${typed}`])].some((each) =>
    used.has(each),
  );
}

/** With what the used packages in turn ask their user to install. */
function withPeers(folder, used) {
  const peers = [...used].flatMap((name) => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = installed(name, folder);
    return Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
  });
  return new Set([...used, ...peers]);
}

function binsOf(name, folder) {
  const { bin = {} } = installed(name, folder);
  return typeof bin === 'string' ? [packageName(name).split('/').at(-1)] : Object.keys(bin);
}

/** The package.json of a package that is installed; nothing for one that is not. */
function installed(name, folder) {
  const places = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? [];
  const place = places.find((each) => existsSync(join(each, name, 'package.json')));
  return place === undefined ? {} : packageJson(join(place, name));
}

/** What the targets run that nx.json gives to every project. */
function commandsIn(folder) {
  const file = join(folder, 'nx.json');
  const { targetDefaults = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return Object.values(targetDefaults).flatMap(({ command }) => command ?? []);
}

/** Programs of a script's line, and packages whose files it runs. */
function wordsOf(script) {
  const paths = [...script.matchAll(/node_modules\/(?<path>[^\s'"]+)/gu)];
  return [...script.split(/\s+/u), ...paths.map(({ groups }) => packageName(groups.path))];
}

function quotedIn(text) {
  return [...text.matchAll(/['"`](?<path>(?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^'"`\s]*)?['"`]/gu)].map(
    ({ groups }) => groups.path,
  );
}
