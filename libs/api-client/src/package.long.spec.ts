import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packedOnce } from '../testing/packed-once.ts';
import { packed, tool } from '../testing/packed.ts';
import type { Packed } from '../testing/packed.ts';

/** A call and a loop, refused; prints the errors' stacks. The methods are in `with-caller-stack.spec.ts`. */
const STACKS = `
(async () => {
  const { HealthDataClient } = LOAD('@caregate/api-client');
  const { AxiosTransport } = LOAD('@caregate/api-client/axios');
  const loaded = LOAD('axios');
  const { createServer } = LOAD('node:http');
  const server = createServer((_, response) => response.writeHead(404).end('{}'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const options = { baseUrl: 'http://127.0.0.1:' + server.address().port, apiKey: 'k' };
  const axios = (loaded.default ?? loaded).create();
  const all = async (items) => { for await (const item of items) item; };
  async function openPatient(call) { return await call(); }
  const stacks = [];
  for (const transport of [undefined, new AxiosTransport(axios)]) {
    const { users } = new HealthDataClient({ ...options, transport });
    const calls = [() => users.resolve('patient-17'), () => all(users.iterate())];
    for (const call of calls) await openPatient(call).catch((error) => stacks.push(error.stack));
  }
  console.log(JSON.stringify(stacks));
  server.close();
  server.closeAllConnections();
})();
`;

async function sha256(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

let project: Packed;

beforeAll(async () => {
  project = await packedOnce();
});

describe('the package as it is published', () => {
  it.each([
    ['import', 'stacks.mjs', 'await import'],
    ['require', 'stacks.cjs', 'require'],
  ])('leads errors to their caller over fetch and axios, with %s', async (_way, file, load) => {
    await writeFile(join(project.consumer, file), STACKS.replaceAll('LOAD', load));
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      cwd: project.consumer,
    });
    const stacks = JSON.parse(stdout) as string[];
    expect(stacks).toHaveLength(2 * 2);
    for (const stack of stacks) {
      expect(stack).toMatch(/^NotFoundError: GET \/v\d\/[^\n]*: responded with status 404\n/);
      expect(stack).toMatch(/\n {4}at (async )?openPatient \(/);
    }
  });

  it.each(['api-client', 'domain'])('%s is without fault for publint', async (name) => {
    const folder = join(project.consumer, 'node_modules/@caregate', name);
    const publint = fileURLToPath(
      new URL('../../../tools/setup/long/node_modules/publint/src/cli.js', import.meta.url),
    );
    await tool(folder, publint, 'run', '.', '--strict', '--pack', 'false');
  });

  it('is the same bytes where it is built again, in another folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'caregate-packed-again-'));
    try {
      const again = await packed(folder);
      for (const [name, tarball] of Object.entries(project.tarballs)) {
        const [first, second] = await Promise.all(
          [tarball, again.tarballs[name] ?? ''].map(sha256),
        );
        expect([name, second]).toEqual([name, first]);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
