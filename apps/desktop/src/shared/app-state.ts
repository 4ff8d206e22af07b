import { labelSize } from './print-kinds.ts';
import { PAPERS, PRINT_KINDS } from './print-kinds.ts';
import { peopleFields } from './people.ts';
import { array, boolean, integer, object, oneOf, optional, text } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';

const PHASES = ['signedOut', 'signedIn', 'locked'] as const;
export type Phase = (typeof PHASES)[number];

/** Texts in the catalogues (`reason.<reason>`). */
export const REASONS = [
  'asked',
  'idle',
  'suspend',
  'systemLock',
  'expired',
  'limit',
  'switched',
  'deskRevoked',
] as const;
export type Reason = (typeof REASONS)[number];

export const demoStaffSchema = { subject: text(1, 64), name: text(1, 200), role: text(1, 40) };
export type DemoStaff = TypeOf<ReturnType<typeof object<typeof demoStaffSchema>>>;

export const statusSchema = object({
  phase: oneOf(PHASES),
  reason: optional(oneOf(REASONS)),
  /** Empty until one is known. */
  address: text(0, 2048),
  demo: optional(object({ staff: array(object(demoStaffSchema), 20), pin: text(1, 12) })),
  ...peopleFields,
});
export type Status = TypeOf<typeof statusSchema>;

export const LANGUAGES = ['en', 'es', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** In per cent, as browsers have them. */
export const ZOOMS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const;
export const ZOOM_STEPS = ['in', 'out', 'reset'] as const;
export type ZoomStep = (typeof ZOOM_STEPS)[number];

const printer = text(1, 500);

const printsSchema = object({
  documents: array(
    object({ kind: oneOf(PRINT_KINDS), printer: optional(printer), paper: oneOf(PAPERS) }),
    PRINT_KINDS.length,
  ),
  label: optional(object({ printer, size: labelSize, copies: integer(1, 20) })),
});

const heldVersion: Schema<string> = (value) =>
  typeof value === 'string' && /^(?:\d{1,6}\.\d{1,6}\.\d{1,6})?$/u.test(value)
    ? { ok: true, value }
    : { ok: false, issues: [{ message: 'must be a version such as 1.2.3' }] };

export const settingsSchema = object({
  address: text(0, 2048),
  language: oneOf(['system', ...LANGUAGES]),
  theme: oneOf(['system', 'light', 'dark']),
  lockMinutes: integer(1, 15),
  scannerPrefixes: array(text(1, 20), 20),
  paper: oneOf(['a4', 'letter']),
  /** Per cent. */
  zoom: integer(50, 300),
  /** Whether letters typed outside a field start Find (WCAG 2.1.4). */
  typeToFind: boolean,
  /** Set by policy only, like all below but `prints`: whether pictures and recordings of the screen leave the window out. */
  contentProtection: boolean,
  labelSizes: array(labelSize, 20),
  prints: printsSchema,
  updateAddress: text(0, 2048),
  updateChannel: oneOf(['stable', 'early', 'off']),
  updateHold: heldVersion,
});
export type Settings = TypeOf<typeof settingsSchema>;
export type RememberedPrints = Settings['prints'];

export const defaultSettings: Settings = {
  address: '',
  language: 'system',
  theme: 'system',
  lockMinutes: 5,
  scannerPrefixes: [],
  paper: 'a4',
  zoom: 100,
  typeToFind: true,
  contentProtection: true,
  labelSizes: [],
  prints: { documents: [] },
  updateAddress: '',
  updateChannel: 'stable',
  updateHold: '',
};

export const policySchema = object({
  fixed: array(oneOf(Object.keys(defaultSettings) as (keyof Settings)[]), 20),
  wrong: array(text(1, 100), 100),
});
export type Policy = TypeOf<typeof policySchema>;

export const aboutSchema = object({
  version: text(1, 40),
  electron: text(1, 40),
  chrome: text(1, 40),
  node: text(1, 40),
  pinned: text(1, 40),
  /** BCP 47, the system's. */
  systemLocale: text(0, 40),
});
export type About = TypeOf<typeof aboutSchema>;

export const licencesSchema = object({
  packages: array(
    object({
      name: text(1, 214),
      version: text(1, 100),
      /** SPDX. */
      licence: text(1, 200),
      text: text(1, 200_000),
    }),
    1000,
  ),
  /** Path of Chromium's licences on this computer. */
  chromiumFile: optional(text(1, 4096)),
});
export type Licences = TypeOf<typeof licencesSchema>;
