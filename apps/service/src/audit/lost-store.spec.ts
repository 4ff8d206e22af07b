import { expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config/read-config.ts';
import { commandFolder } from '../cli/caregate.testing.ts';
import { startService, type Started } from '../start-service.ts';

const at = commandFolder();

async function serve(): Promise<Started> {
  const config = readConfig({ CAREGATE_DATA: at.data, CAREGATE_PORT: '0' });
  return await startService(config, { write: () => undefined }, 'serve');
}

async function storeFinding(): Promise<unknown> {
  const { out } = await at.caregate('doctor', '--json');
  const findings = JSON.parse(out) as { check: string; level: string; what: string }[];
  return findings.find(({ check, level }) => check === 'store.db' && level === 'fault')?.what;
}

it.each([
  ['is missing', '' as const],
  ['is empty', 'empty' as const],
])(
  'refuses a folder whose audit log has an import and whose store.db %s, until people are there again',
  async (why, kind) => {
    const file = join(at.folder, 'people.ndjson');
    const lines = Array.from(sampleEnvelopes({ users: 1 }), (each) => JSON.stringify(each));
    writeFileSync(file, lines.join('\n'));
    expect(await at.caregate('import', file)).toMatchObject({ code: 0 });
    expect(await storeFinding()).toBeUndefined();
    for (const part of ['', '-wal', '-shm']) {
      rmSync(join(at.data, `store.db${part}`), { force: true });
    }
    if (kind === 'empty') {
      writeFileSync(join(at.data, 'store.db'), '');
    }
    await expect(serve()).rejects.toThrow(
      new RegExp(`store\\.db ${why}, and the audit log has an import of 20.*caregate restore`, 'u'),
    );
    expect(await storeFinding()).toContain(`store.db ${why}`);
    expect(await at.caregate('import', file)).toMatchObject({ code: 0 });
    await (await serve()).stop();
  },
);

it('serves a folder that has keys and never had people', async () => {
  const words = ['--team', sampleTeamId, '--role', 'clinician', '--label', 'x'];
  expect(await at.caregate('keys', 'create', ...words)).toMatchObject({ code: 0 });
  await (await serve()).stop();
});
