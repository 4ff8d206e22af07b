import { listFields, type FieldType } from './documented-fields.testing.ts';

const VALID: Readonly<Record<string, unknown>> = {
  string: 'text',
  uuid: '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10',
  date: '2024-02-29',
  'date-time': '2024-05-01T08:30:00+02:00',
  'query-date': '2024-05-01',
  'time-zone-id': 'Europe/Berlin',
  'phone-number': '+14155550123',
  'actor-id': 'Ab1Ab1Ab1Ab1',
  'log-id': '0123456789ab',
  'record-id': '0123456789abcdef0123456789ABCDEF',
  'operation-name': 'resolveUser',
  'reason-text': 'Unconscious at the front desk',
  'note-text': '',
  'one-line': 'Front desk 2',
  pin: '290517',
  'enrolment-code': 'K7QM-4XR2TD',
  'search-text': 'García',
  strings: ['text', ''],
  number: 1.5,
  integer: 400,
  count: 20,
  boolean: true,
  object: { anything: ['goes'] },
};

/** Returns a valid value of a type. An entity has all of its fields. */
export function validValue(type: FieldType): unknown {
  if (typeof type === 'string') {
    return type === 'groups' ? { oura: [validEntity('MindfulnessMinutesGroup')] } : VALID[type];
  }
  if ('oneOf' in type) {
    return type.oneOf[0];
  }
  return 'entity' in type ? validEntity(type.entity) : [validEntity(type.listOf)];
}

export function validEntity(name: string): Record<string, unknown> {
  return Object.fromEntries(listFields(name).map(([field, { type }]) => [field, validValue(type)]));
}

const NOT_TEXT = [5, true, {}, ['text']];
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  string: NOT_TEXT,
  uuid: [
    ...NOT_TEXT,
    '',
    'text',
    '3f2c8a521b7e4c1d9a645d0e8f7b2a10',
    '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a1g',
  ],
  date: [...NOT_TEXT, '', '2023-02-30', '2023-02-29', '24-05-01', '2024-05-01T00:00:00Z'],
  'date-time': [...NOT_TEXT, '', '2024-05-01', '2024-05-01T08:30:00', '2023-02-30T08:30:00Z'],
  'query-date': [...NOT_TEXT, '', '2023-02-30', 'tomorrow', '2024-05-01T08:30:00 02:00'],
  'time-zone-id': [...NOT_TEXT, '', 'Europe/Atlantis', '+02:00', 'CEST'],
  'phone-number': [...NOT_TEXT, '', '0415 555 0123', '+1'],
  'actor-id': [
    ...NOT_TEXT,
    '',
    'Ab1Ab1Ab1Ab',
    'Ab1Ab1Ab1Ab1A',
    'Ab1Ab1Ab1Ab-',
    'Ab1Ab1Ab1Ab1\n',
    '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a1',
  ],
  'log-id': [...NOT_TEXT, '', '0123456789a', '0123456789AB', '0123456789abc', '0123456789ag'],
  'record-id': [...NOT_TEXT, '', '0'.repeat(31), '0'.repeat(33), 'g'.repeat(32)],
  'operation-name': [...NOT_TEXT, '', 'a'.repeat(41), 'resolve_user', 'a b'],
  'reason-text': [
    ...NOT_TEXT,
    '',
    'x'.repeat(19),
    '😀'.repeat(40),
    // Combining marks without letters, and letters that are invisible.
    '\u0301'.repeat(40),
    '\u115f\u1160\u3164\uffa0'.repeat(10),
    `${'x'.repeat(19)}${' .\u200b\u00ad'.repeat(10)}`,
    ` ${'x'.repeat(19)} `,
    'x'.repeat(2001),
    `${'x'.repeat(20)}\0`,
  ],
  'one-line': [...NOT_TEXT, '', ' ', 'a\nb', 'a\0', 'x'.repeat(101)],
  pin: [...NOT_TEXT, '', '12345', '1234567890123', '12345a', '１２３４５６', '123456\n'],
  'enrolment-code': [...NOT_TEXT, '', 'K7QM4XR2T', 'K7QM-4XR2TDX', 'K7QM_4XR2TD', 'K7Q-M4XR2TD'],
  'search-text': [...NOT_TEXT, '', 'x'.repeat(201), '😀'.repeat(201), 'a\0b'],
  'note-text': [...NOT_TEXT, 'x'.repeat(2001), '\0'],
  strings: ['text', 5, {}, [5], [null], [['text']]],
  number: ['5', true, {}, [5]],
  integer: ['5', 1.5, true, {}, [5]],
  count: ['5', 1.5, true, {}, [5], 0, -1],
  boolean: ['true', 1, {}, [true]],
  object: ['text', 5, true, []],
  groups: ['text', 5, [], { oura: {} }, { oura: [5] }, { oura: null }, { oura: [{}] }],
};

/** Returns invalid values of a type. Null is not one of them, since it depends on the field. */
export function wrongValues(type: FieldType): readonly unknown[] {
  if (typeof type === 'string') {
    return WRONG[type] ?? [];
  }
  if ('oneOf' in type) {
    return [...NOT_TEXT, 'another text', ''];
  }
  return 'entity' in type
    ? ['text', 5, true, [], [validEntity(type.entity)]]
    : ['text', 5, true, {}, validEntity(type.listOf), [null], ['text'], [[]]];
}
