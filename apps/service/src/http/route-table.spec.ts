import { describe, expect, it } from '@jest/globals';
import { routeName, ROUTES } from '../operations/operations.ts';
import { RouteTable } from './route-table.ts';

const table = new RouteTable();
table.add('GET', '/v2/user', 'listUsers');
table.add('GET', '/v2/user/:user_id/insurance/latest', 'latestInsurance');
table.add('POST', '/v2/user/:user_id/insurance/latest', 'latestInsurance');
table.add('GET', '/files/*', undefined);

const allowed = (path: string): string | undefined =>
  table.refusal(path).problem.headers?.['allow'];

describe('the route table', () => {
  it('knows the methods of a path, whatever stands for its parameters', () => {
    for (const id of ['1', '', '..', '%2F']) {
      expect([id, allowed(`/v2/user/${id}/insurance/latest`)]).toEqual([id, 'GET, POST']);
    }
    expect(allowed('/v2/%75ser')).toBe('GET');
  });

  it('lets a star stand for one segment or more', () => {
    expect(allowed('/files/a/b')).toBe('GET');
    expect(allowed('/files')).toBeUndefined();
  });

  it('resolves no dots, and makes no segments of encoded slashes', () => {
    for (const path of ['/v2/x/../user', '/v2%2Fuser', '/v2/user/', '/V2/user', '']) {
      expect(table.refusal(path).problem.type).toBe('not-found');
    }
  });

  it('names the methods in Allow', () => {
    expect(table.refusal('/v2/user/1/insurance/latest?x=1').problem).toMatchObject({
      type: 'method-not-allowed',
      headers: { allow: 'GET, POST' },
    });
  });
});

describe('the check at a start', () => {
  const complete = (otherwise: Readonly<Record<string, string | undefined>> = {}): RouteTable => {
    const routes = new RouteTable();
    for (const route of new Set([...ROUTES, ...Object.keys(otherwise)])) {
      const [method = '', path = ''] = route.split(' ');
      routes.add(method, path, route in otherwise ? otherwise[route] : routeName(method, path));
    }
    return routes;
  };

  it('accepts the routes of the table', () => {
    complete().requireOperations();
  });

  it.each([
    ['without an operation', '/more', undefined, 'GET /more is marked with no operation'],
    ['that the table lacks', '/more', 'listUsers', 'GET /more is marked with listUsers'],
    [
      'with the operation of another',
      '/v2/user',
      'resolveUser',
      'GET /v2/user is marked with resolveUser, and listUsers',
    ],
    ['that must not be public', '/audit/key', 'about', 'GET /audit/key is marked with about'],
  ])('refuses a route %s', (_, path, operation, message) => {
    const routes = complete({ [`GET ${path}`]: operation });
    expect(() => {
      routes.requireOperations();
    }).toThrow(message);
  });

  it('refuses to leave an operation unserved', () => {
    expect(() => {
      new RouteTable().requireOperations();
    }).toThrow(`No controller serves ${ROUTES[0]}`);
  });
});
