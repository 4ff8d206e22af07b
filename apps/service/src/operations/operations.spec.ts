import { describe, expect, it } from '@jest/globals';
import { OPERATION_NAMES, ROUTES, isPublicRoute, routeName } from './operations.ts';

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
});
