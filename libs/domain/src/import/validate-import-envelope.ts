import * as compiled from '../generated/validators.ts';
import { bundleUnion } from '../schema/bundled.ts';
import { isRecord, type JsonSchema } from '../validation/json-schema.ts';

import { type Compiled, withStandardSchema, validator } from '../schema/validator.ts';
import type { Validator, Verdict } from '../validation/verdict.ts';
import type { ImportEnvelope } from './warnings.ts';

const NAMES = {
  user: 'UserEnvelope',
  user_info: 'UserInfoEnvelope',
  order: 'OrderEnvelope',
  lab_result: 'LabResultEnvelope',
  insurance: 'InsuranceEnvelope',
  mindfulness_minutes: 'MindfulnessMinutesEnvelope',
} as const;

type Kind = keyof typeof NAMES;

type Validators = Readonly<Record<Kind, Validator<ImportEnvelope>>>;

const validators = /* @__PURE__ */ makeValidators();

function makeValidators(): Validators {
  const entries = Object.entries(NAMES).map(([kind, name]) => [
    kind,
    validator<ImportEnvelope>(name, compiled[name] as Compiled),
  ]);
  return Object.fromEntries(entries) as Validators;
}

/** Validates one line of an import file by the DTO of its `kind`. */
export const validateImportEnvelope: Validator<ImportEnvelope> = /* @__PURE__ */ withStandardSchema(
  validateByKind,
  buildUnionSchema,
);

function validateByKind(value: unknown): Verdict<ImportEnvelope> {
  if (!isRecord(value)) {
    return { ok: false, issues: [{ path: [], message: 'must be an object' }] };
  }
  const kind = value['kind'];
  if (typeof kind !== 'string' || !Object.hasOwn(NAMES, kind)) {
    const message = kind === undefined ? 'is required' : `must be ${formatKinds()}`;
    return { ok: false, issues: [{ path: ['kind'], message }] };
  }
  return validators[kind as Kind](value);
}

function formatKinds(): string {
  const kinds = Object.keys(NAMES).map((kind) => JSON.stringify(kind));
  return `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1) ?? ''}`;
}

function buildUnionSchema(): JsonSchema {
  return bundleUnion(Object.values(NAMES));
}
