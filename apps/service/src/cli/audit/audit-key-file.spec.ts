import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SigningKey } from '@caregate/audit-log';
import { newDatabase } from '@caregate/postgres';
import { generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { teamA } from '../../auth/access.testing.ts';
import { caregateIn, commandFolder, type Ended } from '../caregate.testing.ts';
import { bodiesIn } from '../../audit/records.testing.ts';

const at = commandFolder();
let data: string;
let own: string;
let file: string;

beforeEach(() => {
  ({ data } = at);
  own = join(data, 'audit-key.pem');
  file = join(at.folder, 'signing-key.pem');
});
afterEach(() => {
  SigningKey.useFile(undefined);
});

const caregate = (words: string, env: Record<string, string> = elsewhere()): Promise<Ended> =>
  caregateIn({ CAREGATE_DATA: data, ...env }, words.split(' '));
const elsewhere = (): Record<string, string> => ({ CAREGATE_AUDIT_KEY_FILE: file });
const create = `keys create --team ${teamA} --role billing --label Amara`;

function makeKey(to = file): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(to, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
}

/** Creates a log, and moves its key out of the data folder. */
async function moveKey(): Promise<void> {
  expect(await caregate(create, {})).toMatchObject({ code: 0 });
  renameSync(own, file);
}

describe('a signing key outside the data folder', () => {
  it('continues the log, by a setting or a systemd credential, and is in no backup', async () => {
    await moveKey();
    expect(await caregate(create)).toMatchObject({ code: 0, err: '' });
    renameSync(file, join(at.folder, 'CAREGATE_AUDIT_KEY'));
    const credential = { CREDENTIALS_DIRECTORY: at.folder };
    expect(await caregate(create, credential)).toMatchObject({ code: 0, err: '' });
    expect(bodiesIn(data).map(({ operation }) => operation)).toEqual(Array(3).fill('createKey'));
    expect(await caregate('audit verify', credential)).toMatchObject({ code: 0, err: '' });
    expect(await caregate('audit verify', {})).toMatchObject({ code: 0, err: '' });
    writeFileSync(join(at.folder, 'none'), '');
    expect(await caregate(`import ${at.folder}/none`, credential)).toMatchObject({ code: 0 });
    const backup = join(at.folder, 'backup');
    expect(await caregate(`backup ${backup}`, credential)).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(backup)).not.toContain('audit-key.pem');
    const restored = join(at.folder, 'restored');
    const put = await caregate(`restore ${backup} --data ${restored}`, credential);
    expect(put).toMatchObject({ code: 0, err: '' });
    expect(bodiesIn(restored).at(-1)).toMatchObject({ operation: 'restore' });
    expect(existsSync(own)).toBe(false);
  });

  it('is rotated to the key beside it, which then signs in either place', async () => {
    await moveKey();
    const rotate = (): Promise<Ended> => caregate('audit rotate-key');
    const missing = await rotate();
    expect(missing).toMatchObject({
      code: 2,
      err: expect.stringContaining('signing-key.pem.next first'),
    });
    expect(bodiesIn(data).map(({ operation }) => operation)).toEqual(['createKey']);
    const { out: old } = await caregate('audit public-key');
    const next = `${file}.next`;
    makeKey(next);
    expect(await rotate()).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('mv FILE.next FILE'),
    });
    expect(await caregate(create)).toMatchObject({ code: 0, err: '' });
    renameSync(next, file);
    expect(await caregate(create)).toMatchObject({ code: 0, err: '' });
    const { out: now } = await caregate('audit public-key');
    expect(now).not.toBe(old);
    for (const key of [old, now]) {
      const verified = await caregate(`audit verify --public-key ${key.trim()}`);
      expect(verified).toMatchObject({ code: 0, err: '' });
    }
    expect(existsSync(own)).toBe(false);
  });

  it.each<[string, () => void, string]>([
    [
      'missing',
      () => {
        rmSync(file);
      },
      'signing-key.pem, is missing. Put it back',
    ],
    [
      'in the data folder too',
      () => {
        writeFileSync(own, '');
      },
      'audit-key.pem exists, too',
    ],
  ])('is refused if it is %s, and nothing is done', async (_, change, message) => {
    await moveKey();
    change();
    const before = bodiesIn(data).length;
    const ended = await caregate(create);
    expect(ended).toEqual({ code: 1, out: '', err: expect.stringContaining(message) });
    expect(bodiesIn(data)).toHaveLength(before);
  });

  it('signs the new log after a broken one, and is not archived with that one', async () => {
    await moveKey();
    const reason = '--reason the-machine-with-the-old-key-was-stolen';
    rmSync(file);
    expect(await caregate(`audit new-log ${reason}`)).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('is missing') },
    });
    makeKey();
    expect(await caregate(`audit new-log ${reason}`)).toMatchObject({ code: 0, err: '' });
    expect(bodiesIn(data)).toMatchObject([{ operation: 'newAuditLog', reason_code: 'wrong_key' }]);
    const files = readdirSync(data, { recursive: true });
    expect(files).toContainEqual(expect.stringMatching(/^audit\.broken-.*audit\.db$/u));
    expect(files).not.toContainEqual(expect.stringContaining('.pem'));
    expect(await caregate('audit verify')).toMatchObject({ code: 0 });
  });
});

it('on PostgreSQL no command writes a record with `replicated` while no standby confirms it, and nothing is changed', async () => {
  expect(await caregate(create, {})).toMatchObject({ code: 0 });
  writeFileSync(join(at.folder, 'none'), '');
  expect(await caregate(`import ${at.folder}/none`, {})).toMatchObject({ code: 0 });
  const url = await newDatabase();
  const moved = join(at.folder, 'moved');
  cpSync(data, moved, { recursive: true });
  expect(await caregate(`move --from ${moved}`, { DATABASE_URL: url })).toMatchObject({
    ...{ code: 0, err: '' },
  });
  const pool = new pg.Pool({ connectionString: url });
  const state = async (): Promise<unknown> => [
    (await pool.query('select count(*) from audit.audit_record')).rows,
    readFileSync(join(moved, 'audit-key.pem'), 'utf8'),
    readdirSync(moved).filter((name) => name !== 'service-lock.db'),
  ];
  const before = await state();
  const durable = { CAREGATE_DATABASE_DURABILITY: 'replicated' };
  for (const [words, code] of [
    [create, 1],
    ['audit rotate-key', 2],
    ['audit new-log --reason a-takeover-lost-the-newest-records', 1],
  ] as const) {
    const env = { DATABASE_URL: url, CAREGATE_DATA: moved, ...durable };
    const { err, ...ended } = await caregate(words, env);
    expect([words, ended]).toEqual([words, { code, out: '' }]);
    expect(err).toContain('confirms commits without a standby');
    expect(await state()).toEqual(before);
  }
  const other = { DATABASE_URL: await newDatabase(), ...durable };
  const refused = await caregate(`move --from ${data}`, other);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('without a standby')]);
  expect(await caregate(create, {})).toMatchObject({ code: 0 });
  const wrong = { ...other, CAREGATE_DATABASE_DURABILITY: 'replicate' };
  expect(await caregate(create, wrong)).toMatchObject({
    ...{ code: 2, err: expect.stringMatching(/DURABILITY must be one of/u) },
  });
  await pool.end();
});
