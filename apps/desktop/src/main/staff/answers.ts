import * as v from 'valibot';
import type { Problem } from '../../shared/problem.ts';
import { integer, text } from '../../shared/schema.ts';

// These schemas are written by hand, since the generated validators would add a third to the size of main.

const id = text(1, 64);
const name = text(1, 200);
const time = v.pipe(
  text(1, 40),
  v.check((value) => Number.isFinite(Date.parse(value))),
);
const deskInterface = v.optional(integer(1, 1_000_000));

export const signInInfoSchema = v.object({
  clinic_name: v.nullish(name),
  provider: v.nullish(
    v.object({
      issuer: text(1, 2048),
      client_id: text(1, 500),
      client_secret: v.nullish(text(1, 500)),
      name,
    }),
  ),
  pin: v.object({ min: integer(1, 64), max: integer(1, 64) }),
  /** A service before interface 2 doesn't send it. */
  desk_interface: deskInterface,
  oldest_desk_interface: deskInterface,
});
export type SignInInfo = v.InferOutput<typeof signInInfoSchema>;

const DESK_INTERFACE = 1;

export function findInterfaceProblem(
  { desk_interface: newest = 1, oldest_desk_interface: oldest = 1 }: SignInInfo,
  own = DESK_INTERFACE,
): Problem | undefined {
  if (newest < own) return { kind: 'serviceTooOld', interfaces: { needed: own, offered: newest } };
  if (oldest > own) return { kind: 'deskTooOld', interfaces: { needed: oldest, offered: own } };
  return undefined;
}

export const enrolledDeskSchema = v.object({ desk_id: id, name });

export const badgeHolderSchema = v.object({ staff_id: id });

export const sessionSchema = v.object({
  session: v.nullish(text(1, 500)),
  expires_at: time,
  ends_at: time,
  pin_set: v.boolean(),
  staff: v.object({ staff_id: id, name, role: text(1, 40) }),
  desk: v.object({ desk_id: id, name }),
});
export type SessionAnswer = v.InferOutput<typeof sessionSchema>;

export const grantSchema = v.object({ break_glass_id: id, expires_at: time });
