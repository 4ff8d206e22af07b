import people from './people.json' with { type: 'json' };

export interface IdentityPerson {
  /** The `sub` claim. */
  readonly subject: string;
  readonly name: string;
  /** A role that `caregate staff add --role` accepts. */
  readonly role: 'front_desk' | 'clinician' | 'auditor';
  readonly email: string;
}

export const PEOPLE = people as readonly IdentityPerson[];
