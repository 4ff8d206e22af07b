import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caregateIn, type Ended } from './caregate.testing.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-usage-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const caregate = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  caregateIn(env, words);

const refused = (message: string | RegExp): object => ({
  ...{ code: 2, out: '' },
  err:
    typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
});

describe('caregate', () => {
  it.each([
    [['serv'], "unknown command 'serv'"],
    [['serve', '--prot', '1'], "unknown option '--prot'"],
    [['serve'], '--data (or CAREGATE_DATA) is required'],
    [['serve', '--data', 'x', '--port', '70000'], '--port must be a whole number, 0 to 65535.'],
    [
      ['serve', '--data', 'x', '--ready-file', '/no/such/folder/f'],
      'The folder for the ready file',
    ],
    [['demo', '--users', '3'], 'whole number from 9 to 1000000'],
    [['keys', 'revoke', '--data', 'x'], 'missing required argument'],
    [['import', 'x', '--data', 'x', '--team', 'clinic'], 'Expected a team id (a UUID).'],
    [['move'], '--from'],
    [['move', '--from', 'x', '--to', 'postgresql://x/y'], 'sqlite:DIR'],
    [['move', '--from', 'sqlite:x', '--to', 'mysql://x/y'], 'postgresql://'],
  ])('ends with 2 on wrong usage: %j', async (words, message) => {
    expect(await caregate(words)).toEqual(refused(message));
  });

  it('refuses an unknown setting by its name, and a narrowing that would widen', async () => {
    const serve = ['serve', '--data', folder, '--port', '0'];
    expect(await caregate(serve, { CAREGATE_PROT: '81' })).toEqual(
      refused(/^Unknown setting CAREGATE_PROT\. Did you mean CAREGATE_PORT\?\n$/u),
    );
    expect(await caregate(serve, { CAREGATE_NARROW: 'admin.listUsers=yes' })).toEqual(
      refused(/^CAREGATE_NARROW: [^\n]*\n$/u),
    );
  });

  it('says in one line that a data folder is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await caregate(['serve', '--data', file, '--port', '0'])).toEqual({
      ...{ code: 1, out: '', err: `${file} is a file, not a folder.\n` },
    });
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('says in one line that no folder can be made, and ends', async () => {
    for (const words of [
      ['serve', '--port', '0'],
      ['demo', '--port', '0'],
      ['import', '-'],
      ['keys', 'list'],
    ]) {
      expect([words, await caregate([...words, '--data', '/proc/caregate'])]).toEqual([
        words,
        {
          ...{ code: 1, out: '' },
          err: '/proc/caregate cannot be created: folders cannot be created in /proc.\n',
        },
      ]);
    }
  });

  it.each(['serve', 'demo'])(
    '%s refuses an address reachable from other machines unless that is allowed',
    async (command) => {
      const words = [command, '--data', folder, '--port', '0'];
      expect(await caregate([...words, '--host', '0.0.0.0'])).toEqual(
        refused(/^--host is reachable from other machines, .*--plain-http/u),
      );
      expect(await caregate(words, { CAREGATE_HOST: '::' })).toEqual(
        refused(/^CAREGATE_HOST is reachable from other machines/u),
      );
    },
  );

  it.each([
    [['--help'], 'A health data service'],
    [['serve', '--help'], '--ready-file'],
    [['help', 'demo'], '--users'],
    [['move', '--help'], 'all or nothing'],
  ])('ends with 0 on %j', async (words, told) => {
    expect(await caregate(words)).toEqual({
      ...{ code: 0, err: '', out: expect.stringContaining(told) },
    });
  });

  it('takes in nothing of another team than the one that an import is for', async () => {
    const file = join(folder, 'people.ndjson');
    const lines = [...sampleEnvelopes({ users: 2 })].map((each) => JSON.stringify(each));
    writeFileSync(file, lines.join('\n'));
    const words = ['import', file, '--data', join(folder, 'data'), '--team'];
    expect(await caregate([...words, otherTeamId])).toEqual(
      refused(`${file}:1: user.team_id: is not the team given with --team\n`),
    );
    expect(await caregate([...words, sampleTeamId])).toMatchObject({ code: 0, err: '' });
  });
});
