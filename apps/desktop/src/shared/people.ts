import { array, boolean, integer, object, oneOf, optional, text } from './schema.ts';
import type { TypeOf } from './schema.ts';

export const staffId = text(1, 64);
const name = text(1, 200);
const role = text(1, 40);

const personSchema = object({
  staffId,
  name,
  role,
  pinSet: boolean,
  /** The absolute limit, ISO 8601 in UTC. */
  endsAt: text(20, 40),
});
export type Person = TypeOf<typeof personSchema>;

const emergencySchema = object({
  breakGlassId: text(1, 64),
  userId: text(1, 1024),
  reasonCode: text(1, 100),
  expiresAt: text(20, 40),
});
export type Emergency = TypeOf<typeof emergencySchema>;

/** A patient on the screen. */
export const openPatientSchema = object({
  clientUserId: text(1, 1024),
  screen: oneOf(['person', 'labs', 'insurance']),
});
export type OpenPatient = TypeOf<typeof openPatientSchema>;

export const peopleFields = {
  clinicName: optional(text(1, 200)),
  /** Time zone of screens and prints; absent: this computer's. */
  deskName: optional(text(1, 200)),
  enrolled: boolean,
  /** Absent if the clinic has no provider, or isn't known yet. */
  provider: optional(object({ name: text(1, 200) })),
  pin: object({ min: integer(1, 64), max: integer(1, 64) }),
  /** In order of arrival, which is the number of the card; with the current person. */
  people: array(personSchema, 50),
  current: optional(staffId),
  /** Who comes back to the patient they had open if they unlock by then, ISO 8601 in UTC. */
  returning: optional(object({ staffId, until: text(20, 40) })),
  /** Whose card is selected while locked. */
  chosen: optional(staffId),
  signingIn: boolean,
  emergency: optional(emergencySchema),
};

const PERMISSIONS = ['yes', 'mask', 'no', 'emergency'] as const;

export const meSchema = object({
  name,
  role,
  permissions: array(object({ operation: text(1, 100), may: oneOf(PERMISSIONS) }), 200),
});
export type Me = TypeOf<typeof meSchema>;

/** Digits; the service checks how many. */
export const pinSchema = text(1, 64);

export const emergencyRequestSchema = object({
  userId: text(1, 1024),
  reasonCode: text(1, 100),
  text: text(1, 2000),
});
