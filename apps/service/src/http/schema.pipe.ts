import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { JsonSchema } from '@caregate/domain/schema';
import type { Issue, Validator } from '@caregate/domain/validate';
import {
  createInvalidParameterError,
  createNotFoundError,
  ProblemError,
  type FieldError,
} from '../problem/problem-error.ts';

type QueryValues = Readonly<Record<string, readonly string[]>>;

/** Parses a query as WHATWG does. Never fails. */
export function parseQueryValues(text: string): Record<string, string[]> {
  const values = Object.create(null) as Record<string, string[]>;
  if (text === '') {
    return values;
  }
  for (const [name, value] of new URLSearchParams(text)) {
    (values[name] ??= []).push(value);
  }
  return values;
}

/** Validates `@Param()`, `@Query()` and `@Body()`. Texts of a query are parsed as the type in the schema. */
export class SchemaPipe implements PipeTransform {
  transform(value: unknown, { type, schema }: ArgumentMetadata): unknown {
    if (schema === undefined) {
      return value;
    }
    // The decorators only accept validators of the domain, whose JSON Schema is needed below.
    const validator = schema as Validator<unknown>;
    switch (type) {
      case 'param':
        return parsePath(value as Readonly<Record<string, unknown>>, validator);
      case 'query':
        return parseQuery(value as QueryValues, validator);
      case 'body':
        return parseBody(value, validator);
      case 'custom':
        return value;
    }
  }
}

/**
 * @throws ProblemError 404 for `.`, `..` and the empty string, which some clients send for a missing ID; otherwise
 * 422
 */
function parsePath(value: Readonly<Record<string, unknown>>, check: Validator<unknown>): unknown {
  const verdict = check(value);
  if (verdict.ok) {
    return verdict.value;
  }
  const names = verdict.issues.map((issue) => readParameterName(issue, 'path'));
  if (names.some((name) => ['', '.', '..'].includes(String(value[name])))) {
    throw createNotFoundError();
  }
  throw createValidationError(new Map(), verdict.issues, 'path');
}

function parseQuery(query: QueryValues, check: Validator<unknown>): unknown {
  const readers = getReaders(check);
  const values: Record<string, unknown> = {};
  const errors = new Map<string, string>();
  for (const [name, [text = '', ...more]] of Object.entries(query)) {
    const read = readers.get(name);
    if (read === undefined) {
      errors.set(toSafeName(name), 'is not a parameter of this operation');
    } else if (read === 'list') {
      takeList(name, [text, ...more], values, errors);
    } else if (more.length > 0) {
      errors.set(name, 'must not be repeated');
    } else if (text.includes('\0')) {
      // PostgreSQL doesn't accept NUL in text, not even in a condition.
      errors.set(name, 'must not contain a NUL character');
    } else {
      const value = read(text);
      if (value instanceof Error) {
        errors.set(name, value.message);
      } else {
        values[name] = value;
      }
    }
  }
  const verdict = check(values);
  if (verdict.ok && errors.size === 0) {
    return verdict.value;
  }
  throw createValidationError(errors, verdict.ok ? [] : verdict.issues, 'query');
}

function takeList(
  name: string,
  texts: readonly string[],
  values: Record<string, unknown>,
  errors: Map<string, string>,
): void {
  if (texts.length > MOST_REPEATED) {
    errors.set(name, `must not be repeated more than ${MOST_REPEATED} times`);
  } else if (texts.some((text) => text.includes('\0'))) {
    errors.set(name, 'must not contain a NUL character');
  } else {
    values[name] = texts;
  }
}

function parseBody(value: unknown, check: Validator<unknown>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProblemError({
      type: 'malformed-request',
      detail: 'The request body must be a JSON object.',
    });
  }
  const verdict = check(value);
  if (verdict.ok) {
    return verdict.value;
  }
  const fieldNames = Object.keys(check.schema.properties ?? {});
  if (Object.keys(value).some((name) => !fieldNames.includes(name))) {
    const reason = `is not a known field; the fields are ${fieldNames.join(', ')}`;
    throw createInvalidParameterError({ parameter: '(unknown)', reason });
  }
  throw createValidationError(new Map(), verdict.issues, 'body');
}

function createValidationError(
  first: ReadonlyMap<string, string>,
  issues: readonly Issue[],
  place: string,
): ProblemError {
  const errors = new Map(first);
  for (const issue of issues) {
    const name = readParameterName(issue, place);
    if (!errors.has(name)) {
      errors.set(name, issue.message);
    }
  }
  return createInvalidParameterError(
    ...Array.from(errors, ([parameter, reason]): FieldError => ({ parameter, reason })),
  );
}

function readParameterName({ path }: Issue, place: string): string {
  return String(path[0] ?? place);
}

/** Returns an unknown name only if it looks like a parameter name, since it could contain anything. */
function toSafeName(name: string): string {
  return /^[A-Za-z][A-Za-z0-9_[\].-]{0,39}$/.test(name) ? name : 'query';
}

/** Parses a value of a query, and returns an Error with the reason if it is invalid. `list` may be repeated. */
type Reader = ((text: string) => unknown) | 'list';

const MOST_REPEATED = 100;

const readersByValidator = new WeakMap<Validator<unknown>, ReadonlyMap<string, Reader>>();

function getReaders(validator: Validator<unknown>): ReadonlyMap<string, Reader> {
  const readers =
    readersByValidator.get(validator) ??
    new Map(
      Object.entries(validator.schema.properties ?? {}).map(([name, property]) => [
        name,
        chooseReader(property),
      ]),
    );
  readersByValidator.set(validator, readers);
  return readers;
}

function chooseReader({ type }: JsonSchema): Reader {
  const types = [type].flat();
  if (types.includes('array')) {
    return 'list';
  }
  if (types.includes('integer')) {
    return parseInteger;
  }
  if (types.includes('boolean')) {
    return parseBoolean;
  }
  return types.includes('null') ? parseNullableText : (text) => text;
}

/** A query can't contain `null`, so the empty string and the word `null` stand for it. */
const parseNullableText = (text: string): string | null =>
  text === '' || text === 'null' ? null : text;

const parseInteger = (text: string): unknown =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : new Error('must be a whole number');

const parseBoolean = (text: string): unknown =>
  text === 'true' || text === 'false' ? text === 'true' : new Error('must be true or false');
