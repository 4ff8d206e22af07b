import { describe, expect, it } from '@jest/globals';
import { RouteTable } from './route-table.ts';

describe('the route table', () => {
  const table = new RouteTable();
  table.add(['GET'], '/v2/user');
  table.add(['GET'], '/v2/user/:id/insurance/latest');
  table.add(['POST'], '/v2/user/:id/insurance/latest');
  table.add(['GET'], '/files/*');

  it('knows the methods of a path, whatever stands for its parameters', () => {
    for (const id of ['1', '', '..', '%2F', '%zz']) {
      expect(table.methodsOf(`/v2/user/${id}/insurance/latest`)).toEqual(['GET', 'POST']);
    }
    expect(table.methodsOf('/v2/%75ser')).toEqual(['GET']);
  });

  it('lets a star stand for one segment or more', () => {
    expect(table.methodsOf('/files/a/b')).toEqual(['GET']);
    expect(table.methodsOf('/files')).toEqual([]);
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
