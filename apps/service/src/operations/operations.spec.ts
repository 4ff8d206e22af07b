import { describe, expect, it } from '@jest/globals';
import { OPERATION_NAMES, OPERATIONS, ROUTES, isPublicRoute, routeName } from './operations.ts';
import { SUBJECTS } from './operation-row.ts';
import { READS, type ReadRow } from './reads.ts';

describe('the table of operations', () => {
  it('has one route for each name, and one name for each route', () => {
    expect(new Set(ROUTES).size).toBe(ROUTES.length);
    expect(ROUTES).toHaveLength(OPERATION_NAMES.length + 12);
  });

  it('names a route by its method and pattern, and no other', () => {
    expect(routeName('GET', '/v2/user')).toBe('listUsers');
    expect(routeName('GET', '/v2/user/resolve/:client_user_id')).toBe('resolveUser');
    expect(routeName('POST', '/access/break-glass')).toBe('askBreakGlass');
    expect(routeName('GET', '/healthz')).toBe('healthz');
    expect(routeName('POST', '/v2/user')).toBeUndefined();
    expect(routeName('GET', '/v2/user/resolve/MRN-000101')).toBeUndefined();
  });

  it('tells what needs no key from what does', () => {
    expect(OPERATION_NAMES.filter(isPublicRoute)).toEqual([]);
    expect([isPublicRoute('metrics'), isPublicRoute('none'), isPublicRoute('toString')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each(OPERATION_NAMES)('says of %s whom its path leads to', (name) => {
    const { path, subject, fhir } = OPERATIONS[name];
    // By its subject an operation can be opened in an emergency: never the log.
    const leads = fhir.form === 'audit' ? [] : SUBJECTS;
    expect(leads.filter((parameter) => path.includes(`{${parameter}}`))).toEqual(
      subject === null ? [] : [subject],
    );
  });

  it('takes no row that the catalogue contradicts', () => {
    const { permission } = READS.labOrderResult;
    // @ts-expect-error: not for billing
    const wider: ReadRow<'labOrderResult'>['permission'] = { ...permission, billing: 'yes' };
    // @ts-expect-error: for the front desk
    const narrower: ReadRow<'labOrderResult'>['permission'] = { ...permission, front_desk: 'no' };
    // @ts-expect-error: the path has an order
    const subject: ReadRow<'labOrderResult'>['subject'] = null;
    expect([wider.billing, narrower.front_desk, subject]).toEqual(['yes', 'no', null]);
  });
});
