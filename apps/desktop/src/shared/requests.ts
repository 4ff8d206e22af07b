/**
 * The requests that the page may send to main. Main validates each request once by these schemas; `channels.ts` has the
 * types of the responses.
 */
import { REVIEW_OUTCOMES } from '@caregate/domain';
import { OPERATION_NAMES } from '@caregate/domain/operations';
import * as v from 'valibot';
import { LANGUAGES, ZOOM_STEPS } from './app-state.ts';
import { PATIENT_SCREENS } from './people.ts';
import { PAPERS, PRINT_KINDS } from './print-kinds.ts';
import { copiedFromSchema, labelSize, printableSchema, printRequestSchema } from './print.ts';
import { integer, list, text } from './schema.ts';

const noParams = v.strictObject({});
/** The page's name for a call, by which it can be cancelled. */
const call = text(1, 64);
const cursor = v.optional(text(1, 4096));
const day = v.optional(text(1, 40));
const userId = text(1, 1024);
const staffId = text(1, 64);
/** The service checks the number of digits. */
const pin = text(1, 64);
const address = text(1, 2048);

const eventFilter = { patient: v.optional(userId), from: day };

/** Parameters of the audit reads. */
export const AUDIT_READS = {
  listAuditEvents: v.strictObject({ ...eventFilter, cursor }),
  listBreakGlass: v.strictObject({ cursor }),
  auditLogState: noParams,
  listDisclosures: v.strictObject({ userId, startDate: day, cursor }),
};

/** Parameters of the reads that aren't domain operations. The schemas of the domain operations are built at the first read. */
export const OTHER_READS = { ...AUDIT_READS, me: noParams, serviceVersion: noParams };

const otherReads = Object.keys(OTHER_READS) as (keyof typeof OTHER_READS)[];

const paper = v.picklist(['a4', 'letter']);
const label = v.strictObject({ printer: text(1, 500), size: labelSize, copies: integer(1, 20) });
const document = v.strictObject({
  kind: v.picklist(PRINT_KINDS),
  printer: v.optional(text(1, 500)),
  paper: v.picklist(PAPERS),
});

export const settingsSchema = v.strictObject({
  address: text(0, 2048),
  language: v.picklist(['system', ...LANGUAGES]),
  theme: v.picklist(['system', 'light', 'dark']),
  lockMinutes: integer(1, 15),
  scannerPrefixes: list(text(1, 20), 20),
  paper,
  /** In percent. */
  zoom: integer(50, 300),
  /** Whether the window is left out of screenshots. Only the policy sets this and the following members, except `prints`. */
  contentProtection: v.boolean(),
  labelSizes: list(labelSize, 20),
  prints: v.strictObject({
    documents: list(document, PRINT_KINDS.length),
    label: v.optional(label),
  }),
  updateAddress: text(0, 2048),
  updateChannel: v.picklist(['latest', 'beta']),
});

const { language, theme, lockMinutes, scannerPrefixes } = settingsSchema.entries;

/** The settings that users can change. The policy sets the others, and a sign-in sets the address. */
const settingsChangeSchema = v.strictObject({
  language: v.exactOptional(language),
  theme: v.exactOptional(theme),
  lockMinutes: v.exactOptional(lockMinutes),
  scannerPrefixes: v.exactOptional(scannerPrefixes),
  paper: v.exactOptional(paper),
  zoom: v.exactOptional(v.picklist(ZOOM_STEPS)),
  /** How a kind of document or a label was last printed; null forgets the label's values. */
  document: v.exactOptional(document),
  label: v.exactOptional(v.nullable(label)),
});
export type SettingsChange = v.InferOutput<typeof settingsChangeSchema>;

const openPatient = v.strictObject({
  clientUserId: text(1, 1024),
  screen: v.picklist(PATIENT_SCREENS),
});

export const REQUESTS = {
  state: noParams,

  /** Signs out the current user, or the one with `staffId`. */
  signOut: v.strictObject({ staffId: v.optional(staffId) }),
  lock: noParams,
  signInInfo: v.strictObject({ address }),
  enrolDesk: v.strictObject({ address, code: text(1, 64), name: v.optional(text(1, 200)) }),
  /** With `subject`, signs in one of the demo's users without a page of the provider. */
  beginSignIn: v.strictObject({ subject: v.optional(text(1, 64)) }),
  cancelSignIn: noParams,
  setPin: v.strictObject({ pin }),
  unlockSession: v.strictObject({ staffId, pin }),
  switchTo: v.strictObject({ staffId: v.optional(staffId) }),
  /** Selects the badge's owner, but unlocks nothing. */
  readBadge: v.strictObject({ badge: text(1, 200) }),
  /** Reports which patient is on the screen, for the return after a lock; absent if there is none. */
  noteOpen: v.strictObject({ patient: v.optional(openPatient) }),
  askBreakGlass: v.strictObject({ userId, reasonCode: text(1, 100), text: text(1, 2000) }),
  endBreakGlass: noParams,

  /** The schema of the operation validates `params`. */
  read: v.strictObject({
    operation: v.picklist([...OPERATION_NAMES, ...otherReads]),
    call,
    params: v.record(v.string(), v.unknown()),
  }),
  cancel: v.strictObject({ call }),
  reviewBreakGlass: v.strictObject({
    breakGlassId: text(1, 100),
    outcome: v.picklist(REVIEW_OUTCOMES),
    note: v.optional(text(1, 2000)),
  }),
  /** Saves a CSV file. */
  exportAuditEvents: v.strictObject(eventFilter),

  preview: printableSchema,
  print: printRequestSchema,
  printers: noParams,

  changeSettings: settingsChangeSchema,
  about: noParams,
  copyText: v.strictObject({
    text: text(1, 1_000_000),
    /** Absent if the text comes from no answer of the service. Such a copy isn't recorded. */
    from: v.optional(copiedFromSchema),
  }),
  /** Reports where the page threw: the class of the error, and positions in the program's files. */
  reportFailure: v.strictObject({ name: text(0, 100), places: list(text(1, 200), 10) }),
};
