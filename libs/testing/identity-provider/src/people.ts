/** Somebody who can sign in: nobody real. */
export interface IdentityPerson {
  /** The `sub` of the provider. */
  readonly subject: string;
  readonly name: string;
  /** As `caregate staff add --role` takes it. */
  readonly role: 'front_desk' | 'clinician' | 'auditor';
  readonly email: string;
  readonly groups: readonly string[];
}

export const PEOPLE: readonly IdentityPerson[] = [
  {
    subject: 'front-desk',
    name: 'Noor Abernathy-Sule',
    role: 'front_desk',
    email: 'noor.abernathy@example.org',
    groups: ['staff', 'front-desk'],
  },
  {
    subject: 'clinician',
    name: 'Ilse Marchetti-Obi',
    role: 'clinician',
    email: 'ilse.marchetti@example.org',
    groups: ['staff', 'clinicians'],
  },
  {
    subject: 'auditor',
    name: 'Caspian Nwosu-Lind',
    role: 'auditor',
    email: 'caspian.nwosu@example.org',
    groups: ['staff', 'auditors'],
  },
];
