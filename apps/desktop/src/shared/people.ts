export interface Person {
  readonly staffId: string;
  readonly name: string;
  readonly role: string;
  readonly pinSet: boolean;
  /** The absolute limit, ISO 8601 in UTC. */
  readonly endsAt: string;
}

export interface Emergency {
  readonly breakGlassId: string;
  readonly userId: string;
  readonly reasonCode: string;
  readonly expiresAt: string;
}

/** A patient on the screen. */
export interface OpenPatient {
  readonly clientUserId: string;
  readonly screen: 'person' | 'labs' | 'insurance';
}

export interface Me {
  readonly name: string;
  readonly role: string;
  readonly permissions: readonly {
    readonly operation: string;
    readonly may: 'yes' | 'mask' | 'no' | 'emergency';
  }[];
}
