import { SCHEMAS } from '../generated/schemas.ts';
import { bundled } from './bundled.ts';
import { type CompiledError, issuesOf } from '../validation/issues.ts';
import type { Validator, Verdict } from '../validation/verdict.ts';

/** A function as Ajv compiles it: false leaves the reasons on the function itself. */
export interface Compiled {
  (value: unknown): boolean;
  errors?: readonly CompiledError[] | null;
}

/** Gives a compiled function the face of a {@link Validator}. */
export function validator<T>(name: keyof typeof SCHEMAS, compiled: Compiled): Validator<T> {
  const validate = (value: unknown): Verdict<T> => {
    if (compiled(value)) {
      return { ok: true, value: value as T };
    }
    const issues = issuesOf(value, compiled.errors ?? []);
    // The function keeps its last errors, and with them what they point at, for as long as the program runs.
    compiled.errors = null;
    return { ok: false, issues };
  };
  return faced(validate, () => bundled(name));
}

/** Adds the Standard Schema face and the JSON Schema to a validating function. */
export function faced<T>(
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
