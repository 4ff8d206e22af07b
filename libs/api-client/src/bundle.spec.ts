import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LARGEST_GZIPPED = 8 * 1024;

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

describe.each(['./index.ts', './axios.ts'])('the bundle of %s for browsers', (entry) => {
  it('is at most 8 KB minified and gzipped, all of it from this package and the catalogue', async () => {
    const { code, inputs } = await bundled(`export * from '${entry}'`);
    expect(gzipSync(code).length).toBeLessThanOrEqual(LARGEST_GZIPPED);
    const others = inputs.filter((input) => !input.startsWith('libs/api-client/src/'));
    expect(others).toEqual(entry === './index.ts' ? ['libs/domain/src/operations.ts'] : []);
  });
});
