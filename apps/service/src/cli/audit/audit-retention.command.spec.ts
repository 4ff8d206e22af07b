import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditEntry } from '@caregate/audit-log/testing';
import { caregateIn, type Ended } from '../caregate.testing.ts';
import { adminKey, writeLog } from '../../audit/retention/retention.testing.ts';

const verifier = fileURLToPath(
  new URL('../../../../../tools/audit-verifier/src/verify.mjs', import.meta.url),
);
let root: string;
let data: string;
let keys: string;
let admin: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'caregate-retention-'));
  [data, keys] = [join(root, 'data'), join(root, 'keys')];
  mkdirSync(data);
  mkdirSync(keys);
  const dates = ['2015-03-01', '2015-04-01', '2015-04-02', '2025-01-01'];
  writeLog(
    data,
    dates.map((at) => ({ entry: auditEntry(), at })),
  );
  admin = await adminKey(data, 'Ada Lindqvist');
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

interface Given {
  readonly env?: Record<string, string>;
  readonly input?: string;
}

function verifierOf(...arguments_: readonly string[]): {
  code: number | null;
  out: string;
  err: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, [verifier, ...arguments_], {
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

/** `FD` among the arguments becomes a file descriptor of the input. */
async function audit(arguments_: string, { env = {}, input = '' }: Given = {}): Promise<Ended> {
  const file = join(keys, 'input');
  writeFileSync(file, input);
  const fd = openSync(file, 'r');
  try {
    const words = arguments_.split(' ').map((word) => (word === 'FD' ? String(fd) : word));
    return await caregateIn({ CAREGATE_DATA: data, ...env }, ['audit', ...words]);
  } finally {
    closeSync(fd);
  }
}

const asAdmin = (): Given => ({ env: { CAREGATE_ADMIN_KEY: admin } });
const passphraseOf = (name: string): string => `${name} keeps this passphrase`;
/** What an approver signs, with the passphrase on a file descriptor. */
const signed = (arguments_: string, name: string): Promise<Ended> =>
  audit(`${arguments_} --key ${join(keys, `${name}.pem`)} --passphrase-fd FD`, {
    input: `${passphraseOf(name)}\n`,
  });

function create(name: string, out = join(keys, `${name}.pem`)): Promise<Ended> {
  return audit(`approver create --name ${name} --out ${out} --passphrase-fd FD`, {
    input: `${passphraseOf(name)}\n`,
  });
}

describe('caregate audit', () => {
  it('cuts what two people agree on with keys of their own, and nothing under hold', async () => {
    for (const name of ['dana', 'omar', 'ines']) {
      expect(await create(name)).toMatchObject({ code: 0, err: '' });
    }
    const pem = join(keys, 'dana.pem');
    expect(readFileSync(pem, 'utf8')).toContain('BEGIN ENCRYPTED PRIVATE KEY');
    expect(statSync(pem).mode & 0o777).toBe(0o600);
    expect((await audit(`approver enrol ${pem}.pub`, asAdmin())).out).toBe(
      'dana is enrolled and may approve retention cuts.\n',
    );
    expect(await signed('cut propose --until 2015-04', 'omar')).toEqual({
      code: 1,
      out: '',
      err: 'This key of an approver is not enrolled in this log.\n',
    });
    expect((await audit(`approver enrol ${join(keys, 'omar.pem.pub')}`, asAdmin())).code).toBe(0);
    expect((await audit(`approver enrol ${join(keys, 'ines.pem.pub')}`, asAdmin())).out).toContain(
      'ines is enrolled once two approvers have endorsed it',
    );
    expect((await signed('approver endorse ines', 'dana')).out).toBe(
      'dana endorsed ines. One more approver has to.\n',
    );
    expect((await signed('approver endorse ines', 'omar')).out).toContain('ines, who may approve');
    const listed = (await audit('approver list')).out;
    expect(listed).toMatch(
      /^dana {2}in force, enrolled by record \d+ {2}dana\+[0-9a-f]{8}\+\S{44}\n/u,
    );

    const added = await audit('hold add --reference CASE-2026-17 --to 2015-03');
    expect(added).toMatchObject({ code: 0, err: '' });
    const hold = /^Hold ([0-9a-f]{8}) was placed\.$/mu.exec(added.out)?.[1] ?? '';
    expect((await audit('segments')).out).toMatch(
      /^2015-03 {2}held {8}1 records, 0 to 0\n2015-04 {2}held/u,
    );
    expect(await signed('cut propose --until 2015-04', 'dana')).toEqual({
      code: 1,
      out: '',
      err: `Hold ${hold} (CASE-2026-17) covers record 0 of 2015-03: records from there on cannot be cut.\n`,
    });
    expect((await audit(`hold release ${hold}`)).code).toBe(0);
    expect((await audit('hold list')).out).toContain('CASE-2026-17: all patients, … to 2015-03');

    const [enrolled, holds, asked] = [
      await audit('approver list --json'),
      await audit('hold list --json'),
      await signed('cut propose --until 2015-04 --json', 'dana'),
    ].map(({ out }): unknown => JSON.parse(out));
    expect(enrolled).toContainEqual(
      expect.objectContaining({ name: 'ines', pending: false, endorsed_by: ['dana', 'omar'] }),
    );
    expect(holds).toEqual([expect.objectContaining({ hold_id: hold })]);
    expect(asked).toEqual({
      proposal_id: expect.stringMatching(/^[0-9a-f]{8}$/u),
      plan: {
        ...{ since: '2015-03', until: '2015-04', from_seq: 0, before_seq: 3 },
        ...{ records: 3, clock_steps: 0 },
      },
    });

    const proposed = await signed('cut propose --until 2015-04', 'dana');
    expect(proposed).toMatchObject({ code: 0, err: '' });
    expect(proposed.out).toContain('Up to 2015-04: 3 records, 0 to 2.');
    const proposal = /cut approve ([0-9a-f]{8})/u.exec(proposed.out)?.[1] ?? '';
    expect((await signed(`cut approve ${proposal}`, 'dana')).out).toContain('nothing is cut yet');
    expect((await signed(`cut approve ${proposal}`, 'dana')).err).toBe(
      'A cut takes two people: dana has approved it already.\n',
    );
    expect((await audit('verify')).out).not.toContain('erased');
    expect(await signed(`cut approve ${proposal}`, 'omar')).toEqual({
      code: 0,
      out: 'Cut completed. Up to 2015-04: 3 records, 0 to 2.\n',
      err: '',
    });
    expect(await audit('verify')).toMatchObject({ code: 0 });
    expect((await audit('verify')).out).toContain('Records 0 to 2 were erased by a retention cut');
    expect((await audit('verify')).out).toContain('approved by dana and omar (record ');
    const known = (await audit('approver list')).out
      .split(/\s+/u)
      .filter((word) => word.includes('+'));
    const file = join(root, 'approvers');
    writeFileSync(file, known.slice(0, 2).join('\n'));
    expect((await audit(`verify --approvers ${file}`)).out).not.toContain(
      'No public keys of approvers',
    );
    const strangers = await audit(`verify --approvers ${known[2] ?? ''}`);
    expect(strangers).toMatchObject({ code: 2, out: '' });
    expect(strangers.err).toContain('is none of the given ones');
    expect(readdirSync(join(data, 'audit', 'records'))).not.toContain('000000000000000');
    // All of it is shown with the alarms.
    expect((await audit('alarms')).out).toMatch(
      /enrolApprover[^]*endorseApprover[^]*retentionCut/u,
    );

    // Anybody with the public key checks it, without us.
    const exported = join(root, 'export.ndjson');
    expect(await audit(`export --format ndjson --out ${exported}`)).toMatchObject({ code: 0 });
    const key = (await audit('public-key')).out.trim();
    const approvers = listed
      .trim()
      .split('\n')
      .map((line) => `--approver=${line.split(/\s+/u).at(-1) ?? ''}`);
    expect(verifierOf(exported, key, ...approvers)).toMatchObject({ code: 0, err: '' });
    expect(verifierOf(exported, key, approvers[2] ?? '')).toMatchObject({ code: 2, out: '' });
    const lines = readFileSync(exported, 'utf8').split('\n');
    const one = JSON.parse(lines[4] ?? '') as { seq: number };
    expect(one.seq).toBe(3);

    expect((await audit('approver revoke omar', asAdmin())).out).toBe(
      'omar was revoked; 2 approvers are left.\n',
    );
    expect((await audit('approver list')).out).toContain('omar  revoked by record');
    expect((await signed('cut propose --until 2015-04', 'omar')).err).toContain('was revoked');
  });

  it('keeps the keys of approvers away from the data', async () => {
    const inside = join(data, 'mallory.pem');
    expect(await create('mallory', inside)).toMatchObject({ code: 1, out: '' });
    const deep = join(data, 'deep');
    mkdirSync(deep, { recursive: true });
    const refused = await create('mallory', join(deep, 'mallory.pem'));
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain(`is in the data folder ${data}: keep the key`);
    expect([inside, join(deep, 'mallory.pem')].some(existsSync)).toBe(false);
    // Also without being told which folder it is.
    const unnamed = await audit(`approver create --name m --out ${inside} --passphrase-fd FD`, {
      env: { CAREGATE_DATA: join(root, 'another') },
      input: 'a long passphrase\n',
    });
    expect(unnamed.err).toContain('is in the data folder');
    const file = join(keys, 'twice.pem');
    expect((await create('twice', file)).code).toBe(0);
    writeFileSync(inside, readFileSync(file));
    const used = await audit(`cut propose --until 2015-04 --key ${inside} --passphrase-fd FD`, {
      input: `${passphraseOf('twice')}\n`,
    });
    expect(used).toMatchObject({ code: 1, out: '' });
    expect(used.err).toContain('keep the key of an approver away from it');
    rmSync(inside);
    expect((await create('twice', file)).err).toContain('exists already');
  });

  it.each<[string, Given, RegExp]>([
    [`approver create --name dana --out KEYS/x.pem`, {}, /^No passphrase: run this in a terminal/u],
    [
      `approver create --name dana --out KEYS/x.pem --passphrase-fd FD`,
      { input: 'short\n' },
      /at least 12 characters/u,
    ],
    [`approver create --name dana --out KEYS/x.pem --passphrase-fd 99`, {}, /^File descriptor 99/u],
    [`approver create --name Dana,W --out KEYS/x.pem`, {}, /Expected up to 40 letters/u],
    [`approver create --name dana --out KEYS/none/x.pem`, {}, /KEYS\/none does not exist/u],
    ['approver enrol KEYS/none.pub', {}, /^Not a valid public key/u],
    ['approver endorse ines', {}, /required option '--key <file>'/u],
    [
      'approver revoke nobody',
      { env: { CAREGATE_ADMIN_KEY: 'x' } },
      /Not a valid key of the role admin/u,
    ],
    ['approver revoke nobody', {}, /^No admin key: set CAREGATE_ADMIN_KEY/u],
    ['cut propose --until 2015-04', {}, /required option '--key <file>'/u],
    ['cut propose --until 2015-04 --key KEYS/none.pem', {}, /KEYS\/none.pem does not exist/u],
    ['cut propose --until 2015 --key x', {}, /Expected a month such as 2019-05/u],
    [
      'segments',
      { env: { CAREGATE_AUDIT_RETENTION_YEARS: '5' } },
      /^CAREGATE_AUDIT_RETENTION_YEARS must be a/u,
    ],
    ['hold add --reference Amelia,Ortiz', {}, /Expected up to 40 letters/u],
    ['hold release 00000000', {}, /No active hold/u],
    ['export --format csv --from yesterday', {}, /Expected a date/u],
    ['export --format csv --data /nowhere/at/all', {}, /has no audit log/u],
  ])('says why not: %s', async (arguments_, given, why) => {
    const { code, err } = await audit(arguments_.replace('KEYS', keys), given);
    expect(code).toBe(1);
    expect(err.replaceAll(keys, 'KEYS')).toMatch(why);
    expect(err).not.toContain('    at ');
  });

  it('exports to a file', async () => {
    const file = join(root, 'export.csv');
    expect(await audit(`export --format csv --out ${file}`)).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(file, 'utf8')).toMatch(/^"seq","recorded_at",/u);
    expect(await audit(`export --format csv --out ${file}`)).toMatchObject({ code: 1 });
    expect((await audit('export --format fhir')).out).toContain('{"resourceType":"AuditEvent"');
    expect(existsSync(join(data, 'access.db'))).toBe(true);
  });
});

describe('caregate serve', () => {
  it('does not start with fewer years than six, and names the setting', async () => {
    // In this process: Node alone does not run the decorators of what it serves with.
    const { serveCommand } = await import('../serve.command.ts');
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    process.env['CAREGATE_AUDIT_RETENTION_YEARS'] = '5';
    try {
      await serveCommand().parseAsync(['--port', '0', '--data', data], { from: 'user' });
      expect(process.exitCode).toBe(2);
      expect(stderr.mock.calls).toEqual([
        ['CAREGATE_AUDIT_RETENTION_YEARS must be a whole number, 6 to 100.\n'],
      ]);
    } finally {
      delete process.env['CAREGATE_AUDIT_RETENTION_YEARS'];
      process.exitCode = 0;
      stderr.mockRestore();
    }
  });
});
