import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
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
import { bareEnvironment } from '../caregate.testing.ts';
import { adminKey, writeLog } from '../../audit/retention/retention.testing.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
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

function run(
  arguments_: readonly string[],
  { env = {}, input = '' }: Given = {},
): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@caregate/source', ...arguments_],
    { env: { ...bareEnvironment(), CAREGATE_DATA: data, ...env }, input, encoding: 'utf8' },
  );
  return { code: status, out: stdout, err: stderr };
}

function audit(arguments_: string, given?: Given): ReturnType<typeof run> {
  return run([main, 'audit', ...arguments_.split(' ')], given);
}

const asAdmin = (): Given => ({ env: { CAREGATE_ADMIN_KEY: admin } });
const passphraseOf = (name: string): string => `${name} keeps this passphrase`;
/** What an approver signs, with the passphrase on a file descriptor. */
const signed = (arguments_: string, name: string): ReturnType<typeof run> =>
  audit(`${arguments_} --key ${join(keys, `${name}.pem`)} --passphrase-fd 0`, {
    input: `${passphraseOf(name)}\n`,
  });

function create(name: string, out = join(keys, `${name}.pem`)): ReturnType<typeof run> {
  return audit(`approver create --name ${name} --out ${out} --passphrase-fd 0`, {
    input: `${passphraseOf(name)}\n`,
  });
}

