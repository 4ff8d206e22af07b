import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { JsonSchema } from '@caregate/domain/schema';
import type { Issue, Validator } from '@caregate/domain/validate';
import {
  invalidParameters,
  notFound,
  ProblemError,
  type FieldError,
} from '../problem/problem-error.ts';

/** What a query holds, by name: every value that was given, so that nothing given twice is lost. */
type QueryValues = Readonly<Record<string, readonly string[]>>;

/** Reads a query as WHATWG does; it never fails. */
export function queryValues(text: string): Record<string, string[]> {
  const values = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    (values[name] ??= []).push(value);
  }
  return values;
}

/**
 * Checks what `@Param()`, `@Query()` and `@Body()` take against the schema that they name, a validator of the domain.
 * What a query holds as text is read as what the schema expects there.
 */
export class SchemaPipe implements PipeTransform {
  /** @throws ProblemError 422 that names each parameter that is unknown, repeated, missing or not valid; see `pathOf` */
  transform(value: unknown, { type, schema }: ArgumentMetadata): unknown {
    if (schema === undefined) {
      return value;
    }
    // Only validators of the domain are given to our decorators; the checks of their JSON Schema need one.
    const validator = schema as Validator<unknown>;
    switch (type) {
      case 'param':
        return pathOf(value as Readonly<Record<string, unknown>>, validator);
      case 'query':
        return queryOf(value as QueryValues, validator);
      case 'body':
        return bodyOf(value, validator);
      case 'custom':
        return value;
    }
  }
}

/** @throws ProblemError 404 for `.`, `..` and nothing, which some clients make of an id that they lost; else 422 */
function pathOf(value: Readonly<Record<string, unknown>>, check: Validator<unknown>): unknown {
  const verdict = check(value);
  if (verdict.ok) {
    return verdict.value;
  }
  const names = verdict.issues.map((issue) => nameOf(issue, 'path'));
  if (names.some((name) => ['', '.', '..'].includes(String(value[name])))) {
    throw notFound();
  }
  throw refused(new Map(), verdict.issues, 'path');
}

function queryOf(given: QueryValues, check: Validator<unknown>): unknown {
  const readers = readersOf(check);
  const values: Record<string, unknown> = {};
  const errors = new Map<string, string>();
  for (const [name, [text = '', ...more]] of Object.entries(given)) {
    const read = readers.get(name);
    if (read === undefined) {
      errors.set(printable(name), 'is not a parameter of this operation');
    } else if (more.length > 0) {
      errors.set(name, 'was given more than once');
    } else if (text.includes('\0')) {
      // Nothing that is stored has one: PostgreSQL takes none in a text, not even to look for.
      errors.set(name, 'must not hold a NUL character');
    } else {
      const value = read(text);
      if (value instanceof Unreadable) {
        errors.set(name, value.reason);
      } else {
        values[name] = value;
      }
    }
  }
  const verdict = check(values);
  if (verdict.ok && errors.size === 0) {
    return verdict.value;
  }
  throw refused(errors, verdict.ok ? [] : verdict.issues, 'query');
}

/** @throws ProblemError 400 for what is no object, 422 otherwise */
function bodyOf(value: unknown, check: Validator<unknown>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProblemError({ type: 'malformed-request', detail: 'Send a JSON object.' });
  }
  const verdict = check(value);
  if (verdict.ok) {
    return verdict.value;
  }
  const known = Object.keys(check.schema.properties ?? {});
  if (Object.keys(value).some((name) => !known.includes(name))) {
    const reason = `has a name other than ${known.join(', ')}`;
    throw invalidParameters({ parameter: '(unknown)', reason });
  }
  throw refused(new Map(), verdict.issues, 'body');
}

/** The first thing wrong with each parameter. */
function refused(
  first: ReadonlyMap<string, string>,
  issues: readonly Issue[],
  place: string,
): ProblemError {
  const errors = new Map(first);
  for (const issue of issues) {
    const name = nameOf(issue, place);
    if (!errors.has(name)) {
      errors.set(name, issue.message);
    }
  }
  return invalidParameters(
    ...Array.from(errors, ([parameter, reason]): FieldError => ({ parameter, reason })),
  );
}

function nameOf({ path }: Issue, place: string): string {
  return String(path[0] ?? place);
}

/** The name of an unknown parameter is repeated only where it looks like a name: it could be anything. */
function printable(name: string): string {
  return /^[A-Za-z][A-Za-z0-9_[\].-]{0,39}$/.test(name) ? name : 'query';
}

/** Why a text cannot be what its parameter expects. */
class Unreadable {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

type Reader = (text: string) => unknown;

const known = new WeakMap<Validator<unknown>, ReadonlyMap<string, Reader>>();

function readersOf(validator: Validator<unknown>): ReadonlyMap<string, Reader> {
  const made =
    known.get(validator) ??
    new Map(
      Object.entries(validator.schema.properties ?? {}).map(([name, property]) => [
        name,
        readerOf(property),
      ]),
    );
  known.set(validator, made);
  return made;
}

function readerOf({ type }: JsonSchema): Reader {
  const types = [type].flat();
  if (types.includes('integer')) {
    return wholeNumber;
  }
  if (types.includes('boolean')) {
    return trueOrFalse;
  }
  return types.includes('null') ? textOrNull : (text) => text;
}

/** `null` cannot be written in a query: nothing at all, and the word, both stand for it. */
const textOrNull: Reader = (text) => (text === '' || text === 'null' ? null : text);

/** Decimal digits and nothing else: no exponent, no blank. */
const wholeNumber: Reader = (text) =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : new Unreadable('must be a whole number');

const trueOrFalse: Reader = (text) =>
  text === 'true' || text === 'false' ? text === 'true' : new Unreadable('must be true or false');
