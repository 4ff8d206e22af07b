import { array, boolean, integer, object, oneOf, optional, text } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { knownTimeZone } from './time-zone.ts';

/** As the service makes them: UUIDs in lower case. */
export const staffId = text(1, 64);
const name = text(1, 200);
const role = text(1, 40);

/** Somebody with a session at this desk: a card to unlock it. */
const personSchema = object({
  staffId,
  name,
  role,
  /** Without one a locked session is opened only by signing in again. */
  pinSet: boolean,
  /** End of the longest sign-in, ISO 8601 in UTC. */
  endsAt: text(20, 40),
});
export type Person = TypeOf<typeof personSchema>;

/** Whoever may see what their role may not, for a time and a reason. */
const emergencySchema = object({
  breakGlassId: text(1, 64),
  userId: text(1, 1024),
  reasonCode: text(1, 100),
  expiresAt: text(20, 40),
});
export type Emergency = TypeOf<typeof emergencySchema>;

/** What the status says of the desk and of the people at it. */
export const peopleFields = {
  clinicName: optional(text(1, 200)),
  /** The zone of all times on screens and on paper; absent where this computer's is. */
  clinicTimeZone: knownTimeZone,
  deskName: optional(text(1, 200)),
  /** Whether the service knows this desk's key. */
  enrolled: boolean,
  /** Where staff sign in; absent where the clinic has no provider, or the service wasn't asked yet. */
  provider: optional(object({ name: text(1, 200) })),
  /** Whether a staff key may sign in. */
  keys: boolean,
  /** Digits of a PIN. */
  pin: object({ min: integer(1, 64), max: integer(1, 64) }),
  /** In the order they came, which is the number of their card; whoever is at the desk among them. */
  people: array(personSchema, 50),
  /** At the desk now. */
  current: optional(staffId),
  /** Whose card was picked while it is locked. */
  chosen: optional(staffId),
  /** Whether an answer from the browser is awaited. */
  signingIn: boolean,
  emergency: optional(emergencySchema),
};

const PERMISSIONS = ['yes', 'mask', 'no', 'emergency'] as const;

/** Whoever is at the desk, and what they may call. */
export const meSchema = object({
  kind: oneOf(['staff', 'key']),
  name,
  role,
  permissions: array(object({ operation: text(1, 100), may: oneOf(PERMISSIONS) }), 200),
});
export type Me = TypeOf<typeof meSchema>;

/** Digits alone; how many the clinic asks for is checked by the service. */
export const pinSchema = text(1, 64);

export const emergencyRequestSchema = object({
  userId: text(1, 1024),
  reasonCode: text(1, 100),
  text: text(1, 2000),
});
