import type { InferOutput } from 'valibot';
import type { Emergency, OpenPatient, Person } from './people.ts';
import type { settingsSchema } from './requests.ts';
import type { UpdateState } from './update.ts';

export type Phase = 'signedOut' | 'signedIn' | 'locked';

/** Each reason has a text in the catalogs (`reason.<reason>`). */
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
  /** Absent if the clinic has no identity provider, or if the service hasn't answered yet. */
  readonly provider?: { readonly name: string } | undefined;
  readonly pin: { readonly min: number; readonly max: number };
  /** In the order of their sign-ins, including the current user. The position is the digit of Alt+1 to Alt+9. */
  readonly people: readonly Person[];
  readonly current?: string | undefined;
  /** The user who returns to a patient by unlocking before `until`, an ISO 8601 time in UTC. */
  readonly returning?: { readonly staffId: string; readonly until: string } | undefined;
  /** The patient to reopen after the current user's unlock; absent once the page has reported what it shows. */
  readonly returnTo?: OpenPatient | undefined;
  /** The user whose PIN is needed to unlock the desk. */
  readonly selectedStaffId?: string | undefined;
  readonly signingIn: boolean;
  readonly emergency?: Emergency | undefined;
}

export const LANGUAGES = ['en', 'es', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Zoom levels in percent, as browsers have them. */
export const ZOOMS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const;
export const ZOOM_STEPS = ['in', 'out', 'reset'] as const;
export type ZoomStep = (typeof ZOOM_STEPS)[number];

export type Settings = InferOutput<typeof settingsSchema>;

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
  /** Minutes until the session's absolute limit; undefined until the last ten minutes. */
  readonly minutesLeft: number | undefined;
}

/** A link from another program. */
export interface DeepLink {
  readonly kind: 'person' | 'order';
  readonly id: string;
}

/** A change of the state, or a link from another program, which the page opens only after a confirmation. */
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
    /** An SPDX identifier. */
    readonly licence: string;
    readonly text: string;
  }[];
  /** The path of the file with Chromium's licenses on this computer. */
  readonly chromiumFile?: string | undefined;
}
