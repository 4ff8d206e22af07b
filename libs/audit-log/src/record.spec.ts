import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { hash } from 'node:crypto';
import { AuditLogError } from './errors.ts';
import {
  copyMembers,
  packSortedUuids,
  readIds,
  parseOwnRecord,
  formatOwnRecord,
  requireText,
  type RecordText,
} from './record.ts';
import { auditText, members, teamId, userIds } from './testing/audit-text.testing.ts';

const bodyOf = ([before, after]: RecordText): string => `${before}7${after}`;
const toBytes = (id = ''): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const [one, other] = [toBytes(userIds[0]), toBytes(userIds[1])];

describe('the columns beside a record', () => {
  const copies = { time: 7, texts: [teamId, 'front-desk-1', 'resolveUser', 'allowed'] };
  const hashed = hash('sha256', 'A-7', 'buffer').subarray(0, 16);
  it.each([
    ['no patient', [], { ...copies, one: null, many: null }],
    ['one', userIds.slice(0, 1), { ...copies, one, many: null }],
    ['several', userIds.slice(0, 2), { ...copies, one: null, many: Buffer.concat([one, other]) }],
    ['another ID', ['A-7'], { ...copies, one: hashed, many: null }],
  ])('of %s', (_, patients, wanted) => {
    expect(copyMembers(bodyOf(auditText({ patients })), members)).toEqual(wanted);
  });

  it.each<[string, RecordText]>([
    ['members of other types', ['{"recorded_at_us":"', '","team_id":5,"patients":{}}']],
    ['no JSON', ['no JSON ', '']],
    ['null', ['', 'null']],
  ])('of %s are empty', (_, text) => {
    const nothing = { time: null, texts: [null, null, null, null], one: null, many: null };
    expect(copyMembers(bodyOf(text), members)).toEqual(nothing);
  });
});

describe('a record of the log itself', () => {
  it('has its members in order, and its time where the log writes it', () => {
    const text = formatOwnRecord(
      { operation: 'z', details: { b: 1, a: 'x' }, actor_id: 'amara' },
      members,
    );
    const body = bodyOf(text);
    expect(JSON.parse(body)).toMatchObject({ _log: 1, operation: 'z', recorded_at_us: 7 });
    const names = Object.keys(JSON.parse(body) as object);
    expect(names).toEqual(names.toSorted());
    expect(parseOwnRecord(body)).toEqual({ operation: 'z', details: { a: 'x', b: 1 } });
    expect(parseOwnRecord(bodyOf(auditText()))).toBeUndefined();
    expect(parseOwnRecord('{"_log":1,')).toEqual({ operation: 'undefined', details: {} });
    const quoted = formatOwnRecord(
      { operation: 'z', details: { why: '"recorded_at_us":0' } },
      members,
    );
    expect(JSON.parse(bodyOf(quoted))).toMatchObject({
      ...{ recorded_at_us: 7, details: { why: '"recorded_at_us":0' } },
    });
  });
});

describe('a text', () => {
  const most = 2 ** 20;
  it.each<[string, RecordText]>([
    ['NUL', ['{"a":"\0', '"}']],
    ['a line break', ['{\n', '}']],
    ['a lone surrogate', ['{"a":"\ud800"', '}']],
    ['a lone low surrogate', ['{', '"\udc00"}']],
    ['a surrogate on either side of its time', ['{"a":"\ud83d', '\ude00"}']],
    ['nothing before its time', ['', '}']],
    ['the beginning of the log’s own records', ['{"_log":1,"t":', '}']],
    ['more than 1 MiB', ['{"a":"', 'x'.repeat(most)]],
    ['more than 1 MiB in UTF-8', ['{"a":"', '€'.repeat(most / 3)]],
    ['2 MB', ['x'.repeat(2e6), '']],
  ])('with %s is refused', (_, text) => {
    expect(() => {
      requireText(text);
    }).toThrow(AuditLogError);
  });

  it.each<[string, RecordText]>([
    ['of 1 MiB', ['{', 'x'.repeat(most - 2)]],
    ['with pairs of surrogates', ['{"a":"😀', '"}']],
    ['with a space before such a member', ['{ "_log":', '}']],
  ])('%s is taken', (_, text) => {
    expect(() => {
      requireText(text);
    }).not.toThrow();
  });
});

const packUuids = (uuids: readonly string[]): string =>
  Buffer.from(uuids.join('').replaceAll('-', ''), 'hex').toString('base64url');

describe('packed UUIDs', () => {
  it('are the same UUIDs when they are unpacked', () => {
    fc.assert(
      fc.property(fc.array(fc.uuid()), (uuids) => {
        expect(readIds(packUuids(uuids))).toEqual(uuids);
      }),
    );
  });

  it('of any order are sorted, each once, as their texts would be', () => {
    const few = fc.constantFrom(...fc.sample(fc.uuid(), { numRuns: 4, seed: 1 }));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.uuid(), few)), (uuids) => {
        const sorted = [...new Set(uuids)].sort();
        expect(packSortedUuids(uuids)).toBe(sorted.length < 2 ? undefined : packUuids(sorted));
      }),
    );
  });

  it('are not made of texts that only together look like them', () => {
    const [one, other] = fc.sample(fc.uuid(), { numRuns: 2, seed: 1 }) as [string, string];
    expect(packSortedUuids([one + other.slice(0, 1), other.slice(1)])).toBeUndefined();
    expect(packSortedUuids([one, 'not-a-uuid'])).toBeUndefined();
    expect(packSortedUuids([one, other.toUpperCase()])).toBeUndefined();
    // The low byte of this character is a digit.
    expect(packSortedUuids([one, `\u0130${other.slice(1)}`])).toBeUndefined();
    expect(packSortedUuids([one, `${other.slice(0, 8)}0${other.slice(9)}`])).toBeUndefined();
    expect(packSortedUuids([one, `${other.slice(0, -1)}\n`])).toBeUndefined();
  });

  it.each(['A', 'AAAA', `${'A'.repeat(22)}=`, '!'.repeat(22)])('are not read from %s', (text) => {
    expect(readIds(text)).toEqual([]);
  });
});
