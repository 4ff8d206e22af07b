import {
  alarmsQuerySchema,
  auditExportSchema,
  auditPageSchema,
  auditQuerySchema,
  disclosuresQuerySchema,
  disclosuresSchema,
  exportedSchema,
  grantsQuerySchema,
  grantsSchema,
  logStateSchema,
  reviewSchema,
} from './audit.ts';
import {
  aboutSchema,
  licencesSchema,
  policySchema,
  settingsSchema,
  statusSchema,
  todayChangeSchema,
  todaySchema,
  ZOOM_STEPS,
} from './app-state.ts';
import {
  copiedFromSchema,
  madeSchema,
  printDocumentSchema,
  printersSchema,
  printIdSchema,
  readSchema,
  savedSchema,
  sendSchema,
  sentSchema,
} from './print.ts';
import { labelSchema } from './print.ts';
import { emergencyRequestSchema, meSchema, pinSchema, staffId } from './people.ts';
import { array, boolean, integer, later, object, oneOf, optional, text } from './schema.ts';
import type { Later, Schema, TypeOf } from './schema.ts';
import { updateSchema } from './update.ts';
import { witnessSchema } from './witness.ts';

/** An answer of the service, with its ids. */
export interface Received<T> {
  readonly value: T;
  readonly requestId?: string;
  /** `x-audit-record-id` of the answer. */
  readonly auditId?: string;
  /** ISO 8601 in UTC: "as of" where it is shown later. */
  readonly receivedAt: string;
}

function received<T>(value: Schema<T>): Schema<Received<T>> {
  return object({
    value,
    requestId: optional(text(1, 200)),
    auditId: optional(text(1, 200)),
    receivedAt: text(20, 40),
  }) as Schema<Received<T>>;
}

type ReadAnswers = typeof import('./read-answers.ts');

function receivedOf<C extends keyof ReadAnswers>(
  channel: C,
): Later<Received<TypeOf<ReadAnswers[C]>>> {
  return later(async () => {
    const answers = await import('./read-answers.ts');
    return received(answers[channel] as Schema<TypeOf<ReadAnswers[C]>>);
  });
}

/** Name that the page gives a call, to cancel it by. */
const call = text(1, 64);
const id = text(1, 1024);
const nothing = object({});
const key = text(1, 512);

