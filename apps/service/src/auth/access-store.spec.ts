import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleTeamId } from '@caregate/sample-data';
import {
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testService } from '../testing/service.testing.ts';
import { until } from '../testing/until.testing.ts';
import { AccessStore } from './access-store.ts';
import { signedIn } from './sessions/signed-in.testing.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-access-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const onLinux = process.platform === 'linux' ? it : it.skip;

describe('access.db', () => {
  it('is created with its folder for the owner only', async () => {
    const data = join(folder, 'data');
    const store = await AccessStore.open(data);
    await store.close();
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(join(data, 'access.db')).mode & 0o777).toBe(0o600);
  });

  onLinux('leaves no file open if it cannot be opened', async () => {
    writeFileSync(join(folder, 'access.db'), 'x'.repeat(8192));
    await expect(AccessStore.open(folder)).rejects.toThrow('not a database');
    const open = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        // The descriptor that listed the others is closed by now.
        return '';
      }
    });
    expect(open.filter((file) => file.startsWith(folder))).toEqual([]);
  });

  onLinux('answers 503 while it is deleted or replaced', async () => {
    const service = await testService([]);
    const file = join(service.folder, 'access.db');
    const key = await service.key(sampleTeamId);
    const person = await signedIn(service, { teamId: sampleTeamId, role: 'clinician' });
    const statuses = async (): Promise<number[]> => [
      (await service.get('/v2/user', key)).status,
      (await person.request('GET', '/v2/user')).status,
      (await service.get('/v2/user', 'unknown')).status,
      (await service.get('/readyz')).status,
    ];
    const lost = [503, 503, 401, 503];
    renameSync(file, `${file}.aside`);
    await until(async () => String(await statuses()) === String(lost));
    writeFileSync(file, '');
    expect(await statuses()).toEqual(lost);
    await expect(service.key(sampleTeamId)).rejects.toThrow('Service unavailable');
    expect(service.log.join('')).toContain('was deleted or replaced while the service runs');
    renameSync(`${file}.aside`, file);
    await until(async () => String(await statuses()) === String([200, 200, 401, 200]));
    await service.close();
  });
});
