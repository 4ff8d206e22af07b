import { validateSync } from 'class-validator';
import * as dto from '../dto.ts';
import type { DtoClass } from '../validation/decorators.ts';

/** Returns whether class-validator accepts the value. */
export function classVerdict(name: string, value: object): boolean {
  return validateSync(createInstance(name, value), { forbidUnknownValues: true }).length === 0;
}

/** Converts the texts of a query as the DTO class does. Returns any other value unchanged. */
export function convertTexts(name: string, value: object): object {
  return name.endsWith('Query') ? { ...createInstance(name, value) } : value;
}

function createInstance(name: string, value: object): object {
  const type = (dto as unknown as Record<string, DtoClass>)[`${name}Dto`];
  if (type === undefined) {
    throw new Error(`unknown class ${name}Dto`);
  }
  return dto.toInstance(type, value);
}
