import people from './people.json' with { type: 'json' };

/** Somebody who can sign in: nobody real. */
export interface IdentityPerson {
  /** The `sub` of the provider. */
  readonly subject: string;
  readonly name: string;
  /** As `caregate staff add --role` takes it. */
  readonly role: 'front_desk' | 'clinician' | 'auditor';
  readonly email: string;
}

export const PEOPLE = people as readonly IdentityPerson[];
