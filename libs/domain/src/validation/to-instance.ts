import { plainToInstance } from 'class-transformer';

/** A DTO class: made without arguments, its fields set afterwards. */
export type DtoClass<T extends object = object> = new () => T;

/**
 * A plain value as an instance of a DTO class, with the entities inside it as instances of theirs; fields that the
 * class does not declare are kept. Nothing is checked: validate before, or hand the instance to class-validator.
 */
export function toInstance<T extends object>(type: DtoClass<T>, plain: unknown): T {
  return plainToInstance(type, plain);
}
