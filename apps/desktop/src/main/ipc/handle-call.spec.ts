import { describe, expect, it, jest } from '@jest/globals';
import type { ChannelName } from '../../shared/channels.ts';
import { REQUESTS } from '../../shared/requests.ts';
import { handleCall } from './handle-call.ts';
import type { Handlers, Refusal } from './handle-call.ts';

const channels = Object.keys(REQUESTS) as ChannelName[];

function setUp(): {
  handlers: Handlers;
  handler: jest.Mock;
  refusals: Refusal[];
  send: (channel: ChannelName, request: unknown, trusted?: boolean) => Promise<unknown>;
} {
  const handler = jest.fn(() => ({ ok: false, problem: { kind: 'offline' } }));
  const handlers = Object.fromEntries(
    channels.map((channel) => [channel, handler]),
  ) as unknown as Handlers;
  const refusals: Refusal[] = [];
  return {
    handlers,
    handler,
    refusals,
    send: (channel, request, trusted = true) =>
      handleCall(channel, { trusted, senderId: 1, request }, handlers, (one) => refusals.push(one)),
  };
}

const refused = { ok: false, problem: { kind: 'refused' } };

describe.each(channels)('channel %s', (channel) => {
  it('refuses other senders and invalid requests', async () => {
    const { send, handler, refusals } = setUp();
    expect(await send(channel, {}, false)).toEqual(refused);
    expect(refusals).toEqual([{ channel, why: 'sender' }]);
    for (const request of [undefined, null, 'text', { surprise: 1 }]) {
      expect(await send(channel, request)).toEqual(refused);
    }
    expect(handler).not.toHaveBeenCalled();
  });
});

const recordIds = Array.from({ length: 450 }, (_none, place) => String(place));

describe.each<[ChannelName, object]>([
  ['state', {}],
  ['enrolDesk', { address: 'https://clinic.example', code: 'ABCDE23456' }],
  ['unlockSession', { staffId: 's', pin: '493827' }],
  ['changeSettings', { theme: 'dark', zoom: 'in', label: null }],
  ['read', { operation: 'resolveUser', call: 'c', params: { clientUserId: 'MRN-1' } }],
  ['read', { operation: 'listAuditEvents', call: 'c', params: { patient: 'MRN-1' } }],
  // The page names more answers than one desk event may have.
  ['copyText', { text: 'copied', from: { document: 'insurance', recordIds } }],
])('channel %s', (channel, request) => {
  it('accepts a valid request and refuses an unknown field', async () => {
    const { send, handler } = setUp();
    await send(channel, request);
    expect(handler).toHaveBeenCalledTimes(1);
    expect(await send(channel, { ...request, surprise: 1 })).toEqual(refused);
    expect(handler).toHaveBeenCalledTimes(1);
  });
});

describe('a read', () => {
  it.each<[string, object]>([
    ['listUsers', { offset: 0, limit: 500 }],
    ['latestInsurance', { userId: 'u', isPrimary: false }],
    ['mindfulnessMinutes', { userId: 'u', startDate: '2026-01-01', nextCursor: 'n' }],
    ['searchPeople', { text: 'okon', limit: 20 }],
    ['listOrders', { userId: 'u', page: 1, orderKey: 'created_at', status: ['completed'] }],
  ])('%s takes %j', async (operation, params) => {
    const { send, refusals } = setUp();
    await send('read', { operation, call: 'c', params });
    expect(refusals).toEqual([]);
  });

  it.each<[string, object]>([
    ['toString', {}],
    ['listUsers', { offset: -1 }],
    ['listUsers', { limit: 501 }],
    ['listUsers', { limit: '1' }],
    ['listUsers', { surprise: 1 }],
    ['resolveUser', {}],
    ['resolveUser', { clientUserId: '' }],
    ['resolveUser', { clientUserId: 'x'.repeat(1025) }],
    ['mindfulnessMinutes', { userId: 'u', startDate: '2'.repeat(41) }],
    ['mindfulnessMinutes', { userId: 'u', startDate: '2026-01-01', provider: 'x'.repeat(201) }],
    ['mindfulnessMinutes', { userId: 'u', startDate: '2026-01-01', nextCursor: 'x'.repeat(4097) }],
    ['searchPeople', { text: 'x'.repeat(401) }],
    ['resolveUser', { client_user_id: 'x' }],
    ['latestInsurance', { userId: 'u', isPrimary: 'no' }],
    ['listOrders', { orderKey: 'other' }],
    ['listOrders', { status: ['a', 1] }],
    ['labOrderResult', { orderId: { toString: 'x' } }],
    ['listAuditEvents', { from: '2'.repeat(41) }],
    ['me', { surprise: 1 }],
  ])('%s refuses %j', async (operation, params) => {
    const { send, handler } = setUp();
    expect(await send('read', { operation, call: 'c', params })).toEqual(refused);
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('a handler that throws', () => {
  it('is logged by its name, without its message', async () => {
    const { handlers, refusals } = setUp();
    const failing = {
      ...handlers,
      state: () => {
        throw new RangeError('about MRN-000101');
      },
    };
    const given = await handleCall(
      'state',
      { trusted: true, senderId: 1, request: {} },
      failing,
      (one) => refusals.push(one),
    );
    expect(given).toEqual({ ok: false, problem: { kind: 'serverBroken' } });
    expect(refusals).toEqual([{ channel: 'state', why: 'failed', error: 'RangeError' }]);
  });
});
