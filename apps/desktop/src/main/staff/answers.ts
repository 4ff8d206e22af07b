import type { Problem } from '../../shared/problem.ts';
import { boolean, fields, integer, nullable, optional, text } from '../../shared/schema.ts';
import type { Schema, TypeOf } from '../../shared/schema.ts';

// By hand: the compiled validators of these answers would be a third of main.

const id = text(1, 64);
const name = text(1, 200);
const time: Schema<string> = (value) =>
  typeof value === 'string' && value.length <= 40 && Number.isFinite(Date.parse(value))
    ? { ok: true, value }
    : { ok: false, issues: [{ message: 'must be a time' }] };

export const signInInfoShape = fields({
  clinic_name: nullable(name),
  provider: nullable(
    fields({
      issuer: text(1, 2048),
      client_id: text(1, 500),
      client_secret: nullable(text(1, 500)),
      name,
    }),
  ),
  pin: fields({ min: integer(1, 64), max: integer(1, 64) }),
  /** Absent before interface 2. */
  desk_interface: optional(integer(1, 1_000_000)),
  oldest_desk_interface: optional(integer(1, 1_000_000)),
});
export type SignInInfo = TypeOf<typeof signInInfoShape>;

const DESK_INTERFACE = 1;

export function interfaceProblem(
  { desk_interface: newest = 1, oldest_desk_interface: oldest = 1 }: SignInInfo,
  own = DESK_INTERFACE,
): Problem | undefined {
  if (newest < own) return { kind: 'serviceTooOld', interfaces: { needed: own, offered: newest } };
  if (oldest > own) return { kind: 'deskTooOld', interfaces: { needed: oldest, offered: own } };
  return undefined;
}

export const enrolledDeskShape = fields({ desk_id: id, name });

export const badgeHolderShape = fields({ staff_id: id });

export const sessionShape = fields({
  session: nullable(text(1, 500)),
  expires_at: time,
  ends_at: time,
  pin_set: boolean,
  staff: fields({ staff_id: id, name, role: text(1, 40) }),
  desk: fields({ desk_id: id, name }),
});
export type SessionAnswer = TypeOf<typeof sessionShape>;

export const grantedShape = fields({ break_glass_id: id, expires_at: time });
