import type { JsonSchema } from './json-schema.ts';
import type { StandardSchema } from './standard-schema.ts';

/** One thing that is wrong with a value. The message says what the place must hold and never repeats what it holds. */
export interface Issue {
  path: (string | number)[];
  message: string;
}

/** The value itself where it is right, otherwise what is wrong with it (the first hundred issues). */
export type Verdict<T> = { ok: true; value: T } | { ok: false; issues: Issue[] };

/**
 * A compiled validator: call it for a verdict, or hand it to anything that takes a Standard Schema. It never throws,
 * changes nothing and keeps fields that it does not know.
 */
export interface Validator<T> extends StandardSchema<T> {
  (value: unknown): Verdict<T>;
  /** The same shape as JSON Schema (2020-12), complete in itself. */
  readonly schema: JsonSchema;
}
