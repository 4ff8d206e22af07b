import { OPERATION_NAMES } from '@caregate/domain/operations';
import type { AnswerOf, OperationName } from '@caregate/domain/operations';
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
  ZOOM_STEPS,
} from './app-state.ts';
import {
  copiedFromSchema,
  previewSchema,
  printableSchema,
  printedSchema,
  printersSchema,
  printRequestSchema,
} from './print.ts';
import {
  emergencyRequestSchema,
  meSchema,
  openPatientSchema,
  pinSchema,
  staffId,
} from './people.ts';
import { array, integer, later, object, oneOf, optional, text } from './schema.ts';
import type { Later, Schema, TypeOf } from './schema.ts';
import type { ReadRequest } from './reads.ts';
import { updateSchema } from './update.ts';

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

type ReadChannels = {
  readonly [O in OperationName]: {
    readonly request: Later<ReadRequest<O>>;
    readonly response: Later<Received<AnswerOf<O>>>;
  };
};

const READ_CHANNELS = Object.fromEntries(
  OPERATION_NAMES.map((operation) => [
    operation,
    {
      request: later(async () => (await import('./reads.ts')).readRequest(operation)),
      response: later(async () => received((await import('./reads.ts')).readAnswer(operation))),
    },
  ]),
) as unknown as ReadChannels;

/** Name that the page gives a call, to cancel it by. */
const call = text(1, 64);
const nothing = object({});

export const AUDIT_CHANNELS = {
  listAuditEvents: { request: auditQuerySchema, response: received(auditPageSchema) },
  listAuditAlarms: { request: alarmsQuerySchema, response: received(auditPageSchema) },
  listBreakGlass: { request: grantsQuerySchema, response: received(grantsSchema) },
  reviewBreakGlass: { request: reviewSchema, response: nothing },
  auditLogState: { request: object({ call }), response: logStateSchema },
  listDisclosures: { request: disclosuresQuerySchema, response: received(disclosuresSchema) },
  exportAuditEvents: { request: auditExportSchema, response: exportedSchema },
} as const;
export type AuditChannel = keyof typeof AUDIT_CHANNELS;

/** Main checks each request and response by these schemas. */
export const CHANNELS = {
  status: { request: nothing, response: statusSchema },
  signInToDemo: { request: object({ subject: text(1, 64) }), response: statusSchema },
  /** The current person, or `staffId`. */
  signOut: { request: object({ staffId: optional(staffId) }), response: statusSchema },
  lock: { request: nothing, response: statusSchema },

  signInInfo: { request: object({ address: text(1, 2048) }), response: statusSchema },
  enrolDesk: {
    request: object({ address: text(1, 2048), code: text(1, 64), name: optional(text(1, 200)) }),
    response: statusSchema,
  },
  beginSignIn: { request: nothing, response: statusSchema },
  cancelSignIn: { request: nothing, response: statusSchema },
  setPin: { request: object({ pin: pinSchema }), response: statusSchema },
  unlockSession: { request: object({ staffId, pin: pinSchema }), response: statusSchema },
  switchTo: { request: object({ staffId: optional(staffId) }), response: statusSchema },
  /** Unlocks nothing. */
  readBadge: { request: object({ badge: text(1, 200) }), response: statusSchema },
  /** Which patient is on the screen, for the return after a lock; none if absent. */
  noteOpen: { request: object({ patient: optional(openPatientSchema) }), response: nothing },
  /** The patient to come back to, once after an unlock. */
  takeReturn: { request: nothing, response: object({ patient: optional(openPatientSchema) }) },
  me: { request: nothing, response: meSchema },
  askBreakGlass: { request: emergencyRequestSchema, response: statusSchema },
  endBreakGlass: { request: nothing, response: statusSchema },

  ...READ_CHANNELS,
  ...AUDIT_CHANNELS,
  cancel: { request: object({ call }), response: nothing },
  /** Where the page threw: a class of errors, and places in the program. */
  reportFailure: {
    request: object({ name: text(0, 100), places: array(text(1, 200), 10) }),
    response: nothing,
  },

  /** The PDF of a document, to show it. */
  preview: { request: printableSchema, response: previewSchema },
  print: { request: printRequestSchema, response: printedSchema },
  printers: { request: nothing, response: printersSchema },

  settings: { request: nothing, response: settingsSchema },
  saveSettings: { request: settingsSchema, response: settingsSchema },
  zoom: { request: object({ step: oneOf(ZOOM_STEPS) }), response: settingsSchema },
  policy: { request: nothing, response: policySchema },
  about: { request: nothing, response: aboutSchema },
  licences: { request: nothing, response: licencesSchema },
  update: { request: nothing, response: updateSchema },
  checkForUpdate: { request: nothing, response: updateSchema },
  serviceVersion: { request: nothing, response: object({ version: optional(text(1, 100)) }) },
  copyText: {
    request: object({
      text: text(1, 1_000_000),
      /** Absent for text of no answer, which is copied without a record. */
      from: optional(copiedFromSchema),
    }),
    response: nothing,
  },
} as const satisfies Readonly<
  Record<
    string,
    { request: Schema<unknown> | Later<unknown>; response: Schema<unknown> | Later<unknown> }
  >
>;

export type ChannelName = keyof typeof CHANNELS;
export type RequestOf<C extends ChannelName> = TypeOf<(typeof CHANNELS)[C]['request']>;
export type ResponseOf<C extends ChannelName> = TypeOf<(typeof CHANNELS)[C]['response']>;

export const EVENTS = {
  statusChanged: statusSchema,
  settingsChanged: settingsSchema,
  lockCountdown: object({ seconds: optional(integer(0, 60)) }),
  updateChanged: updateSchema,
  connection: object({ state: oneOf(['online', 'offline']) }),
  signOutSoon: object({ minutes: integer(0, 10) }),
  /** A link of another program; opened only after confirmation. */
  linkAsked: object({ kind: oneOf(['person', 'order']), id: text(1, 256) }),
  linkRefused: object({ why: oneOf(['wrong', 'locked', 'signedOut']) }),
} as const;

export type EventName = keyof typeof EVENTS;
export type EventOf<E extends EventName> = TypeOf<(typeof EVENTS)[E]>;
