import type { ReadOperation } from '../src/operations.ts';
import { dtoClasses, type DtoClassText } from './dto-classes.ts';

const exported = /export type (\w+)/gu;

/** Source of a module with an interface per DTO class, so that types have no run-time cost. */
export function typesSource(names: readonly string[], knownValuesText: string): string {
  const classes = dtoClasses();
  const interfaces = names.map((name) => {
    const found = classes.get(`${name}Dto`);
    if (found === undefined) {
      throw new Error(`${name}Dto is not in a *.dto.ts file`);
    }
    return interfaceText(name, found);
  });
  const body = interfaces.join('\n\n');
  const types = [...knownValuesText.matchAll(exported)].map(([, type]) => type ?? '');
  const used = types.filter((type) => new RegExp(`\\b${type}\\b`, 'u').test(body)).toSorted();
  return `import type { ${used.join(', ')} } from '../validation/known-values.ts';\n\n${body}\n`;
}

function interfaceText(name: string, { comment, properties }: DtoClassText): string {
  const lines = properties.map(
    (property) =>
      `  ${property.comment.raw}\n  ${property.name}${property.optional ? '?' : ''}: ${plain(property.type)};`,
  );
  return `${comment.raw}\nexport interface ${name} {\n${lines.join('\n\n')}\n}`;
}

function plain(type: string): string {
  return type.replace(/\b(\w+)Dto\b/gu, '$1');
}

/** Source of a module with the response validator of each operation; imported by name, so that bundles contain no others. */
export function answersSource(operations: Readonly<Record<string, ReadOperation>>): string {
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

/** Source of a module with a validator per entity; each is dropped from bundles that don't import it. */
export function validateSource(names: readonly string[]): string {
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
