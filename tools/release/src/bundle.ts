import { build, stop, type Plugin } from 'esbuild';
import { chmodSync, cpSync, existsSync, globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildBillOfMaterials } from './bill-of-materials.ts';
import { renderLicences } from './licences.ts';
import { listPackages } from './packages.ts';
import { readManifest, root } from './workspace.ts';

function findEntryPoints(): { readonly main: string } {
  const workers = globSync('{apps/service,libs/audit-log}/dist/**/*.worker.js', { cwd: root });
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

const docsPage = 'node_modules/swagger-ui-dist';
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
  if (!existsSync(join(root, entries.main))) {
    throw new Error(`${entries.main} is missing. Run npm run build first.`);
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
  const manifest = { name, version, private: true, type: 'module' };
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const file of docsFiles) {
    cpSync(join(root, docsPage, file), join(into, docsPage, file));
  }
  cpSync(join(root, 'node_modules/node/bin/node'), join(into, 'bin/node'));
  chmodSync(join(into, 'bin/node'), 0o755);
  const packages = listPackages(Object.keys(metafile.inputs), [docsPage, 'node_modules/node']);
  writeFileSync(join(into, 'LICENSES.txt'), renderLicences(packages));
  writeFileSync(join(into, 'sbom.cdx.json'), buildBillOfMaterials(version, packages));
}
