import { describe, expect, it } from '@jest/globals';
import { PERMISSIONS, parseNarrowing } from '../../operations/permission-table.ts';
import { PROBLEMS } from '../../problem/problems.ts';
import { decisionOf, denialOf, reasonOf } from './details.ts';

describe('why the table says no', () => {
  const narrowed = parseNarrowing('front_desk.labOrderResult=no');
  it.each([
    ['role', PERMISSIONS, 'billing', [], 'labOrderResult'],
    ['role', narrowed, 'billing', [], 'labOrderResult'],
    ['narrowed', narrowed, 'front_desk', [], 'labOrderResult'],
    ['scope', PERMISSIONS, 'integration', ['users:list'], 'labOrderResult'],
    [undefined, PERMISSIONS, 'front_desk', [], 'labOrderResult'],
    [undefined, PERMISSIONS, 'integration', ['lab-results:read'], 'labOrderResult'],
    [undefined, PERMISSIONS, 'admin', [], 'none'],
  ] as const)('%s', (reason, table, role, scopes, operation) => {
    expect(denialOf(table, { role, scopes }, operation)).toBe(reason);
  });
});

describe('an outcome', () => {
  it.each([
    [200, 'allowed', null],
    [201, 'allowed', null],
    [400, 'invalid', 'malformed_request'],
    [401, 'denied', 'unauthorized'],
    [404, 'not_found', 'absent'],
    [405, 'invalid', 'method_not_allowed'],
    [422, 'invalid', 'invalid_parameter'],
    [429, 'denied', 'rate_limited'],
    [500, 'failed', 'failed'],
    [503, 'failed', 'unavailable'],
    [504, 'failed', 'timeout'],
  ] as const)('of status %p is %s, %s', (status, decision, reason) => {
    expect([decisionOf(status), reasonOf(status)]).toEqual([decision, reason]);
  });

  it('has a plain word for every problem', () => {
    for (const { status } of Object.values(PROBLEMS)) {
      expect(decisionOf(status)).not.toBe('allowed');
      expect(reasonOf(status)).toMatch(/^[a-z_]+$/u);
    }
  });
});
