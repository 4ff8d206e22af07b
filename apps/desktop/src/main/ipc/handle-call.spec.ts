import { describe, expect, it, jest } from '@jest/globals';
import { OPERATION_NAMES, READ_OPERATIONS } from '@caregate/domain/operations';
import type { OperationName, ReadOperation } from '@caregate/domain/operations';
import { schemas } from '@caregate/domain/schema';
import { CHANNELS } from '../../bridge/channels.ts';
import type { ChannelName } from '../../bridge/channels.ts';
import { camelCase } from '../../bridge/schema.ts';
import { handleCall } from './handle-call.ts';
import type { Handlers, Refusal } from './handle-call.ts';

const channels = Object.keys(CHANNELS) as ChannelName[];

/** A request that each channel takes. */
const requests: Readonly<Record<ChannelName, unknown>> = {
  status: {},
  signIn: { address: 'https://caregate.example', key: 'k', saveKey: false },
  signInWithSavedKey: {},
  signInToDemo: { role: 'clinician' },
  signOut: {},
  lock: {},
  unlock: { key: 'k' },
  forgetKey: {},
  lookUpService: { address: 'https://caregate.example' },
  enrolDesk: { address: 'https://caregate.example', code: 'ABCDE23456' },
  beginSignIn: {},
  cancelSignIn: {},
  setPin: { pin: '493827' },
  unlockWithPin: { staffId: 's', pin: '493827' },
  switchTo: { staffId: 's' },
  scanBadge: { badge: 'B-1' },
  me: {},
  emergencyAccess: { userId: 'u', reasonCode: 'emergency_treatment', text: 'Why' },
  endEmergency: {},
  cancel: { call: 'c' },
  listAuditEvents: { call: 'c', patient: 'MRN-000101' },
  listAuditAlarms: { call: 'c' },
  listBreakGlass: { call: 'c', state: 'open' },
  reviewBreakGlass: { call: 'c', breakGlassId: 'b', outcome: 'justified' },
  auditLogState: { call: 'c' },
  listDisclosures: { call: 'c', userId: 'u' },
  exportAuditEvents: { call: 'c', format: 'csv' },
  makePrint: {
    paper: 'a4',
    language: 'en',
    direction: 'ltr',
    kind: 'insurance',
    title: 'T',
    notice: 'N',
    main: [],
    sections: [],
    patient: { name: 'Amara', facts: [] },
    page: [],
    footer: [],
  },
  makeLabel: {
    size: '54x25',
    language: 'en',
    direction: 'ltr',
    name: 'N',
    born: 'B',
    clientUserId: 'C',
    recordIds: [],
  },
  readPrint: { id: 'p' },
  savePrint: { id: 'p' },
  sendPrint: { id: 'p', copies: 1, pages: false },
  printFate: { job: 17, known: 'queued' },
  cancelPrint: { id: 'p' },
  printers: {},
  saveTable: { document: 'activity', rows: [['a']], recordIds: [] },
  settings: {},
  saveSettings: {
    address: '',
    language: 'system',
    theme: 'dark',
    lockMinutes: 5,
    scannerPrefixes: [],
    paper: 'a4',
    zoom: 100,
    typeToFind: true,
    hideRecentNames: false,
    labelSizes: [],
    updateAddress: '',
    updateChannel: 'stable',
    updateHold: '',
    prints: { documents: [] },
  },
  zoom: { step: 'in' },
  policy: {},
  about: {},
  licences: {},
  witness: {},
  resetWitness: {},
  update: {},
  checkForUpdate: {},
  serviceVersion: {},
  proposeService: {},
  copyText: { text: 'MRN-000101' },
  today: {},
  changeToday: { act: 'add', person: { userId: 'u-1', clientUserId: 'MRN-000101' } },
  openWindow: {},
  ...(Object.fromEntries(
    OPERATION_NAMES.map((operation) => [operation, { call: 'c', ...requiredFields(operation) }]),
  ) as Record<OperationName, unknown>),
};

function requiredFields(operation: OperationName): Record<string, string> {
  const { params, query, body }: ReadOperation = READ_OPERATIONS[operation];
  const names = [params, query, body].flatMap((name) => (name ? schemas[name].required : []) ?? []);
  return Object.fromEntries(names.map((name) => [camelCase(name), 'x']));
}

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
    expect(await send(channel, requests[channel], false)).toEqual(refused);
    expect(handler).not.toHaveBeenCalled();
    expect(refusals).toEqual([{ channel, why: 'sender' }]);
  });

  it('takes its own request', async () => {
    const { send, handler } = setUp();
    await send(channel, requests[channel]);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it.each([[undefined], [null], ['text'], [[]], [{ surprise: 1 }]])(
    'refuses the request %j',
    async (request) => {
      const { send, handler } = setUp();
      expect(await send(channel, request)).toEqual(refused);
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it('refuses one field too many', async () => {
    const { send } = setUp();
    expect(await send(channel, { ...(requests[channel] as object), surprise: 1 })).toEqual(refused);
  });

  it('lets no answer of another shape out', async () => {
    const { send, refusals } = setUp({ ok: true, value: 'anything' });
    expect(await send(channel, requests[channel])).toEqual(refused);
    expect(refusals).toEqual([{ channel, why: 'response' }]);
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
