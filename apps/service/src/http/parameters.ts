import type { FastifyRequest } from 'fastify';
import { rawQuery } from './request-path.ts';
import { invalidParameters, ProblemError, type FieldError } from '../problem/problem-error.ts';

/** What is needed here of a compiled validator of the domain. */
export type Check<T> = (value: unknown) =>
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly issues: readonly {
        readonly path: readonly (string | number)[];
        readonly message: string;
      }[];
    };

/** Reads one parameter's text into what the validator expects; `Unread` where the text cannot be that at all. */
export type Reader = (text: string) => unknown;

/** Why a text could not be read. */
export class Unread {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export const text: Reader = (given) => given;

/** `null` cannot be written in a query: nothing at all, and the word, both stand for it. */
export const textOrNull: Reader = (given) => (given === '' || given === 'null' ? null : given);

/** Decimal digits and nothing else: no sign, no exponent, no blank. */
export const wholeNumber: Reader = (given) =>
  /^-?\d{1,15}$/.test(given) ? Number(given) : new Unread('must be a whole number');

export const trueOrFalse: Reader = (given) =>
  given === 'true' || given === 'false' ? given === 'true' : new Unread('must be true or false');

/** A date or date-time; a plus that was not percent-encoded has become a space on its way. */
export const dateText: Reader = (given) =>
  / \d\d:?\d\d$/.test(given)
    ? new Unread('must be a date or date-time; in a query, a + is written %2B')
    : given;

/**
 * The query of a request, checked. `readers` names every parameter of the operation.
 * @throws ProblemError 422 that names each parameter that is unknown, repeated, missing or not valid
 */
export function queryOf<T>(
  request: FastifyRequest,
  readers: Readonly<Record<string, Reader>>,
  check: Check<T>,
): T {
  const values: Record<string, unknown> = {};
  const errors = new Map<string, string>();
  for (const [name, given] of new URLSearchParams(rawQuery(request.raw.url ?? ''))) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (reader === undefined) {
      errors.set(printable(name), 'is not a parameter of this operation');
    } else if (Object.hasOwn(values, name)) {
      errors.set(name, 'was given more than once');
    } else if (given.includes('\0')) {
      // Nothing that is stored has one: PostgreSQL takes none in a text, not even to look for.
      values[name] = undefined;
      errors.set(name, 'must not hold a NUL character');
    } else {
      const value = reader(given);
      values[name] = value;
      if (value instanceof Unread) {
        errors.set(name, value.reason);
      }
    }
  }
  const verdict = check(values);
  if (!verdict.ok) {
    for (const { path, message } of verdict.issues) {
      const name = String(path[0] ?? 'query');
      if (!errors.has(name)) {
        errors.set(name, message);
      }
    }
  }
  if (!verdict.ok || errors.size > 0) {
    throw invalidParameters(...asFieldErrors(errors));
  }
  return verdict.value;
}

/** For operations without query parameters. */
export function noQuery(request: FastifyRequest): void {
  queryOf(request, {}, (value) => ({ ok: true, value }));
}

/**
 * The path parameters of a request, checked.
 * @throws ProblemError 422 that names the parameter; 404 for `.`, `..` and nothing, which some clients make of an id
 * that they lost: ids that are not found, as any other
 */
export function pathOf<T>(request: FastifyRequest, check: Check<T>): T {
  const verdict = check(request.params);
  if (verdict.ok) {
    return verdict.value;
  }
  const errors = new Map<string, string>();
  for (const { path, message } of verdict.issues) {
    const name = String(path[0] ?? 'path');
    if (isLostId((request.params as Record<string, unknown>)[name])) {
      throw new ProblemError({ type: 'not-found', detail: NO_SUCH_RECORD });
    }
    errors.set(name, message);
  }
  throw invalidParameters(...asFieldErrors(errors));
}

function isLostId(value: unknown): boolean {
  return value === '' || value === '.' || value === '..';
}

/** One wording for what is absent, another team's, or no id at all. */
const NO_SUCH_RECORD = 'There is no such record in the data of this team.';

/** @throws ProblemError 404 where nothing was found */
export function orNotFound<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new ProblemError({ type: 'not-found', detail: NO_SUCH_RECORD });
  }
  return value;
}

function asFieldErrors(errors: ReadonlyMap<string, string>): FieldError[] {
  return Array.from(errors, ([parameter, reason]) => ({ parameter, reason }));
}

/** The name of an unknown parameter is repeated only where it looks like a name: it could be anything. */
function printable(name: string): string {
  return /^[A-Za-z][A-Za-z0-9_[\].-]{0,39}$/.test(name) ? name : 'query';
}
