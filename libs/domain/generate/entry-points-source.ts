import type { ReadOperation } from '../src/operations.ts';

/** Generates src/validate.ts, with one validator for each DTO class, so that bundlers can drop the unused ones. */
export function generateValidateModule(names: readonly string[]): string {
  const validators = names.map(
    (name) =>
      `export const validate${name} = /* @__PURE__ */ validator<domain.${name}>('${name}', compiled.${name});`,
  );
  return `/** Compiled validators per entity: no eval, no run-time dependencies, tree-shakeable. */
import type * as domain from './generated/types.ts';
import * as compiled from './generated/validators.ts';
import { validator } from './schema/validator.ts';

export { validateImportEnvelope } from './import/validate-import-envelope.ts';
export type { Issue, Validator, Verdict } from './validation/verdict.ts';

${validators.join('\n')}
`;
}

/**
 * Generates src/answers.ts, with the response validator of each operation. It imports them by name, so that bundles
 * contain no others.
 */
export function generateAnswersModule(operations: Readonly<Record<string, ReadOperation>>): string {
  const rows = Object.entries(operations).map(
    ([name, { answer }]) => [name, `validate${answer}`] as const,
  );
  const validators = [...new Set(rows.map(([, validator]) => validator))].toSorted();
  return `import type { AnswerOf, OperationName } from './operations.ts';
import {
${validators.map((validator) => `  ${validator},`).join('\n')}
} from './validate.ts';
import type { Validator } from './validation/verdict.ts';

/** The compiled validator for the response of each operation. */
export const ANSWER_VALIDATORS: {
  readonly [Name in OperationName]: Validator<AnswerOf<Name>>;
} = {
${rows.map(([name, validator]) => `  ${name}: ${validator},`).join('\n')}
};
`;
}
