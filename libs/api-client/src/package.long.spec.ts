import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packedOnce } from '../testing/packed-once.ts';
import { packed, tool, typescript } from '../testing/packed.ts';
import type { Packed } from '../testing/packed.ts';

/** Uses each entry point by its types. */
const PROGRAM = `
import { HealthDataClient, HealthDataApiError } from '@caregate/api-client';
import type { ApiResponse, User } from '@caregate/api-client';
import { AxiosTransport } from '@caregate/api-client/axios';
import { NodeTransport } from '@caregate/api-client/node';
import { connectService, signInInfo } from '@caregate/api-client/service';
import { validation } from '@caregate/api-client/validate';
import axios from 'axios';

const options = { baseUrl: 'https://health.example', apiKey: 'k', validation: validation('strict') };
export const client = new HealthDataClient({ ...options, transport: new NodeTransport() });
export const other = new HealthDataClient({ ...options, transport: new AxiosTransport(axios.create()) });
export async function use(): Promise<string> {
  const user: User = await other.users.resolve('patient-17');
  const { clinic_name: clinic } = await signInInfo(connectService(options));
  const answer: ApiResponse<User> = await client.users.resolve('patient-17').withResponse();
  // @ts-expect-error: a user has no such field
  user.no_such_field.anything;
  // @ts-expect-error: an id is a string
  await client.users.resolve(17).catch((error: unknown) => error instanceof HealthDataApiError);
  return user.client_user_id + String(answer.requestId) + String(clinic);
}
`;

/** Every method of the client, refused; prints the errors' stacks. */
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
  const id = '7f6f6c44-36b1-4b4b-9d2c-0d2f1a3b5c7d';
  const june = { startDate: '2025-06-01' };
  const all = async (items) => { for await (const item of items) item; };
  async function openPatient(call) { return await call(); }
  const stacks = [];
  for (const transport of [undefined, new AxiosTransport(axios)]) {
    const { users, orders, timeseries: { mindfulnessMinutes: minutes } } =
      new HealthDataClient({ ...options, transport });
    const calls = [
      () => users.list(),
      () => all(users.iterate()),
      () => users.resolve('patient-17'),
      () => users.latestInsurance(id).withResponse(),
      () => orders.result(id),
      () => minutes.grouped(id, june),
      () => all(minutes.pages(id, june)),
      () => all(minutes.points(id, june)),
    ];
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
    expect(stacks).toHaveLength(2 * 8);
    for (const stack of stacks) {
      expect(stack).toMatch(/^NotFoundError: GET \/v\d\/[^\n]*: responded with status 404\n/);
      expect(stack).toMatch(/\n {4}at (async )?openPatient \(/);
    }
  });

  it.each(['nodenext', 'node16'])(
    'has types for both that hold in a strict project, module %s',
    async (module) => {
      await writeFile(join(project.consumer, 'program.mts'), PROGRAM);
      await writeFile(join(project.consumer, 'program.cts'), PROGRAM);
      const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', 'node'];
      const files = ['program.mts', 'program.cts'];
      await typescript(project.consumer, ...flags, '--module', module, ...files);
    },
  );

  it.each([
    ['api-client', 7],
    ['domain', 8],
  ] as const)(
    '%s is without fault for publint and for are-the-types-wrong',
    async (name, entries) => {
      const folder = join(project.consumer, 'node_modules/@caregate', name);
      await tool(folder, 'publint/src/cli.js', 'run', '.', '--strict', '--pack', 'false');
      const options = ['--profile', 'node16', '--no-definitely-typed', '--format', 'ascii'];
      const attw = '@arethetypeswrong/cli/dist/index.js';
      const tarball = project.tarballs[name] ?? '';
      const printed = await tool(project.consumer, attw, tarball, ...options);
      // Each entry for import, for require and for bundlers.
      expect(printed.match(/^(node16 .*|bundler): 🟢/gm)).toHaveLength(3 * entries);
    },
  );

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
