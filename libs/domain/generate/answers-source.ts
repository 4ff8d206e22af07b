import type { ReadOperation } from '../src/operations.ts';

/** The text of a module with the validator of each operation's answer, named one by one so that bundles hold no others. */
export function answersSource(operations: Readonly<Record<string, ReadOperation>>): string {
  const rows = Object.entries(operations).map(
    ([name, { answer }]) => [name, `validate${answer}`] as const,
  );
  const validators = [...new Set(rows.map(([, validator]) => validator))].toSorted();
  return `import type { AnswerOf, OperationName } from '../operations.ts';
import {
${validators.map((validator) => `  ${validator},`).join('\n')}
} from '../validate.ts';
import type { Validator } from '../validation/verdict.ts';

/** The compiled validator of each operation's answer. */
export const ANSWER_VALIDATORS: {
  readonly [Name in OperationName]: Validator<AnswerOf<Name>>;
} = {
${rows.map(([name, validator]) => `  ${name}: ${validator},`).join('\n')}
};
`;
}
