import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { OPERATION_NAMES } from '../../operations/operations.ts';
import { findProblems } from './balp.testing.ts';
import { toFhirEvents } from './fhir-event.ts';
import type { AuditEvent } from 'fhir/r4.js';
import { recordBody, userIds } from '../records.testing.ts';
import type { AuditRecord } from '../audit-record.ts';

const balp = 'https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit.';
const [amelia, bruno] = userIds as [string, string];

const eventsOf = (changes: Partial<AuditRecord>): AuditEvent[] => [
  ...toFhirEvents(recordBody(changes)),
];
const profilesOf = (events: AuditEvent[]): unknown[] => events.map(({ meta }) => meta?.profile);
const agentCodes = (event?: AuditEvent): (string | undefined)[] | undefined =>
  event?.agent.map(({ type }) => type?.coding?.[0]?.code);

const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);
/** Records with values of the service, and with unknown ones. */
const anyRecord = fc
  .record({
    actor_type: oneOf('key', 'staff', 'system', 'anonymous'),
    actor_id: orNull(fc.uuid()),
    role: orNull(oneOf('clinician', 'auditor')),
    key_id: orNull(oneOf('AbCdEf012345')),
    operation: oneOf(...OPERATION_NAMES, 'exportAudit', 'breakGlassMany', 'noSuchRoute'),
    data_category: orNull(oneOf('user', 'audit')),
    decision: oneOf('allowed', 'denied', 'not_found', 'invalid', 'failed'),
    reason_code: orNull(oneOf('role', 'absent')),
    purpose_of_use: orNull(oneOf('BTG', 'TREAT')),
    break_glass_id: orNull(fc.uuid()),
    order_id: orNull(fc.uuid()),
    request_id: orNull(fc.uuid()),
    client_ip: orNull(fc.ipV4()),
    recorded_at_us: fc.integer({ min: 0, max: 4e12 }).map((ms) => ms * 1000),
    details: fc.dictionary(
      oneOf('asked_user_id', 'start_date', 'provider', 'limit', 'client_prefix'),
      fc.oneof(fc.uuid(), fc.nat(), fc.constant('')),
    ),
    patients: fc.uniqueArray(fc.uuid(), { maxLength: 3 }),
  } satisfies { [Name in keyof AuditRecord]?: fc.Arbitrary<AuditRecord[Name]> })
  .map(recordBody);

describe('the FHIR export', () => {
  it('conforms to R4 and to the profile that it claims, for whatever record', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        for (const event of toFhirEvents(record)) {
          expect(findProblems(event)).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('puts the client of a read at 110152 and the server at 110153', () => {
    const events = eventsOf({ operation: 'labOrderResult', order_id: bruno });
    expect(profilesOf(events)).toEqual([[`${balp}PatientRead`]]);
    expect(agentCodes(events[0])).toEqual(['110152', '110153']);
    expect(events[0]).toMatchObject({
      type: { code: 'rest' },
      subtype: [{ code: 'read' }, { code: 'labOrderResult' }],
      action: 'R',
      outcome: '0',
      recorded: '2026-03-01T09:30:00.000Z',
      agent: [
        { who: { identifier: { value: 'AbCdEf012345' } }, network: { address: '192.0.2.7' } },
        { who: { identifier: { value: 'health.example.org' } }, requestor: false },
      ],
      entity: [
        { what: { type: 'Patient', identifier: { value: `urn:uuid:${amelia}` } } },
        { what: { type: 'DiagnosticReport', identifier: { value: `urn:uuid:${bruno}` } } },
        { type: { code: 'XrequestId' } },
      ],
    });
  });

  it('puts the client of a search at 110153 and the server at 110152, an event for each patient', () => {
    const details = { offset: '0', limit: '2' };
    const events = eventsOf({ operation: 'listUsers', patients: [amelia, bruno], details });
    expect(profilesOf(events)).toEqual([[`${balp}PatientQuery`], [`${balp}PatientQuery`]]);
    expect(events.map(agentCodes)).toEqual([
      ['110153', '110152'],
      ['110153', '110152'],
    ]);
    expect(events.map(({ id }) => id)).toEqual(['0a1b2c3d4e5f-7-0', '0a1b2c3d4e5f-7-1']);
    expect(events.map(({ entity }) => entity?.[0]?.what?.identifier?.value)).toEqual([
      `urn:uuid:${amelia}`,
      `urn:uuid:${bruno}`,
    ]);
    const query = Buffer.from(events[0]?.entity?.[1]?.query ?? '', 'base64').toString();
    expect(query).toBe('GET /v2/user?offset=0&limit=2');
  });

  it('names who was asked for where nothing was found', () => {
    const details = { asked_user_id: amelia, start_date: '2026-01-01' };
    const events = eventsOf({ operation: 'mindfulnessMinutes', patients: [], details });
    expect(profilesOf(events)).toEqual([[`${balp}PatientQuery`]]);
    expect(profilesOf(eventsOf({ operation: 'listUsers', patients: [] }))).toEqual([
      [`${balp}Query`],
    ]);
  });

  it.each([
    ['denied', '4'],
    ['not_found', '4'],
    ['invalid', '4'],
    ['failed', '8'],
  ] as const)('says how a read was %s, and claims no profile', (decision, outcome) => {
    const [event] = eventsOf({ decision, reason_code: 'role', patients: [] });
    expect(event).toMatchObject({ outcome, outcomeDesc: 'role', subtype: [{ code: 'read' }, {}] });
    expect(event).not.toHaveProperty('meta');
  });

  it('shows a person beside the program, who then is the one that asked', () => {
    const [event] = eventsOf({ actor_type: 'staff', actor_id: 'dr-okafor' });
    expect(event?.agent.map(({ requestor }) => requestor)).toEqual([false, false, true]);
    expect(event?.agent[2]?.who).toEqual({ identifier: { value: 'dr-okafor' } });
  });
});
