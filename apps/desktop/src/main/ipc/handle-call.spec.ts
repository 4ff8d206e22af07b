import { describe, expect, it, jest } from '@jest/globals';
import * as service from '@caregate/api-client/service';
import { AUDIT_CHANNELS, CHANNELS } from '../../shared/channels.ts';
import type { ChannelName } from '../../shared/channels.ts';
import { handleCall } from './handle-call.ts';
import type { Handlers, Refusal } from './handle-call.ts';

const channels = Object.keys(CHANNELS) as ChannelName[];

function setUp(reply: unknown = { ok: false, problem: { kind: 'offline' } }): {
  handlers: Handlers;
  handler: jest.Mock;
  refusals: Refusal[];
  send: (channel: ChannelName, request: unknown, trusted?: boolean) => Promise<unknown>;
} {
  const handler = jest.fn(() => reply);
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
  it('refuses a sender that is not our page, and runs nothing', async () => {
    const { send, handler, refusals } = setUp();
    expect(await send(channel, {}, false)).toEqual(refused);
    expect(handler).not.toHaveBeenCalled();
    expect(refusals).toEqual([{ channel, why: 'sender' }]);
  });

  it('refuses requests of another shape', async () => {
    const { send, handler } = setUp();
    for (const request of [undefined, null, 'text', [], { surprise: 1 }]) {
      expect(await send(channel, request)).toEqual(refused);
    }
    expect(handler).not.toHaveBeenCalled();
  });
});

describe.each<[ChannelName, object]>([
  ['status', {}],
  ['enrolDesk', { address: 'https://clinic.example', code: 'ABCDE23456' }],
  ['unlockSession', { staffId: 's', pin: '493827' }],
  ['resolveUser', { call: 'c', clientUserId: 'MRN-1' }],
])('channel %s', (channel, request) => {
  it('takes its own request', async () => {
    const { send, handler } = setUp();
    await send(channel, request);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('refuses one field too many', async () => {
    const { send, handler } = setUp();
    expect(await send(channel, { ...request, surprise: 1 })).toEqual(refused);
    expect(handler).not.toHaveBeenCalled();
  });

  it('lets no answer of another shape out', async () => {
    const { send, refusals } = setUp({ ok: true, value: 'anything' });
    expect(await send(channel, request)).toEqual(refused);
    expect(refusals).toEqual([{ channel, why: 'response' }]);
  });
});

describe('a channel that is an operation of the service', () => {
  const desk: ChannelName[] = [
    ...(['signInInfo', 'enrolDesk', 'unlockSession', 'readBadge', 'setPin', 'me'] as const),
    ...(['askBreakGlass', 'endBreakGlass'] as const),
  ];

  it.each([...Object.keys(AUDIT_CHANNELS), ...desk])('%s has its name in the client', (channel) => {
    expect(service).toHaveProperty(channel);
  });
});

describe('a read', () => {
  it.each<[ChannelName, object]>([
    ['listUsers', { offset: 0, limit: 500 }],
    ['latestInsurance', { userId: 'u', isPrimary: false }],
    ['mindfulnessMinutes', { userId: 'u', startDate: '2026-01-01', nextCursor: 'n' }],
    ['searchPeople', { text: 'okon', limit: 20 }],
    ['listOrders', { userId: 'u', page: 1, orderKey: 'created_at', status: ['completed'] }],
  ])('%s takes %j', async (channel, request) => {
    const { send, refusals } = setUp();
    await send(channel, { call: 'c', ...request });
    expect(refusals).toEqual([]);
  });

  it.each<[ChannelName, object]>([
    ['listUsers', { offset: -1 }],
    ['listUsers', { limit: 501 }],
    ['listUsers', { limit: '1' }],
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
  ])('%s refuses %j', async (channel, request) => {
    const { send, handler } = setUp();
    expect(await send(channel, { call: 'c', ...request })).toEqual(refused);
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('a handler that throws', () => {
  it('is told by its name, without its message', async () => {
    const { handlers, refusals } = setUp();
    const failing = {
      ...handlers,
      status: () => {
        throw new RangeError('about MRN-000101');
      },
    };
    const given = await handleCall(
      'status',
      { trusted: true, senderId: 1, request: {} },
      failing,
      (one) => refusals.push(one),
    );
    expect(given).toEqual({ ok: false, problem: { kind: 'serverBroken' } });
    expect(refusals).toEqual([{ channel: 'status', why: 'failed', error: 'RangeError' }]);
  });
});
