import { describe, expect, it } from '@jest/globals';
import { OPERATION_NAMES, ROLES, SCOPES } from './operations.ts';
import { NarrowingError, PERMISSIONS, decide, parseNarrowing } from './permission-table.ts';

describe('narrowing', () => {
  it('changes the cells it names, and no other', () => {
    const table = parseNarrowing(
      'front_desk.labOrderResult=no, clinician.listUsers = mask,integration.listUsers=no',
    );
    expect(table).toEqual({
      ...PERMISSIONS,
      labOrderResult: { ...PERMISSIONS.labOrderResult, front_desk: 'no' },
      // The history contains results.
      orderHistory: { ...PERMISSIONS.orderHistory, front_desk: 'no' },
      listUsers: { ...PERMISSIONS.listUsers, clinician: 'mask', integration: 'no' },
    });
    expect(PERMISSIONS.labOrderResult.front_desk).toBe('yes');
  });

  it('widens no cell, whatever it is asked for', () => {
    const rank = { no: 0, mask: 1, yes: 2 } as const;
    for (const operation of OPERATION_NAMES) {
      for (const role of ROLES) {
        for (const value of ['no', 'mask', 'yes', ...SCOPES]) {
          let table;
          try {
            table = parseNarrowing(`${role}.${operation}=${value}`);
          } catch (error) {
            expect(error).toBeInstanceOf(NarrowingError);
            expect((error as Error).message).toContain(`"${role}.${operation}=${value}"`);
            continue;
          }
          for (const scopes of [[], [...SCOPES]]) {
            const before = rank[decide(PERMISSIONS, { role, scopes }, operation)];
            expect(rank[decide(table, { role, scopes }, operation)]).toBeLessThanOrEqual(before);
          }
        }
      }
    }
  });

  it.each([
    ['front_desk.labOrderResult', 'must have the form role.operation=no'],
    ['labOrderResult=no', 'must have the form'],
    ['boss.labOrderResult=no', 'unknown role "boss". Roles: front_desk, clinician'],
    ['billing.labResult=no', 'unknown operation "labResult". Operations: listUsers, resolveUser'],
    ['billing.toString=no', 'unknown operation "toString"'],
    ['billing.listUsers=yes', 'this permission is "mask" and can only be reduced to no or mask.'],
    [
      'clinician.resolveUser=mask',
      'this permission is "yes" and can only be reduced to no or yes.',
    ],
    ['auditor.resolveUser=yes', 'this permission is "no" and can only be reduced to no.'],
    [
      'billing.resolveUser=no,billing.resolveUser=yes',
      '"billing.resolveUser" is given more than once',
    ],
  ])('refuses %p', (text, message) => {
    expect(() => parseNarrowing(text)).toThrow(NarrowingError);
    expect(() => parseNarrowing(text)).toThrow(message);
  });
});
