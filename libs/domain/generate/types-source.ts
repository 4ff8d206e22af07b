import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClassSource } from './read-classes.ts';

/** Generates a module with an interface for each DTO class, with the class's comments and without its decorators. */
export function generateTypesModule(classes: ReadonlyMap<string, ClassSource>): string {
  const interfaces = [...classes].map(([name, { isExported, parent, comment, properties }]) => {
    const members = Object.entries(properties).map(
      ([
        property,
        {
          type,
          comment: { raw },
        },
      ]) => `  ${raw}\n  ${property}${type};`,
    );
    const declaration = `interface ${name}${parent === undefined ? '' : ` extends ${parent}`}`;
    return `${comment.raw}\n${isExported ? 'export ' : ''}${declaration} {\n${members.join('\n\n')}\n}`;
  });
  const text = interfaces.join('\n\n').replace(/\b(\w+)Dto\b/gu, '$1');
  const knownValues = join(import.meta.dirname, '../src/validation/known-values.ts');
  const names = readFileSync(knownValues, 'utf8').matchAll(/export type (\w+)/gu);
  const words = new Set(text.match(/\w+/gu));
  const used = [...names].map(([, name = '']) => name).filter((name) => words.has(name));
  return `import type { ${used.join(', ')} } from '../validation/known-values.ts';\n\n${text}\n`;
}
