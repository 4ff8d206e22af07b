import type { JsonSchema } from './json-schema.ts';
import type { StandardSchema } from './standard-schema.ts';

/** A validation error. The message says what is expected and never contains the value. */
export interface Issue {
  path: (string | number)[];
  message: string;
}

/** The value if it is valid, otherwise the issues (the first hundred). */
export type Verdict<T> = { ok: true; value: T } | { ok: false; issues: Issue[] };

/**
 * A compiled validator: call it, or pass it to anything that accepts a Standard Schema. It never throws, does not modify
 * the value and accepts unknown fields.
 */
export interface Validator<T> extends StandardSchema<T> {
  (value: unknown): Verdict<T>;
  /** The schema as self-contained JSON Schema (2020-12). */
  readonly schema: JsonSchema;
}
