import { SCHEMAS } from '../generated/schemas.ts';
import { bundled } from './bundled.ts';
import { type CompiledError, convertErrors } from '../validation/issues.ts';
import type { Validator, Verdict } from '../validation/verdict.ts';

/** A function compiled by Ajv. If it returns false, it has stored the errors in its own property `errors`. */
export interface Compiled {
  (value: unknown): boolean;
  errors?: readonly CompiledError[] | null;
}

/** Wraps a compiled function as a {@link Validator}. */
export function validator<T>(name: keyof typeof SCHEMAS, compiled: Compiled): Validator<T> {
  const validate = (value: unknown): Verdict<T> => {
    if (compiled(value)) {
      return { ok: true, value: value as T };
    }
    const issues = convertErrors(value, compiled.errors ?? []);
    // Release the errors, which refer to the validated values, for garbage collection.
    compiled.errors = null;
    return { ok: false, issues };
  };
  return withStandardSchema(validate, () => bundled(name));
}

/** Adds the Standard Schema interface and the JSON Schema to a validating function. */
export function withStandardSchema<T>(
  validate: (value: unknown) => Verdict<T>,
  schema: () => Validator<T>['schema'],
): Validator<T> {
  const standard: Validator<T>['~standard'] = {
    version: 1,
    vendor: 'caregate',
    validate: (value) => {
      const verdict = validate(value);
      return verdict.ok ? { value: verdict.value } : { issues: verdict.issues };
    },
  };
  return Object.defineProperties(validate, {
    '~standard': { value: standard, enumerable: true },
    schema: { get: schema, enumerable: true },
  }) as Validator<T>;
}
