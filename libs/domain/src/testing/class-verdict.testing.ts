import { validateSync } from 'class-validator';
import * as dto from '../dto.ts';
import type { DtoClass } from '../validation/decorators.ts';

/** Whether class-validator accepts the value. */
export function classVerdict(name: string, value: object): boolean {
  const type = (dto as unknown as Record<string, DtoClass>)[`${name}Dto`];
  if (type === undefined) {
    throw new Error(`unknown class ${name}Dto`);
  }
  return validateSync(dto.toInstance(type, value), { forbidUnknownValues: true }).length === 0;
}
