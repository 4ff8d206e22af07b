import { afterAll, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  caregate,
  kill,
  newFolder,
  noLimits,
  removeFolder,
  start,
  type Running,
} from './caregate.testing.ts';
import { bodiesIn } from '../src/audit/record/records.testing.ts';

const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0;
const folder = newFolder();
const disk = join(folder, 'disk');
const data = join(disk, 'data');
let service: Running | undefined;

afterAll(() => {
  kill(service);
  if (isRootOnLinux) execFileSync('umount', ['--lazy', disk]);
  removeFolder(folder);
});

(isRootOnLinux ? it : it.skip)(
  'on a disk that fills up, no answer lacks its record, and the service goes on once there is room (needs root on Linux)',
  async () => {
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]);
    const people = join(folder, 'people.ndjson');
    const lines = Array.from(sampleEnvelopes({ users: 2 }), (each) => JSON.stringify(each));
    writeFileSync(people, `${lines.join('\n')}\n`);
    const printed = (...command: string[]): string => {
      const done = caregate([...command, '--data', data]);
      expect([command[0], done.status, done.status === 0 ? '' : done.stderr]).toEqual([
        ...[command[0], 0, ''],
      ]);
      return done.stdout;
    };
    printed('import', people);
    const flags = ['--team', sampleTeamId, '--role', 'clinician', '--label', 'e2e', '--json'];
    const { key } = JSON.parse(printed('keys', 'create', ...flags)) as { key: string };
    service = await start(['serve', '--data', data], folder, noLimits);
    const { base_url: base } = service.ready;
    const answered: (string | null)[] = [];
    let refused = 0;
    const ask = async (): Promise<number> => {
      const { status, headers } = await fetch(`${base}/v2/user`, {
        headers: { 'x-service-api-key': key },
      });
      expect([200, 503]).toContain(status);
      if (status === 200) answered.push(headers.get('x-request-id'));
      else refused += 1;
      return status;
    };
    expect(await ask()).toBe(200);

    const filler = join(disk, 'filler');
    expect(() => {
      for (;;) appendFileSync(filler, Buffer.alloc(64 * 1024));
    }).toThrow('ENOSPC');
    truncateSync(filler, statSync(filler).size - 512 * 1024);
    // Together, so that the disk ends within a group of records.
    const untilFull = async (): Promise<void> => {
      while (refused < 100) await ask();
    };
    await Promise.all(Array.from({ length: 8 }, untilFull));
    expect(answered.length).toBeGreaterThan(1);

    rmSync(filler);
    while ((await ask()) !== 200);
    expect(await service.end()).toBe(0);
    expect(printed('audit', 'verify')).toContain('records');
    const recorded = new Set(bodiesIn(data).map(({ request_id: id }) => id));
    expect(answered.filter((id) => !recorded.has(String(id)))).toEqual([]);
  },
);
