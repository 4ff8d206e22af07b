import type { JsonSchema } from './json-schema.ts';
import type { StandardSchema } from './standard-schema.ts';

/** A validation error. The message says what is expected and never contains the value. */
export interface Issue {
  path: (string | number)[];
  message: string;
}

/** The value if it is valid, otherwise the first hundred issues. */
export type Verdict<T> = { ok: true; value: T } | { ok: false; issues: Issue[] };

/**
 * A compiled validator. Call it, or pass it to a library that accepts a Standard Schema. It never throws, doesn't
 * modify the value, and accepts unknown fields.
 */
export interface Validator<T> extends StandardSchema<T> {
  (value: unknown): Verdict<T>;
  /** The schema as self-contained JSON Schema (2020-12). */
  readonly schema: JsonSchema;
}
