import { expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

async function bundled(source: string): Promise<{ code: Uint8Array; inputs: string[] }> {
  const result = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    absWorkingDir: fileURLToPath(new URL('../../..', import.meta.url)),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // Fails on any import of Node's own modules.
    platform: 'browser',
    conditions: ['@caregate/source'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const { contents: code } = result.outputFiles[0]!;
  const inputs = Object.keys(result.metafile.inputs).filter((input) => input !== '<stdin>');
  return { code, inputs };
}

it.each([
  [8, `export * from './index.ts'`],
  [8, `export * from './axios.ts'`],
  [9, `export * from './service/service.ts'`],
  [6, `export { connectService, recordDeskEvent } from './service/service.ts'`],
])(
  'a bundle has at most %i KB for browsers, of this package and the catalogue: %s',
  async (kb, source) => {
    const { code, inputs } = await bundled(source);
    expect(gzipSync(code).length).toBeLessThanOrEqual(kb * 1024);
    expect(
      inputs.filter(
        (input) => !/^libs\/(?:api-client\/src|domain\/src\/operations\.ts)/u.test(input),
      ),
    ).toEqual([]);
  },
);
