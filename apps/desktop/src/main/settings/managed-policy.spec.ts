import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { Settings } from '../../bridge/app-state.ts';
import { fromPreferences, fromRegistry, readManaged } from './managed-policy.ts';
import { readPolicy } from './policy-file.ts';

const none = '/no/such/policy.json';

/** As `reg query` prints a key, and as Windows keeps what a group policy fixes. */
function printed(settings: Partial<Settings>): string {
  const lines = Object.entries(settings).map(([name, value]) => {
    if (typeof value === 'boolean') return `    ${name}    REG_DWORD    0x${value ? '1' : '0'}`;
    if (typeof value === 'number') return `    ${name}    REG_DWORD    0x${value.toString(16)}`;
    if (Array.isArray(value)) return `    ${name}    REG_MULTI_SZ    ${value.join('\\0')}`;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `    ${name}    REG_SZ    ${text}`;
  });
  const key = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Caregate\\Desktop';
  return ['', key, ...lines, ''].join('\r\n');
}

const word = fc.stringMatching(/^[A-Za-z0-9\].-]{1,20}$/u);
const settings: fc.Arbitrary<Partial<Settings>> = fc.record(
  {
    address: fc.webUrl({ validSchemes: ['https'] }),
    language: fc.constantFrom('system', 'en', 'es', 'ar'),
    lockMinutes: fc.integer({ min: 1, max: 15 }),
    scannerPrefixes: fc.array(word, { maxLength: 20 }),
    zoom: fc.integer({ min: 50, max: 300 }),
    typeToFind: fc.boolean(),
    prints: fc.record({
      documents: fc.constant([
        { kind: 'labs' as const, printer: 'Front office', paper: 'a4' as const },
      ]),
    }),
  },
  { requiredKeys: [] },
);

describe("what a computer's management says", () => {
  it('comes from the registry as it was written there', () => {
    fc.assert(
      fc.property(settings, (wanted) => {
        const managed = readManaged('win32', {}, () => printed(wanted));
        expect(readPolicy(none, managed)).toEqual({ values: wanted, wrong: [] });
      }),
    );
  });

  it('asks the registry of the system’s own reg.exe alone', () => {
    const asked: string[] = [];
    readManaged('win32', { SystemRoot: 'D:\\Windows' }, (program, words) => {
      asked.push(program, ...words);
      return '';
    });
    expect(asked[0]).toMatch(/^D:\\Windows.System32.reg\.exe$/u);
    expect(asked).toContain('HKLM\\SOFTWARE\\Policies\\Caregate\\Desktop');
  });

  it('is nothing where the registry has no such key', () => {
    const managed = readManaged('win32', {}, () => {
      throw new Error('1');
    });
    expect(readPolicy(none, managed)).toEqual({ values: {}, wrong: [] });
  });

  it('comes from a profile, without what management adds', () => {
    const wanted = { lockMinutes: 3, typeToFind: false, prints: { documents: [] } };
    const found = { ...wanted, prints: JSON.stringify(wanted.prints), PayloadUUID: '7B1F' };
    expect(readPolicy(none, fromPreferences(JSON.stringify(found)))).toEqual({
      values: wanted,
      wrong: [],
    });
  });

  it('names what is wrong in it, and what can’t be read at all', () => {
    const managed = fromRegistry(
      printed({ lockMinutes: 99, zoom: 100 }) + '    prints    REG_SZ    {"documents\r\n',
    );
    expect(readPolicy(none, managed)).toEqual({
      values: { zoom: 100 },
      wrong: ['lockMinutes', 'prints'],
    });
    expect(readPolicy(none, null)).toEqual({ values: {}, wrong: ['*'] });
  });

  it('is nothing on Linux, which has the file', () => {
    const managed = readManaged('linux', {}, () => {
      throw new Error('not asked');
    });
    expect(managed).toEqual({});
  });
});