/** Every call from the page to main. Main checks request and response by these schemas. */
export const CHANNELS = {
  status: { request: nothing, response: statusSchema },
  signIn: {
    request: object({ address: text(1, 2048), key, saveKey: boolean }),
    response: statusSchema,
  },
  signInWithSavedKey: { request: nothing, response: statusSchema },
  signInToDemo: { request: object({ role: text(1, 40) }), response: statusSchema },
  /** The current person, or `staffId`. */
  signOut: { request: object({ staffId: optional(staffId) }), response: statusSchema },
  lock: { request: nothing, response: statusSchema },
  unlock: { request: object({ key }), response: statusSchema },
  forgetKey: { request: nothing, response: statusSchema },

  /** Reads how one signs in at this service. */
  lookUpService: { request: object({ address: text(1, 2048) }), response: statusSchema },
  /** An address from DNS, to be confirmed; absent where one is known. */
  proposeService: { request: nothing, response: object({ address: optional(text(1, 2048)) }) },
  enrolDesk: {
    request: object({ address: text(1, 2048), code: text(1, 64), name: optional(text(1, 200)) }),
    response: statusSchema,
  },
  beginSignIn: { request: nothing, response: statusSchema },
  cancelSignIn: { request: nothing, response: statusSchema },
  setPin: { request: object({ pin: pinSchema }), response: statusSchema },
  unlockWithPin: { request: object({ staffId, pin: pinSchema }), response: statusSchema },
  /** Locks, and selects a person's card. */
  switchTo: { request: object({ staffId: optional(staffId) }), response: statusSchema },
  /** Selects the card of the badge's holder; unlocks nothing. */
  scanBadge: { request: object({ badge: text(1, 200) }), response: statusSchema },
  me: { request: nothing, response: meSchema },
  emergencyAccess: { request: emergencyRequestSchema, response: statusSchema },
  endEmergency: { request: nothing, response: statusSchema },

  resolveUser: {
    request: object({ call, clientUserId: id }),
    response: receivedOf('resolveUser'),
  },
  listUsers: {
    request: object({
      call,
      offset: integer(0, Number.MAX_SAFE_INTEGER),
      limit: integer(1, 500),
    }),
    response: receivedOf('listUsers'),
  },
  labOrderResult: {
    request: object({ call, orderId: id }),
    response: receivedOf('labOrderResult'),
  },
  latestInsurance: {
    request: object({ call, userId: id, primary: boolean }),
    response: receivedOf('latestInsurance'),
  },
  mindfulnessMinutes: {
    request: object({
      call,
      userId: id,
      startDate: text(1, 40),
      endDate: optional(text(1, 40)),
      provider: optional(text(1, 200)),
      nextCursor: optional(text(1, 4096)),
    }),
    response: receivedOf('mindfulnessMinutes'),
  },
  userInfo: { request: object({ call, userId: id }), response: receivedOf('userInfo') },
  /** A POST, so that names are in no address. */
  searchPeople: {
    request: object({ call, text: text(1, 400), limit: optional(integer(1, 20)) }),
    response: receivedOf('searchPeople'),
  },
  listOrders: {
    request: object({
      call,
      userId: id,
      page: optional(integer(1, Number.MAX_SAFE_INTEGER)),
      size: optional(integer(1, 100)),
    }),
    response: receivedOf('listOrders'),
  },
  orderHistory: { request: object({ call, orderId: id }), response: receivedOf('orderHistory') },
  cancel: { request: object({ call }), response: nothing },

  /** The auditor's desk; can be cancelled as the reads can. */
  auditEvents: { request: auditQuerySchema, response: received(auditPageSchema) },
  auditAlarms: { request: alarmsQuerySchema, response: received(auditPageSchema) },
  grants: { request: grantsQuerySchema, response: received(grantsSchema) },
  reviewGrant: { request: reviewSchema, response: nothing },
  logState: { request: object({ call }), response: logStateSchema },
  disclosures: { request: disclosuresQuerySchema, response: received(disclosuresSchema) },
  exportAudit: { request: auditExportSchema, response: exportedSchema },

  /** Lays out a PDF, which main keeps until the lock; the next calls name it by its id. */
  makePrint: { request: printDocumentSchema, response: madeSchema },
  makeLabel: { request: labelSchema, response: madeSchema },
  readPrint: { request: printIdSchema, response: readSchema },
  savePrint: { request: printIdSchema, response: savedSchema },
  sendPrint: { request: sendSchema, response: sentSchema },
  /** Discards a PDF, and its print if that isn't with a printer yet. */
  cancelPrint: { request: printIdSchema, response: nothing },
  printers: { request: nothing, response: printersSchema },

  /** Saves a CSV file, recorded as an export first. */
  saveTable: {
    request: object({
      document: oneOf(['activity']),
      rows: array(array(text(0, 10_000), 20), 1_000_001),
      recordIds: array(text(1, 200), 200),
    }),
    response: savedSchema,
  },

  settings: { request: nothing, response: settingsSchema },
  saveSettings: { request: settingsSchema, response: settingsSchema },
  /** Ctrl+Plus, Ctrl+Minus and Ctrl+0. */
  zoom: { request: object({ step: oneOf(ZOOM_STEPS) }), response: settingsSchema },
  policy: { request: nothing, response: policySchema },
  about: { request: nothing, response: aboutSchema },
  licences: { request: nothing, response: licencesSchema },
  /** State of the check of the service's audit log; `resetWitness` trusts the log as it is now. */
  witness: { request: nothing, response: witnessSchema },
  resetWitness: { request: nothing, response: witnessSchema },
  /** State of updates; `checkForUpdate` asks now. */
  update: { request: nothing, response: updateSchema },
  checkForUpdate: { request: nothing, response: updateSchema },
  /** From its OpenAPI document; absent if it has none. */
  serviceVersion: { request: nothing, response: object({ version: optional(text(1, 100)) }) },
  /** Copies; the clipboard is cleared after a minute unless it was overwritten. */
  copyText: {
    request: object({
      text: text(1, 1_000_000),
      /** Absent for text of no answer, which is copied without a record. */
      from: optional(copiedFromSchema),
    }),
    response: nothing,
  },
  /** The current person's list of the day. */
  today: { request: nothing, response: todaySchema },
  /** All windows get the new list as an event. */
  changeToday: { request: todayChangeSchema, response: nothing },
  openWindow: { request: nothing, response: nothing },
} as const satisfies Readonly<
  Record<string, { request: Schema<unknown>; response: Schema<unknown> | Later<unknown> }>
>;

export type ChannelName = keyof typeof CHANNELS;
export type RequestOf<C extends ChannelName> = TypeOf<(typeof CHANNELS)[C]['request']>;
export type ResponseOf<C extends ChannelName> = TypeOf<(typeof CHANNELS)[C]['response']>;

/** Events from main to all windows. */
export const EVENTS = {
  statusChanged: statusSchema,
  settingsChanged: settingsSchema,
  lockCountdown: object({ seconds: optional(integer(0, 60)) }),
  witnessChanged: witnessSchema,
  updateChanged: updateSchema,
  todayChanged: todaySchema,
  connection: object({ state: oneOf(['online', 'offline']) }),
  /** Minutes until the absolute limit of the sign-in. */
  signOutSoon: object({ minutes: integer(0, 10) }),
  /** A link of another program, to one window; opened only after confirmation. */
  linkAsked: object({ kind: oneOf(['person', 'order']), id: text(1, 256) }),
  linkRefused: object({ why: oneOf(['wrong', 'locked', 'signedOut']) }),
} as const;

export type EventName = keyof typeof EVENTS;
export type EventOf<E extends EventName> = TypeOf<(typeof EVENTS)[E]>;
