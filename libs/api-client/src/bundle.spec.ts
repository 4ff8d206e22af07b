import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LARGEST_GZIPPED = 8 * 1024;

async function bundled(entry: string): Promise<{ code: Uint8Array; inputs: string[] }> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
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
  return { code: result.outputFiles[0]!.contents, inputs: Object.keys(result.metafile.inputs) };
}

describe.each(['./index.ts', './axios.ts'])('the bundle of %s for browsers', (entry) => {
  it('is at most 8 KB minified and gzipped, all of it from this package', async () => {
    const { code, inputs } = await bundled(entry);
    expect(gzipSync(code).length).toBeLessThanOrEqual(LARGEST_GZIPPED);
    expect(
      inputs.filter((input) => !input.includes('libs/api-client/src/') && !/^src\//.test(input)),
    ).toEqual([]);
  });
});
