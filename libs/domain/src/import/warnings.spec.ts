import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { validEntity } from '../testing/field-values.testing.ts';
import { validateImportEnvelope } from '../validate.ts';
import { detectPersonalIdentifier, type ImportEnvelope, listWarnings } from './warnings.ts';

const ids = {
  team_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
};

describe('looksLikePersonalIdentifier', () => {
  it.each<[string | undefined, string[]]>([
    ['email', ['ada@example.org', ' ada.l+1@mail.example.org ']],
    ['phone', ['+14155550123', '(415) 555-0123', '0049 30 901820']],
    [undefined, ['patient-0017', '00017', '4155550123', '2024-05-01', 'a@b', '']],
  ])('sees %s', (kind, ids) => {
    expect(ids.map(detectPersonalIdentifier)).toEqual(ids.map(() => kind));
  });

  it('never flags a UUID', () => {
    fc.assert(fc.property(fc.uuid(), (id) => detectPersonalIdentifier(id) === undefined));
  });
});

describe('listWarnings', () => {
  const user = (client_user_id: string): ImportEnvelope =>
    ({ kind: 'user', user: { ...validEntity('User'), client_user_id } }) as ImportEnvelope;

  it('names the field and not the value', () => {
    const warnings = listWarnings(user('ada@example.org'));
    expect(warnings).toEqual([
      {
        path: ['user', 'client_user_id'],
        message: 'looks like an e-mail address; it must not contain personal data',
      },
    ]);
    expect(listWarnings(user('patient-17'))).toEqual([]);
  });

  it('points at each wrong LOINC code and at a date of birth in another form', () => {
    const result = {
      metadata: { dob: '1990-05-01' },
      results: [
        { name: 'TSH', slug: 'tsh', result: '1', loinc: '3016-3' },
        { name: 'TSH', slug: 'tsh', result: '1', loinc: '3016-4' },
      ],
      missing_results: [{ name: 'Glucose', slug: 'glucose', loinc: 'nonsense' }],
    };
    const envelope = {
      kind: 'lab_result',
      ...ids,
      order_id: ids.user_id,
      result,
    } as ImportEnvelope;
    expect(validateImportEnvelope(envelope).ok).toBe(true);
    expect(listWarnings(envelope).map(({ path }) => path.join('.'))).toEqual([
      'result.metadata.dob',
      'result.results.1.loinc',
      'result.missing_results.0.loinc',
    ]);
  });
});

describe('validateImportEnvelope', () => {
  const oneOf =
    'must be "user", "user_info", "order", "lab_result", "insurance" or "mindfulness_minutes"';
  it.each<readonly [unknown, readonly string[], string]>([
    [null, [], 'must be an object'],
    [{}, ['kind'], 'is required'],
    ...['report', 'toString'].map((kind) => [{ kind }, ['kind'], oneOf] as const),
  ])('refuses %j', (value, path, message) => {
    expect(validateImportEnvelope(value)).toEqual({ ok: false, issues: [{ path, message }] });
  });

  it('reads each kind as its own entity', () => {
    const lines: object[] = [
      { kind: 'user', user: validEntity('User') },
      { kind: 'lab_result', ...ids, order_id: ids.user_id, result: validEntity('LabOrderResult') },
      {
        kind: 'insurance',
        ...ids,
        recorded_at: '2024-05-01T08:30:00Z',
        insurance: validEntity('Insurance'),
      },
      {
        kind: 'mindfulness_minutes',
        ...ids,
        source: validEntity('TimeseriesSource'),
        data: [validEntity('MindfulnessMinutesPoint')],
      },
    ];
    for (const line of lines) {
      expect(validateImportEnvelope(line)).toEqual({ ok: true, value: line });
      expect(validateImportEnvelope({ ...line, extra: 1 })).toEqual({
        ok: false,
        issues: [{ path: ['extra'], message: 'is not a known field' }],
      });
    }
    const point = { ...validEntity('MindfulnessMinutesPoint'), end: 'soon' };
    const verdict = validateImportEnvelope({ ...lines[3], data: [point] });
    expect(verdict.ok ? [] : verdict.issues.map(({ path }) => path)).toEqual([['data', 0, 'end']]);
  });
});
