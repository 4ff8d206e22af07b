export interface Person {
  readonly staffId: string;
  readonly name: string;
  readonly role: string;
  readonly pinSet: boolean;
  /** The absolute limit of the session, as an ISO 8601 time in UTC. */
  readonly endsAt: string;
}

export interface Emergency {
  readonly breakGlassId: string;
  readonly userId: string;
  readonly expiresAt: string;
}

/** The screens of one patient, in the order of their tabs. */
export const PATIENT_SCREENS = ['person', 'labs', 'insurance'] as const;

/** The open patient and the screen that shows them. */
export interface OpenPatient {
  readonly clientUserId: string;
  readonly screen: (typeof PATIENT_SCREENS)[number];
}

export interface Me {
  readonly name: string;
  readonly role: string;
  readonly permissions: readonly {
    readonly operation: string;
    readonly may: 'yes' | 'mask' | 'no' | 'emergency';
  }[];
}
