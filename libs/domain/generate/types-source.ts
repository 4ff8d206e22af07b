import { dtoClasses, type DtoClassText } from './dto-classes.ts';

const exported = /export type (\w+)/gu;

/** The text of a module with one plain interface per DTO class, so that a type costs nothing and is no class. */
export function typesSource(names: readonly string[], knownValuesText: string): string {
  const classes = dtoClasses();
  const interfaces = names.map((name) => {
    const found = classes.get(`${name}Dto`);
    if (found === undefined) {
      throw new Error(`${name}Dto stands in no *.dto.ts file`);
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
