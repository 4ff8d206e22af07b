import { build, stop, type Plugin } from 'esbuild';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildBillOfMaterials } from './bill-of-materials.ts';
import { renderLicences } from './licences.ts';
import { listPackages } from './packages.ts';
import { readManifest, root } from './workspace.ts';

function findEntryPoints(): Record<string, string> {
  const folders = ['apps/service/dist', 'libs/audit-log/dist'];
  const workers = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.worker.js'))
        .map((file) => join(folder, file)),
    );
  return {
    main: 'apps/service/dist/cli/main.js',
    ...Object.fromEntries(workers.map((file) => [basename(file, '.js'), file])),
  };
}

/** Optional imports of Nest, Fastify and pg that this service does not use. */
const unusedImports = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'class-transformer',
  'class-validator',
  'light-my-request',
  'pg-native',
];

const docsPage = 'swagger-ui-dist';
const docsFiles = [
  'package.json',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
];

/** CommonJS packages need `require`, which an ES module lacks. */
const banner =
  "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);";

/** An ES import of `node:http` also loads `fetch`, which takes a tenth of the start time. `require` doesn't. */
const lazyHttp: Plugin = {
  name: 'lazy node:http',
  setup: (bundler) => {
    // Without the flag `u`: esbuild reads it with Go's rules.
    bundler.onResolve({ filter: /^(?:node:)?http$/ }, () => ({ path: 'http', namespace: 'lazy' }));
    bundler.onLoad({ filter: /^http$/, namespace: 'lazy' }, () => ({
      contents: "module.exports = process.getBuiltinModule('node:http');",
      loader: 'js',
    }));
  },
};

/** Half a megabyte of transliterations. They stay in their own file, which is loaded on first use. */
const table = 'any-ascii';
const lateTable: Plugin = {
  name: 'late table of letters',
  setup: (bundler) => {
    const tableFile = `./${table}.js`;
    bundler.onResolve({ filter: /^any-ascii$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: table, namespace: 'late' },
    );
    bundler.onResolve({ filter: /./, namespace: 'late' }, () => ({
      path: tableFile,
      external: true,
    }));
    bundler.onLoad({ filter: /./, namespace: 'late' }, () => ({
      contents: `let read; module.exports = (text) => (read ??= require('${tableFile}').default)(text);`,
      loader: 'js',
    }));
  },
};

/** Makes a folder that runs on its own by `bin/node dist/cli/main.js`. @throws Error where the workspace isn't built */
export async function bundleService(into: string, version: string): Promise<void> {
  const entries = findEntryPoints();
  const missing = Object.values(entries).find((file) => !existsSync(join(root, file)));
  if (missing !== undefined) {
    throw new Error(`${missing} is missing. Run npm run build at the top of the workspace first.`);
  }
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entries, [table]: table },
    // As in the build, the file is two folders below the package.json with the version.
    outdir: join(into, 'dist/cli'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Keeps names, since people read stacks and Nest's tokens.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: banner },
    external: unusedImports,
    plugins: [lazyHttp, lateTable],
    metafile: true,
    logLevel: 'warning',
  });
  // Otherwise, esbuild's process would keep running.
  await stop();
  const { name } = readManifest('apps/service');
  write(
    join(into, 'package.json'),
    `${JSON.stringify({ name, version, private: true, type: 'module' }, undefined, 2)}\n`,
  );
  copyDocsPage(into);
  copyNode(into);
  const packages = listPackages(Object.keys(metafile.inputs), [docsPage, 'node']);
  write(join(into, 'LICENSES.txt'), renderLicences(packages));
  write(join(into, 'sbom.cdx.json'), buildBillOfMaterials(version, packages));
}

function copyDocsPage(into: string): void {
  const [from, to] = [join(root, 'node_modules', docsPage), join(into, 'node_modules', docsPage)];
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from);
  for (const name of docsFiles.filter((each) => names.includes(each))) {
    copyFileSync(join(from, name), join(to, name));
  }
}

function copyNode(into: string): void {
  const program = join(into, 'bin/node');
  mkdirSync(dirname(program), { recursive: true });
  copyFileSync(join(root, 'node_modules/node/bin/node'), program);
  chmodSync(program, 0o755);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
