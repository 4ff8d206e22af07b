import { listPersonas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startSpecService } from '../testing/service.testing.ts';

const { amara } = listPersonas();
const HOLDER = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1], { timeout: 30_000 });
  db.exec('begin immediate');
  process.stdout.write('locked');
  process.stdin.once('end', () => { db.exec('rollback'); db.close(); }).resume();`;

/** Holds the write lock of a database in another process. @returns a function that releases it */
async function lockInAnotherProcess(file: string): Promise<() => Promise<void>> {
  const holder = spawn(process.execPath, ['-e', HOLDER, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return async () => {
    const exited = once(holder, 'exit');
    holder.stdin.end();
    expect(await exited).toEqual([0, null]);
  };
}

const service = await startSpecService(sampleEnvelopes({ users: 5 }));
const key = await service.key(sampleTeamId);

describe('while another process writes access.db', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a change that is recorded', async () => await service.key(sampleTeamId)],
    ['a secret of cursors', async () => await service.access.secrets.rotateCursorSecret()],
  ])('a read is answered before it ends, and %s waits for it', async (_what, write) => {
    const release = await lockInAnotherProcess(join(service.folder, 'access.db'));
    let isReleased = false;
    const written = write().then(() => isReleased);
    await expectReads();
    isReleased = true;
    await release();
    expect(await written).toBe(true);
  });

  it('a read is answered before it ends, and the last use of a key is written afterwards', async () => {
    const unused = await service.key(sampleTeamId);
    const release = await lockInAnotherProcess(join(service.folder, 'access.db'));
    expect((await service.get('/v2/user/resolve/nobody', unused)).status).toBe(404);
    const written = service.access.keys.writeLastUses();
    await expectReads();
    await release();
    await written;
    const listed = await service.access.keys.list();
    const [, , id] = unused.split('_');
    expect(listed.find(({ keyId }) => keyId === id)?.lastUsed).toBeInstanceOf(Date);
  });

  async function expectReads(): Promise<void> {
    const paths = [`/v2/user/resolve/${amara.clientUserId}`, '/readyz'];
    const answers = await Promise.all(paths.map((path) => service.get(path, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  }
});
