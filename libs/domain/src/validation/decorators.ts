import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import {
  getMetadataStorage,
  IsArray,
  IsObject,
  registerDecorator,
  ValidateNested,
  validateSync,
} from 'class-validator';
import {
  isCalendarDate,
  isDateTime,
  isPhoneNumber,
  isQueryDate,
  isTimeZoneId,
  isUuid,
} from './formats.ts';
import { FORMAT_MESSAGES, type FormatName } from './messages.ts';
import { type DtoClass, isRecord, nestedIn, toInstance } from './to-instance.ts';

/** The check behind each named format; the compiled validators are wired to the same functions. */
const CHECKS: Record<FormatName, (text: string) => boolean> = {
  uuid: isUuid,
  'date-time': isDateTime,
  date: isCalendarDate,
  'time-zone-id': isTimeZoneId,
  'phone-number': isPhoneNumber,
  'query-date': isQueryDate,
};

/** A text in one of the formats of the interface. */
export function HasFormat(format: FormatName): PropertyDecorator {
  return (target, propertyName) => {
    registerDecorator({
      name: 'hasFormat',
      target: target.constructor,
      propertyName: String(propertyName),
      constraints: [format],
      options: { message: `$property ${FORMAT_MESSAGES[format]}` },
      validator: { validate: (value) => typeof value === 'string' && CHECKS[format](value) },
    });
  };
}

/** One nested entity. class-validator alone would let a list of them pass as one. */
export function IsEntity(type: () => DtoClass): PropertyDecorator {
  return (target, key) => {
    IsObject()(target, key);
    ValidateNested()(target, key);
    Type(type)(target, key);
    nestedIn(target.constructor).set(String(key), { kind: 'one', type });
  };
}

/** A list of nested entities. class-validator alone would let nulls and lists inside it pass. */
export function IsListOf(type: () => DtoClass): PropertyDecorator {
  return (target, key) => {
    IsArray()(target, key);
    registerDecorator({
      name: 'isListOfObjects',
      target: target.constructor,
      propertyName: String(key),
      options: { message: '$property must hold objects only' },
      validator: { validate: (value) => Array.isArray(value) && value.every(isRecord) },
    });
    ValidateNested({ each: true })(target, key);
    Type(type)(target, key);
    nestedIn(target.constructor).set(String(key), { kind: 'list', type });
  };
}

/** A map from any name to a list of nested entities, which class-validator has no word for. */
export function IsRecordOfListsOf(type: () => DtoClass): PropertyDecorator {
  return (target, key) => {
    const holds = (item: unknown): boolean =>
      isRecord(item) && validateSync(toInstance(type(), item)).length === 0;
    registerDecorator({
      name: 'isRecordOfLists',
      target: target.constructor,
      propertyName: String(key),
      constraints: [type],
      options: { message: '$property must be an object of lists' },
      validator: {
        validate: (value) =>
          isRecord(value) &&
          Object.values(value).every((list) => Array.isArray(list) && list.every(holds)),
      },
    });
    const nested = { kind: 'record', type } as const;
    nestedIn(target.constructor).set(String(key), nested);
    Transform(({ value }: { value: unknown }) => toInstance.record(type(), value), {
      toClassOnly: true,
    })(target, key);
  };
}

/** The property under which a closed class keeps its check; it is never a field. */
export const CLOSED = '(other fields)';

/** No field beside the declared ones. class-validator's whitelist would close everything inside as well. */
export function Closed(): ClassDecorator {
  return (target) => {
    registerDecorator({
      name: 'closed',
      target,
      propertyName: CLOSED,
      options: { message: 'no other fields are accepted' },
      validator: {
        validate: (_value, args) => {
          const known = new Set(
            getMetadataStorage()
              .getTargetValidationMetadatas(target, '', true, false)
              .map((metadata) => metadata.propertyName),
          );
          return Object.keys(args?.object ?? {}).every((name) => name !== CLOSED && known.has(name));
        },
      },
    });
  };
}
