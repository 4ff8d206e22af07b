import { beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { appendMany, openWriter } from '@caregate/audit-log/testing';
import { commandFolder, type Ended } from '../caregate.testing.ts';

const at = commandFolder('spec');
beforeAll(() => {
  mkdirSync(at.data);
  const log = openWriter(at.data);
  appendMany(log, 300);
  log.checkpoint();
  log.close();
});

const audit = (words: string): Promise<Ended> => at.caregate('audit', ...words.split(' '));

describe('caregate audit hold', () => {
  it('places, lists and releases holds, all of it in the log', async () => {
    const patient = 'a0000000-0000-4000-8000-00000000000a';
    const added = await audit(
      `hold add --reference CASE-2026-17 --to 2015-03 --patient ${patient}`,
    );
    expect(added).toMatchObject({ code: 0, err: '' });
    const hold = /^Hold ([0-9a-f]{8}) was placed\.$/mu.exec(added.out)?.[1] ?? '';
    expect((await audit('hold list')).out).toMatch(
      new RegExp(
        `^${hold}  active, since \\S+  CASE-2026-17: patient ${patient}, … to 2015-03\n$`,
        'u',
      ),
    );
    expect((await audit(`hold release ${hold}`)).code).toBe(0);
    expect((await audit(`hold release ${hold}`)).err).toContain('No active hold');
    expect(JSON.parse((await audit('hold list --json')).out)).toEqual([
      expect.objectContaining({ hold_id: hold, to: '2015-03', released: expect.any(String) }),
    ]);
    expect((await audit('alarms')).out).toMatch(/addLegalHold[^]*releaseLegalHold/u);
    expect(await audit('verify')).toMatchObject({ code: 0 });
  });

  it.each<[string, RegExp]>([
    ['hold add --reference Amelia,Ortiz', /Expected up to 40 letters/u],
    ['hold add --reference x --from 2015', /Expected a month such as 2019-05/u],
    ['hold release 00000000', /No active hold/u],
    ['export --format csv --from yesterday', /Expected a date/u],
    ['export --format csv --data /nowhere/at/all', /has no audit log/u],
    ['prove-inclusion 9999', /^The signed log has \d+ records: its last one is \d+\.\n$/u],
    ['verify --public-key /nowhere', /^--public-key \/nowhere: there is no such file\.\n$/u],
    ['verify --from-checkpoint /nowhere', /^--from-checkpoint \/nowhere: there is no such/u],
  ])('says why not: %s', async (words, why) => {
    const { code, err } = await audit(words.replace('ROOT', at.folder));
    expect(code).toBe(1);
    expect(err.replaceAll(at.folder, 'ROOT')).toMatch(why);
    expect(err).not.toContain('    at ');
  });
});