describe('caregate audit', () => {
  it('cuts what two people agree on with keys of their own, and nothing under hold', () => {
    for (const name of ['dana', 'omar', 'ines']) {
      expect(create(name)).toMatchObject({ code: 0, err: '' });
    }
    const pem = join(keys, 'dana.pem');
    expect(readFileSync(pem, 'utf8')).toContain('BEGIN ENCRYPTED PRIVATE KEY');
    expect(statSync(pem).mode & 0o777).toBe(0o600);
    expect(audit(`approver enrol ${pem}.pub`, asAdmin()).out).toBe(
      'dana is enrolled and may approve retention cuts.\n',
    );
    expect(signed('cut propose --until 2015-04', 'omar')).toEqual({
      code: 1,
      out: '',
      err: 'This key of an approver is not enrolled in this log.\n',
    });
    expect(audit(`approver enrol ${join(keys, 'omar.pem.pub')}`, asAdmin()).code).toBe(0);
    expect(audit(`approver enrol ${join(keys, 'ines.pem.pub')}`, asAdmin()).out).toContain(
      'ines is enrolled once two approvers have endorsed it',
    );
    expect(signed('approver endorse ines', 'dana').out).toBe(
      'dana endorsed ines. One more approver has to.\n',
    );
    expect(signed('approver endorse ines', 'omar').out).toContain('ines, who may approve');
    const listed = audit('approver list').out;
    expect(listed).toMatch(
      /^dana {2}in force, enrolled by record \d+ {2}dana\+[0-9a-f]{8}\+\S{44}\n/u,
    );

    const added = audit('hold add --reference CASE-2026-17 --to 2015-03');
    expect(added).toMatchObject({ code: 0, err: '' });
    const hold = /^Hold ([0-9a-f]{8}) was placed\.$/mu.exec(added.out)?.[1] ?? '';
    expect(audit('segments').out).toMatch(
      /^2015-03 {2}held {8}1 records, 0 to 0\n2015-04 {2}held/u,
    );
    expect(signed('cut propose --until 2015-04', 'dana')).toEqual({
      code: 1,
      out: '',
      err: `Hold ${hold} (CASE-2026-17) covers record 0 of 2015-03: records from there on cannot be cut.\n`,
    });
    expect(audit(`hold release ${hold}`).code).toBe(0);
    expect(audit('hold list').out).toContain('CASE-2026-17: all patients, … to 2015-03');

    const [enrolled, holds, asked] = [
      audit('approver list --json'),
      audit('hold list --json'),
      signed('cut propose --until 2015-04 --json', 'dana'),
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

    const proposed = signed('cut propose --until 2015-04', 'dana');
    expect(proposed).toMatchObject({ code: 0, err: '' });
    expect(proposed.out).toContain('Up to 2015-04: 3 records, 0 to 2.');
    const proposal = /cut approve ([0-9a-f]{8})/u.exec(proposed.out)?.[1] ?? '';
    expect(signed(`cut approve ${proposal}`, 'dana').out).toContain('nothing is cut yet');
    expect(signed(`cut approve ${proposal}`, 'dana').err).toBe(
      'A cut takes two people: dana has approved it already.\n',
    );
    expect(audit('verify').out).not.toContain('erased');
    expect(signed(`cut approve ${proposal}`, 'omar')).toEqual({
      code: 0,
      out: 'Cut completed. Up to 2015-04: 3 records, 0 to 2.\n',
      err: '',
    });
    expect(audit('verify')).toMatchObject({ code: 0 });
    expect(audit('verify').out).toContain('Records 0 to 2 were erased by a retention cut');
    expect(audit('verify').out).toContain('approved by dana and omar (record ');
    const known = audit('approver list')
      .out.split(/\s+/u)
      .filter((word) => word.includes('+'));
    const file = join(root, 'approvers');
    writeFileSync(file, known.slice(0, 2).join('\n'));
    expect(audit(`verify --approvers ${file}`).out).not.toContain('No public keys of approvers');
    const strangers = audit(`verify --approvers ${known[2] ?? ''}`);
    expect(strangers).toMatchObject({ code: 2, out: '' });
    expect(strangers.err).toContain('is none of the given ones');
    expect(readdirSync(join(data, 'audit', 'records'))).not.toContain('000000000000000');
    // All of it is shown with the alarms.
    expect(audit('alarms').out).toMatch(/enrolApprover[^]*endorseApprover[^]*retentionCut/u);

    // Anybody with the public key checks it, without us.
    const exported = join(root, 'export.ndjson');
    expect(audit(`export --format ndjson --out ${exported}`)).toMatchObject({ code: 0 });
    const key = audit('public-key').out.trim();
    const approvers = listed
      .trim()
      .split('\n')
      .map((line) => `--approver=${line.split(/\s+/u).at(-1) ?? ''}`);
    expect(run([verifier, exported, key, ...approvers])).toMatchObject({ code: 0, err: '' });
    expect(run([verifier, exported, key, approvers[2] ?? ''])).toMatchObject({ code: 2, out: '' });
    const lines = readFileSync(exported, 'utf8').split('\n');
    const one = JSON.parse(lines[4] ?? '') as { seq: number };
    expect(one.seq).toBe(3);

    expect(audit('approver revoke omar', asAdmin()).out).toBe(
      'omar was revoked; 2 approvers are left.\n',
    );
    expect(audit('approver list').out).toContain('omar  revoked by record');
    expect(signed('cut propose --until 2015-04', 'omar').err).toContain('was revoked');
  });

  it('keeps the keys of approvers away from the data', () => {
    const inside = join(data, 'mallory.pem');
    expect(create('mallory', inside)).toMatchObject({ code: 1, out: '' });
    const deep = join(data, 'deep');
    mkdirSync(deep, { recursive: true });
    const refused = create('mallory', join(deep, 'mallory.pem'));
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain(`is in the data folder ${data}: keep the key`);
    expect([inside, join(deep, 'mallory.pem')].some(existsSync)).toBe(false);
    // Also without being told which folder it is.
    const unnamed = run(
      [main, 'audit', 'approver', 'create', '--name', 'm', '--out', inside, '--passphrase-fd', '0'],
      { env: { CAREGATE_DATA: join(root, 'another') }, input: 'a long passphrase\n' },
    );
    expect(unnamed.err).toContain('is in the data folder');
    const file = join(keys, 'twice.pem');
    expect(create('twice', file).code).toBe(0);
    writeFileSync(inside, readFileSync(file));
    const used = audit(`cut propose --until 2015-04 --key ${inside} --passphrase-fd 0`, {
      input: `${passphraseOf('twice')}\n`,
    });
    expect(used).toMatchObject({ code: 1, out: '' });
    expect(used.err).toContain('keep the key of an approver away from it');
    rmSync(inside);
    expect(create('twice', file).err).toContain('exists already');
  });

  it.each<[string, Given, RegExp]>([
    [`approver create --name dana --out KEYS/x.pem`, {}, /^No passphrase: run this in a terminal/u],
    [
      `approver create --name dana --out KEYS/x.pem --passphrase-fd 0`,
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
  ])('says why not: %s', (arguments_, given, why) => {
    const { code, err } = audit(arguments_.replace('KEYS', keys), given);
    expect(code).toBe(1);
    expect(err.replaceAll(keys, 'KEYS')).toMatch(why);
    expect(err).not.toContain('    at ');
  });

  it('exports to a file', () => {
    const file = join(root, 'export.csv');
    expect(audit(`export --format csv --out ${file}`)).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(file, 'utf8')).toMatch(/^"seq","recorded_at",/u);
    expect(audit(`export --format csv --out ${file}`)).toMatchObject({ code: 1 });
    expect(audit('export --format fhir').out).toContain('{"resourceType":"AuditEvent"');
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
