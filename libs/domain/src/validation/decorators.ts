import 'reflect-metadata';
import { Transform, Type, plainToInstance } from 'class-transformer';
import {
  getMetadataStorage,
  IsArray,
  IsObject,
  registerDecorator,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { FORMAT_CHECKS, FORMAT_MESSAGES, type FormatName } from './format-checks.ts';
import { isRecord } from './json-schema.ts';

/** Names of the custom checks in class-validator's metadata, which the schema generator reads. */
export const HAS_FORMAT = 'hasFormat';
export const IS_OPEN_ENUM = 'isOpenEnum';
export const IS_ONE_OF = 'isOneOf';
export const IS_LIST_OF_OBJECTS = 'isListOfObjects';
export const IS_RECORD_OF_LISTS = 'isRecordOfLists';
export const CLOSED = 'closed';

/** Name of the property that holds the check of a closed class. No field has this name. */
export const OTHER_FIELDS = '(other fields)';

/** Checks that a string has one of the interface's formats. */
export function HasFormat(format: FormatName): PropertyDecorator {
  return check(HAS_FORMAT, [format], `$property ${FORMAT_MESSAGES[format]}`, (value) => {
    return typeof value === 'string' && FORMAT_CHECKS[format](value);
  });
}

/**
 * Checks that a value is a string. The known values are only documented (extensible enum): other values are accepted
 * and kept.
 */
export function IsOpenEnum(
  knownValues: Readonly<Record<string, string>> | readonly string[],
): PropertyDecorator {
  const values = Object.values(knownValues);
  return check(IS_OPEN_ENUM, [values], '$property must be a string', (value) => {
    return typeof value === 'string';
  });
}

/** Checks that a value is one of these strings. */
export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return check(IS_ONE_OF, [values], `$property must be one of ${values.join(', ')}`, (value) => {
    return typeof value === 'string' && values.includes(value);
  });
}

/** Allows that the field is missing, but not that it is null. */
export function MayBeMissing(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/**
 * Converts an integer in a query, which arrives as text. Any other text stays as it is and is refused by the
 * validators.
 */
export function ToInteger(): PropertyDecorator {
  return convertText((text) => (/^-?\d{1,15}$/u.test(text) ? Number(text) : text));
}

/**
 * Converts `true` or `false` in a query, which arrives as text. Any other text stays as it is and is refused by the
 * validators.
 */
export function ToBoolean(): PropertyDecorator {
  return convertText((text) => (text === 'true' || text === 'false' ? text === 'true' : text));
}

/** Converts a query parameter that may be repeated: one value arrives as text, several as a list. */
export function ToList(): PropertyDecorator {
  return convertText((text) => [text]);
}

/** Reads the original value, since class-transformer's implicit conversion turns `false` into true and an empty text into 0. */
function convertText(convert: (text: string) => unknown): PropertyDecorator {
  return Transform(
    ({ obj, key }: { obj: Readonly<Record<string, unknown>>; key: string }) => {
      const value = obj[key];
      return typeof value === 'string' ? convert(value) : value;
    },
    { toClassOnly: true },
  );
}

/** Validates a nested entity. class-validator alone would also accept a list. */
export function IsEntity(type: () => DtoClass): PropertyDecorator {
  return (target, key) => {
    IsObject()(target, key);
    ValidateNested()(target, key);
    Type(type)(target, key);
  };
}

/** Validates a list of nested entities. class-validator alone would also accept nulls and lists in it. */
export function IsListOf(type: () => DtoClass): PropertyDecorator {
  return (target, key) => {
    IsArray()(target, key);
    check(IS_LIST_OF_OBJECTS, [type], '$property must contain objects only', (value) => {
      return Array.isArray(value) && value.every(isRecord);
    })(target, key);
    ValidateNested({ each: true })(target, key);
    Type(type)(target, key);
  };
}

/** Validates a map from any name to a list of nested entities, which class-validator doesn't support. */
export function IsRecordOfListsOf(type: () => DtoClass): PropertyDecorator {
  const isValidItem = (item: unknown): boolean =>
    isRecord(item) && validateSync(toInstance(type(), item)).length === 0;
  return (target, key) => {
    check(IS_RECORD_OF_LISTS, [type], '$property must be an object of arrays', (value) => {
      const lists = isRecord(value) ? Object.values(value) : [undefined];
      return lists.every((list) => Array.isArray(list) && list.every(isValidItem));
    })(target, key);
    Transform(({ value }: { value: unknown }) => mapLists(type(), value), { toClassOnly: true })(
      target,
      key,
    );
  };
}

/** Rejects undeclared fields. class-validator's whitelist would also apply to nested entities. */
export function Closed(): ClassDecorator {
  return (target) => {
    registerDecorator({
      name: CLOSED,
      target,
      propertyName: OTHER_FIELDS,
      options: { message: 'unknown fields are not allowed' },
      validator: {
        validate: (_value, args) =>
          Object.keys(args?.object ?? {}).every((name) => getDeclaredFields(target).has(name)),
      },
    });
  };
}

function getDeclaredFields(target: NewableFunction | { readonly name: string }): Set<string> {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(
    target as NewableFunction,
    '',
    true,
    false,
  );
  const names = metadata.map(({ propertyName }) => propertyName);
  return new Set(names.filter((name) => name !== OTHER_FIELDS));
}

function mapLists(type: DtoClass, value: unknown): unknown {
  if (!isRecord(value)) {
    return value;
  }
  const lists = Object.entries(value).map(([name, list]): [string, unknown] => [
    name,
    Array.isArray(list)
      ? list.map((item: unknown) => (isRecord(item) ? toInstance(type, item) : item))
      : list,
  ]);
  return Object.fromEntries(lists);
}

function check(
  name: string,
  constraints: unknown[],
  message: string,
  validate: (value: unknown) => boolean,
): PropertyDecorator {
  return (target, propertyName) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(propertyName),
      constraints,
      options: { message },
      validator: { validate },
    });
  };
}

/** A DTO class. It is constructed without arguments, and its fields are set afterwards. */
export type DtoClass<T extends object = object> = new () => T;

/**
 * Converts a plain value to an instance of a DTO class, including nested entities. Undeclared fields are kept.
 * Nothing is validated: validate the value first, or pass the instance to class-validator.
 */
export function toInstance<T extends object>(type: DtoClass<T>, plain: unknown): T {
  return plainToInstance(type, plain);
}
