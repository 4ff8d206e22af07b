import { describe, expect, it } from '@jest/globals';
import { caregateIn, commandFolder, type Ended } from './caregate.testing.ts';

const at = commandFolder();
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
    [['keys', 'revoke', '--data', 'x'], 'missing required argument'],
    [['keys', 'create', '--data', 'x', '--role', 'boss'], '--role'],
    [['import', 'x', '--data', 'x', '--team', 'clinic'], 'Expected a team id (a UUID).'],
    [['restore', 'x'], 'x does not exist.'],
    [['access', 'report', '--data', 'x', '--sign-off', ' '], 'Expected a name'],
    [['audit', 'rotate-key', '--data', 'x'], 'This data folder has no audit log.'],
    [['move', '--from', 'x', '--to', 'mysql://x/y'], 'postgresql://'],
  ])('ends with 2 on wrong usage: %j', async (words, message) => {
    expect(await caregate(words)).toEqual(refused(message));
  });

  it('refuses an unknown setting by its name, and a narrowing that would widen', async () => {
    const serve = ['serve', '--data', at.folder, '--port', '0'];
    expect(await caregate(serve, { CAREGATE_PROT: '81' })).toEqual(
      refused(/^Unknown setting CAREGATE_PROT: [^\n]*\n$/u),
    );
    expect(await caregate(serve, { CAREGATE_NARROW: 'admin.listUsers=yes' })).toEqual(
      refused(/^CAREGATE_NARROW: [^\n]*\n$/u),
    );
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
});
