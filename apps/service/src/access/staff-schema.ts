/** The tables of people and desks; see `staff-tables.ts`. Uuids are lower-case text, instants milliseconds since 1970. */
export interface StaffSchema {
  staff: {
    staff_id: string;
    team_id: string;
    name: string;
    role: string;
    /** Of the identity provider; null until a person who was added by e-mail address has signed in. */
    issuer: string | null;
    subject: string | null;
    /** Lower case; only to find a person at the first sign-in. */
    email: string | null;
    /** SHA-256. A badge names a person and proves nothing. */
    badge_hash: Uint8Array | null;
    created_ms: number;
    disabled_ms: number | null;
  };
  /** Keys that belong to a person; beside the table of keys, which every request reads. */
  key_owners: { key_id: string; staff_id: string };
  desks: {
    desk_id: string;
    team_id: string;
    name: string;
    /** RFC 7638, base64url of SHA-256. */
    thumbprint: string;
    /** The public key. */
    jwk: string;
    created_ms: number;
    revoked_ms: number | null;
  };
  enrolment_codes: {
    /** The first four characters. */
    code_id: string;
    /** SHA-256 of salt and the others. */
    salt: Uint8Array;
    code_hash: Uint8Array;
    team_id: string;
    name: string;
    created_ms: number;
    expires_ms: number;
    tries: number;
    used_ms: number | null;
  };
  sessions: {
    session_id: string;
    /** The public part of the token. */
    token_id: string;
    /** SHA-256 of its secret part. */
    secret_hash: Uint8Array;
    staff_id: string;
    desk_id: string;
    team_id: string;
    /** Role by the groups of the provider; null: the person's. */
    role: string | null;
    /** How the person signed in. */
    method: string;
    began_ms: number;
    expires_ms: number;
    ends_ms: number;
    locked_ms: number | null;
    ended_ms: number | null;
  };
  pins: {
    staff_id: string;
    salt: Uint8Array;
    /** scrypt. */
    pin_hash: Uint8Array;
    set_ms: number;
  };
  /** Wrong PINs of a person at a desk, since the last right one or sign-in. */
  pin_tries: { staff_id: string; desk_id: string; tries: number };
  /** ID tokens that were taken, until they expire: each is taken once. */
  taken_tokens: { token_hash: Uint8Array; expires_ms: number };
}
