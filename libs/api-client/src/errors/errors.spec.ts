import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { USER_ID, createClient, getFailure } from '../../testing/setup.ts';
import { TestServer } from '../../testing/test-server.ts';
import {
  BadRequestError,
  ForbiddenError,
  HealthDataApiError,
  InvalidParameterError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
} from './api-errors.ts';
import { NetworkError } from './call-errors.ts';
import { readProblem } from '../read-problem.ts';

const ROUTE = 'GET /v2/user/resolve/{client_user_id}';
const server = await TestServer.forSpec();

describe('a network error names its cause', () => {
  const thrown = (message: string, code?: string): Error =>
    Object.assign(new TypeError('fetch failed', { cause: new Error(message) }), code && { code });
  const url = 'http://clinic.example/v2/user/resolve/patient-17';
  it.each([
    [
      'Deno',
      `error sending request for url (${url}): client error (Connect): tcp connect error: Connection refused (os error 111)`,
      undefined,
      'ECONNREFUSED',
    ],
    [
      'Deno',
      `error sending request for url (${url}): client error (Connect): dns error: failed to lookup address information: Name or service not known`,
      undefined,
      'ENOTFOUND',
    ],
    [
      'Deno',
      `client error (Connect): invalid peer certificate: UnknownIssuer`,
      undefined,
      'CERT_INVALID',
    ],
    [
      'Bun',
      'Unable to connect. Is the computer able to access the url?',
      'ConnectionRefused',
      'ECONNREFUSED',
    ],
    ['browsers', 'Failed to fetch', undefined, undefined],
  ])('on %s: %s', (_, message, code, expectedCode) => {
    const error = new NetworkError(ROUTE, thrown(message, code));
    expect(error.code).toBe(expectedCode);
    expect(error.message).toBe(
      `${ROUTE}: no response${expectedCode === undefined ? '' : ` (${expectedCode})`}`,
    );
    expect(inspect(error)).not.toContain('patient-17');
  });
});

describe('refusals', () => {
  const client = createClient(server);

  it.each([
    [400, BadRequestError, 'BadRequestError'],
    [401, UnauthorizedError, 'UnauthorizedError'],
    [403, ForbiddenError, 'ForbiddenError'],
    [404, NotFoundError, 'NotFoundError'],
    [422, InvalidParameterError, 'InvalidParameterError'],
    [429, RateLimitedError, 'RateLimitedError'],
    [500, ServerError, 'ServerError'],
    [503, ServerError, 'ServerError'],
    [405, HealthDataApiError, 'HealthDataApiError'],
  ])('makes of status %i a %p', async (status, type, name) => {
    server.json({}, status);
    const error = await getFailure(client.users.resolve('patient-17'));
    expect(error.constructor).toBe(type);
    expect(error).toMatchObject({ name, status, route: ROUTE });
    expect(error.message).toBe(`${ROUTE}: responded with status ${status}`);
  });

  it('reads a problem document', async () => {
    const problem = {
      type: '/problems/invalid-parameter',
      title: 'Invalid parameter',
      status: 422,
      detail: 'limit must be at most 500',
      errors: [{ parameter: 'limit', reason: 'must be at most 500' }],
      request_id: 'from-the-body',
    };
    server.json(problem, 422, {
      'content-type': 'application/problem+json',
      'x-request-id': 'r-1',
    });
    expect(await getFailure(client.users.list())).toMatchObject({
      type: problem.type,
      title: problem.title,
      detail: problem.detail,
      errors: problem.errors,
      requestId: 'r-1',
      headers: { 'x-request-id': 'r-1' },
    });
  });

  it('names in its message the parameters at fault, and nothing that could be a value', async () => {
    const about = (parameter: string): object => ({ parameter, reason: `${parameter} is wrong` });
    const names = ['limit', 'limit', 'insured.dob', USER_ID, 'Amara', 'MRN-1', '', 'x'.repeat(50)];
    server.json({ errors: names.map(about) }, 422);
    const error = await getFailure(client.users.resolve('patient-17'));
    expect(error.message).toBe(`${ROUTE}: responded with status 422 (limit, insured.dob)`);
  });

  it.each<[string, string, Record<string, string>, object]>([
    ['a page that is not JSON', '<h1>Bad gateway', {}, { detail: undefined }],
    ['a request id in the body alone', '{"request_id":"r-2"}', {}, { requestId: 'r-2' }],
    ['{"detail": "…"}', '{"detail":"Not found"}', {}, { detail: 'Not found' }],
    [
      '{"detail": [{"loc": …, "msg": …}]}',
      '{"detail":[{"loc":["query","limit"],"msg":"too large","type":"x"}]}',
      {},
      { detail: undefined, errors: [{ parameter: 'limit', reason: 'too large' }] },
    ],
    ['Retry-After', '{}', { 'retry-after': '17' }, { retryAfter: 17 }],
  ])('understands %s', async (_what, body, headers, expected) => {
    server.text(body, 502, headers);
    const error = await getFailure(client.users.list());
    expect(error).toMatchObject({ name: 'ServerError', status: 502, ...expected });
  });

  it("leaves the server's words out of logs, for they may quote ids", async () => {
    server.json({ detail: `No user ${USER_ID}`, title: USER_ID }, 404, { 'x-seen': USER_ID });
    const error = await getFailure(client.users.resolve(USER_ID));
    expect(error).toMatchObject({ detail: `No user ${USER_ID}` });
    expect(inspect(error, { depth: null })).not.toContain(USER_ID);
    expect(JSON.stringify(error)).not.toContain(USER_ID);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: 'NotFoundError', status: 404 });
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2025-06-01T12:00:00Z');
  it.each([
    ['0', 0],
    [' 120 ', 120],
    ['Sun, 01 Jun 2025 12:00:30 GMT', 30],
    ['Sun, 01 Jun 2025 11:00:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('%p is %p seconds', (header, seconds) => {
    const response = { status: 429, headers: { 'retry-after': header }, body: '' };
    expect(readProblem(response, (text) => text, now).retryAfter).toBe(seconds);
  });
});

describe('a connection that ended', () => {
  const failure = (parts: object): Error =>
    Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }, parts);

  it.each([
    ['kept from an earlier request', failure({ request: { reusedSocket: true } }), true],
    [
      'the same, known before the write',
      failure({ request: { reusedSocket: true }, code: 'EPIPE' }),
      true,
    ],
    ['a new one', failure({ request: { reusedSocket: false } }), false],
    ['of an unknown request', failure({}), false],
    ['in an answer', failure({ request: { reusedSocket: true }, response: {} }), false],
    ['refused', failure({ request: { reusedSocket: true }, code: 'ECONNREFUSED' }), false],
    ['nothing at all', undefined, false],
  ])('%s', (_, cause, expected) => {
    expect(new NetworkError(ROUTE, cause).onKeptConnection).toBe(expected);
  });
});
