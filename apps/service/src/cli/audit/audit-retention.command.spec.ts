import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditEntry } from '../../audit/audit.testing.ts';
import { adminKeys, writeLog } from '../../audit/retention/retention.testing.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
let data: string;
let keys: Record<'Dana Whitfield' | 'Omar Haddad', string>;

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'caregate-retention-'));
  const dates = ['2015-03-01', '2015-04-01', '2015-04-02', '2025-01-01'];
  await writeLog(
    data,
    dates.map((at) => ({ entry: auditEntry(), at })),
  );
  keys = await adminKeys(data, 'Dana Whitfield', 'Omar Haddad');
});
afterAll(() => {
  rmSync(data, { recursive: true, force: true });
});
function audit(
  arguments_: string,
  { env = {}, input = '' }: { readonly env?: Record<string, string>; readonly input?: string } = {},
): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@caregate/source', main, 'audit', ...arguments_.split(' ')],
    { env: { PATH: process.env['PATH'], CAREGATE_DATA: data, ...env }, input, encoding: 'utf8' },
  );
  return { code: status, out: stdout, err: stderr };
}

describe('caregate audit', () => {
  it('cuts what two people agree on, and nothing under hold', () => {
    const added = audit('hold add --reference CASE-2026-17 --to 2015-03');
    expect(added).toMatchObject({ code: 0, err: '' });
    const hold = /^Hold ([0-9a-f]{8}) was placed\.$/mu.exec(added.out)?.[1] ?? '';
    expect(audit('segments').out).toMatch(
      /^2015-03 {2}held {8}1 records, 0 to 0\n2015-04 {2}held/u,
    );

    const dana = { env: { CAREGATE_ADMIN_KEY: keys['Dana Whitfield'] } };
    const held = audit('cut propose --until 2015-04', dana);
    expect(held).toMatchObject({ code: 1, out: '' });
    expect(held.err).toBe(
      `Hold ${hold} (CASE-2026-17) covers record 0 of 2015-03: records from there on cannot be cut.\n`,
    );
    expect(audit(`hold release ${hold}`).code).toBe(0);
    expect(audit('hold list').out).toContain('CASE-2026-17: all patients, … to 2015-03');

    const proposed = audit('cut propose --until 2015-04', dana);
    expect(proposed).toMatchObject({ code: 0, err: '' });
    expect(proposed.out).toContain('Up to 2015-04: 3 records, 0 to 2.');
    const proposal = /cut approve ([0-9a-f]{8})/u.exec(proposed.out)?.[1] ?? '';
    expect(audit(`cut approve ${proposal}`, dana).err).toContain('A cut takes two people');
    // On standard input, as `pass show … |` gives it.
    const omar = { input: `${keys['Omar Haddad']}\n` };
    expect(audit(`cut approve ${proposal}`, omar)).toEqual({
      code: 0,
      out: 'Cut completed. Up to 2015-04: 3 records, 0 to 2.\n',
      err: '',
    });
    expect(audit('verify')).toMatchObject({ code: 0 });
    expect(audit('verify').out).toContain('Records 0 to 2 were erased by a retention cut.');
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['cut propose --until 2015-04', {}, /^No admin key: set CAREGATE_ADMIN_KEY/u],
    [
      'cut propose --until 2015-04',
      { CAREGATE_ADMIN_KEY: 'x' },
      /Not a valid key of the role admin/u,
    ],
    ['cut propose --until 2015', {}, /Expected a month such as 2019-05/u],
    [
      'segments',
      { CAREGATE_AUDIT_RETENTION_YEARS: '5' },
      /^CAREGATE_AUDIT_RETENTION_YEARS must be a/u,
    ],
    ['hold add --reference Amelia,Ortiz', {}, /Expected up to 40 letters/u],
    ['hold release 00000000', {}, /No active hold/u],
    ['export --format csv --from yesterday', {}, /Expected a date/u],
    ['export --format csv --data /nowhere/at/all', {}, /has no audit log/u],
  ])('says why not: %s', (arguments_, env, why) => {
    const { code, err } = audit(arguments_, { env });
    expect(code).toBe(1);
    expect(err).toMatch(why);
    expect(err).not.toContain('    at ');
  });

  it('exports to a file', () => {
    const file = join(data, 'export.csv');
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
