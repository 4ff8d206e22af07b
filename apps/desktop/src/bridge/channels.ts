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

/** An answer of the service, with what is known about how it came. */
export interface Received<T> {
  readonly value: T;
  readonly requestId?: string;
  /** The service's id of the audit record of this answer, for the footer of prints. */
  readonly auditId?: string;
  /** When it came, ISO 8601 in UTC: "as of" where it is still shown later. */
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

/** Of one of the reads, by the service's own validator. */
function receivedOf<C extends keyof ReadAnswers>(
  channel: C,
): Later<Received<TypeOf<ReadAnswers[C]>>> {
  return later(async () => {
    const answers = await import('./read-answers.ts');
    return received(answers[channel] as Schema<TypeOf<ReadAnswers[C]>>);
  });
}

/** Named by the page for each call that it may cancel. */
const call = text(1, 64);
const id = text(1, 1024);
const nothing = object({});
const key = text(1, 512);

/**
 * Every call from the page to main: what it sends, and the value it gets where all is well. Main checks both. The
 * preload has one function for each, and the page sees only the types.
 */
export const CHANNELS = {
  status: { request: nothing, response: statusSchema },
  signIn: {
    request: object({ address: text(1, 2048), key, saveKey: boolean }),
    response: statusSchema,
  },
  signInWithSavedKey: { request: nothing, response: statusSchema },
  signInToDemo: { request: object({ role: text(1, 40) }), response: statusSchema },
  /** Of whoever is at the desk, or of the one whose card is named. */
  signOut: { request: object({ staffId: optional(staffId) }), response: statusSchema },
  lock: { request: nothing, response: statusSchema },
  unlock: { request: object({ key }), response: statusSchema },
  forgetKey: { request: nothing, response: statusSchema },

  /** Asks the service of an address what a desk must know before anybody signs in. */
  lookUpService: { request: object({ address: text(1, 2048) }), response: statusSchema },
  /** An address that this network names, for somebody to confirm; none where an address is known already. */
  proposeService: { request: nothing, response: object({ address: optional(text(1, 2048)) }) },
  enrolDesk: {
    request: object({ address: text(1, 2048), code: text(1, 64), name: optional(text(1, 200)) }),
    response: statusSchema,
  },
  /** Opens the system's browser, and answers once somebody came back from it. */
  beginSignIn: { request: nothing, response: statusSchema },
  cancelSignIn: { request: nothing, response: statusSchema },
  setPin: { request: object({ pin: pinSchema }), response: statusSchema },
  unlockWithPin: { request: object({ staffId, pin: pinSchema }), response: statusSchema },
  /** Locks, and picks a card where one is named. */
  switchTo: { request: object({ staffId: optional(staffId) }), response: statusSchema },
  /** Picks the card of whoever the badge names; it opens nothing. */
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
  /** One page; the page asks for the next by its cursor, as fast as it can draw. */
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
  /** What was typed stands in the request's body: names are in no address. */
  searchPeople: {
    request: object({ call, text: text(1, 400), limit: optional(integer(1, 20)) }),
    response: receivedOf('searchPeople'),
  },
  /** One page of a person's orders, newest first. */
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

  /** Of the auditor's desk. Every call can be cancelled, as the reads above. */
  auditEvents: { request: auditQuerySchema, response: received(auditPageSchema) },
  auditAlarms: { request: alarmsQuerySchema, response: received(auditPageSchema) },
  grants: { request: grantsQuerySchema, response: received(grantsSchema) },
  reviewGrant: { request: reviewSchema, response: nothing },
  logState: { request: object({ call }), response: logStateSchema },
  disclosures: { request: disclosuresQuerySchema, response: received(disclosuresSchema) },
  exportAudit: { request: auditExportSchema, response: exportedSchema },

  /** Lays a document out as a PDF, which main holds until the lock. Those after it are about one by its id. */
  makePrint: { request: printDocumentSchema, response: madeSchema },
  /** The same of a label. */
  makeLabel: { request: labelSchema, response: madeSchema },
  readPrint: { request: printIdSchema, response: readSchema },
  savePrint: { request: printIdSchema, response: savedSchema },
  sendPrint: { request: sendSchema, response: sentSchema },
  /** Nobody waits for its print any more: what isn't with a printer yet isn't sent, and main holds it no longer. */
  cancelPrint: { request: printIdSchema, response: nothing },
  printers: { request: nothing, response: printersSchema },

  /** Saves a table as CSV where somebody says; recorded as an export of that document first. */
  saveTable: {
    request: object({
      document: oneOf(['activity']),
      /** The first has the names of the columns. */
      rows: array(array(text(0, 10_000), 20), 1_000_001),
      recordIds: array(text(1, 200), 200),
    }),
    response: savedSchema,
  },

  settings: { request: nothing, response: settingsSchema },
  saveSettings: { request: settingsSchema, response: settingsSchema },
  /** Makes everything larger or smaller by a step, or as it was; what Ctrl+Plus, Minus and 0 do. */
  zoom: { request: object({ step: oneOf(ZOOM_STEPS) }), response: settingsSchema },
  policy: { request: nothing, response: policySchema },
  about: { request: nothing, response: aboutSchema },
  licences: { request: nothing, response: licencesSchema },
  /** What is known of the service's audit log; the second trusts it as it is from now on. */
  witness: { request: nothing, response: witnessSchema },
  resetWitness: { request: nothing, response: witnessSchema },
  /** What is known of newer versions of this program; the second asks for them now. */
  update: { request: nothing, response: updateSchema },
  checkForUpdate: { request: nothing, response: updateSchema },
  /** As the service's own interface document says; without it where it doesn't. */
  serviceVersion: { request: nothing, response: object({ version: optional(text(1, 100)) }) },
  /** Copies, and clears the clipboard again after a minute unless something else was copied by then. */
  copyText: {
    request: object({
      text: text(1, 1_000_000),
      /** What is of no answer is copied without a record. */
      from: optional(copiedFromSchema),
    }),
    response: nothing,
  },
  /** The list of the day, of whoever is at the desk; the second makes one change to it. */
  today: { request: nothing, response: todaySchema },
  /** Every window is told what became of it. */
  changeToday: { request: todayChangeSchema, response: nothing },
  openWindow: { request: nothing, response: nothing },
} as const satisfies Readonly<
  Record<string, { request: Schema<unknown>; response: Schema<unknown> | Later<unknown> }>
>;

export type ChannelName = keyof typeof CHANNELS;
export type RequestOf<C extends ChannelName> = TypeOf<(typeof CHANNELS)[C]['request']>;
export type ResponseOf<C extends ChannelName> = TypeOf<(typeof CHANNELS)[C]['response']>;

/** What main tells every window by itself. */
export const EVENTS = {
  statusChanged: statusSchema,
  settingsChanged: settingsSchema,
  /** Seconds until the lock, in its last minute; without it: not soon. */
  lockCountdown: object({ seconds: optional(integer(0, 60)) }),
  witnessChanged: witnessSchema,
  updateChanged: updateSchema,
  /** Of whoever is at the desk. */
  todayChanged: todaySchema,
  /** The service was reached, or not, when it was last asked. */
  connection: object({ state: oneOf(['online', 'offline']) }),
  /** Minutes until the longest sign-in ends. */
  signOutSoon: object({ minutes: integer(0, 10) }),
  /** Another program's link, to one window: opened only if whoever is there says so. */
  linkAsked: object({ kind: oneOf(['person', 'order']), id: text(1, 256) }),
  linkRefused: object({ why: oneOf(['wrong', 'locked', 'signedOut']) }),
} as const;

export type EventName = keyof typeof EVENTS;
export type EventOf<E extends EventName> = TypeOf<(typeof EVENTS)[E]>;
