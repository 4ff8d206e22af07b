import type { Emergency, OpenPatient, Person } from './people.ts';
import type { Paper, PrintKind } from './print-kinds.ts';
import type { UpdateState } from './update.ts';

export type Phase = 'signedOut' | 'signedIn' | 'locked';

/** Texts in the catalogues (`reason.<reason>`). */
export const REASONS = [
  'manual',
  'idle',
  'suspend',
  'systemLock',
  'expired',
  'limit',
  'switched',
  'deskRevoked',
] as const;
export type Reason = (typeof REASONS)[number];

export interface DemoStaff {
  readonly subject: string;
  readonly name: string;
  readonly role: string;
}

export interface Status {
  readonly phase: Phase;
  readonly reason?: Reason | undefined;
  /** Empty before the first sign-in. */
  readonly address: string;
  readonly demo?: { readonly staff: readonly DemoStaff[]; readonly pin: string } | undefined;
  readonly clinicName?: string | undefined;
  readonly deskName?: string | undefined;
  readonly enrolled: boolean;
  /** Absent if the clinic has no provider, or isn't known yet. */
  readonly provider?: { readonly name: string } | undefined;
  readonly pin: { readonly min: number; readonly max: number };
  /** In order of arrival, which is the number of the card; includes the current user. */
  readonly people: readonly Person[];
  readonly current?: string | undefined;
  /** Who comes back to the patient they had open if they unlock by then, ISO 8601 in UTC. */
  readonly returning?: { readonly staffId: string; readonly until: string } | undefined;
  /** The patient that the current person comes back to after a lock, until the page has noted what it shows. */
  readonly returnTo?: OpenPatient | undefined;
  /** The person whose PIN is asked for while the desk is locked. */
  readonly selectedStaffId?: string | undefined;
  readonly signingIn: boolean;
  readonly emergency?: Emergency | undefined;
}

export const LANGUAGES = ['en', 'es', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** In per cent, as browsers have them. */
export const ZOOMS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const;
export const ZOOM_STEPS = ['in', 'out', 'reset'] as const;
export type ZoomStep = (typeof ZOOM_STEPS)[number];

export interface RememberedPrints {
  readonly documents: readonly {
    readonly kind: PrintKind;
    readonly printer?: string | undefined;
    readonly paper: Paper;
  }[];
  readonly label?:
    | { readonly printer: string; readonly size: string; readonly copies: number }
    | undefined;
}

export interface Settings {
  readonly address: string;
  readonly language: Language | 'system';
  readonly theme: 'system' | 'light' | 'dark';
  readonly lockMinutes: number;
  readonly scannerPrefixes: readonly string[];
  readonly paper: 'a4' | 'letter';
  /** Per cent. */
  readonly zoom: number;
  /** Whether screenshots leave the window out. Set by policy only, like all below except `prints`. */
  readonly contentProtection: boolean;
  readonly labelSizes: readonly string[];
  readonly prints: RememberedPrints;
  readonly updateAddress: string;
  readonly updateChannel: 'latest' | 'beta';
}

export const defaultSettings: Settings = {
  address: '',
  language: 'system',
  theme: 'system',
  lockMinutes: 5,
  scannerPrefixes: [],
  paper: 'a4',
  zoom: 100,
  contentProtection: true,
  labelSizes: [],
  prints: { documents: [] },
  updateAddress: '',
  updateChannel: 'latest',
};

export interface Policy {
  readonly fixed: readonly (keyof Settings)[];
  readonly wrong: readonly string[];
}

/** The state that main sends to the page. */
export interface AppState {
  readonly version: string;
  readonly status: Status;
  readonly settings: Settings;
  readonly policy: Policy;
  readonly update: UpdateState;
  readonly online: boolean;
  /** Seconds until the lock; undefined before the last minute. */
  readonly lockSeconds: number | undefined;
  /** Minutes until the longest sign-in ends; undefined until that is near. */
  readonly minutesLeft: number | undefined;
}

/** A link of another program into this one. */
export interface DeepLink {
  readonly kind: 'person' | 'order';
  readonly id: string;
}

/** What has changed, or a link of another program, which opens only after confirmation. */
export type StateChange = Partial<AppState> & {
  readonly link?:
    | { readonly target: DeepLink }
    | { readonly refused: 'wrong' | 'locked' | 'signedOut' };
};

export interface About {
  readonly electron: string;
  readonly chrome: string;
  readonly node: string;
  readonly pinned: string;
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    /** SPDX. */
    readonly licence: string;
    readonly text: string;
  }[];
  /** Path of Chromium's licences on this computer. */
  readonly chromiumFile?: string | undefined;
}
