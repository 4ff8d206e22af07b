import type { AuditEvent, AuditEventAgent, AuditEventEntity, Coding } from 'fhir/r4.js';

// Written from the specifications alone, without looking at the code under test: FHIR R4 AuditEvent, and the profiles
// Read, PatientRead, Query and PatientQuery of IHE BALP 1.1.

const balp = 'https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit.';
const DCM = 'http://dicom.nema.org/resources/ontology/DCM';
const entityType = 'http://terminology.hl7.org/CodeSystem/audit-entity-type';
const objectRole = 'http://terminology.hl7.org/CodeSystem/object-role';

/** Returns how an event violates R4 or the profile that it claims; empty if it conforms. */
export function findProblems(event: AuditEvent): string[] {
  const problems = [...emptyParts(event, 'AuditEvent'), ...baseProblems(event)];
  const profiles = event.meta?.profile ?? [];
  if (profiles.length > 1) {
    problems.push('more than one profile');
  }
  for (const profile of profiles) {
    const name = profile.replace(balp, '');
    if (name === 'Read' || name === 'PatientRead') {
      problems.push(...readProblems(event, name === 'PatientRead'));
    } else if (name === 'Query' || name === 'PatientQuery') {
      problems.push(...queryProblems(event, name === 'PatientQuery'));
    } else {
      problems.push(`unknown profile ${profile}`);
    }
  }
  return problems;
}

/** JSON of FHIR has no null, and no empty text, array or object (https://hl7.org/fhir/R4/json.html). */
function emptyParts(value: unknown, path: string): string[] {
  if (value === null || value === undefined) {
    return [`${path} is nothing`];
  }
  if (typeof value === 'string') {
    return value.trim() === '' ? [`${path} is empty`] : [];
  }
  if (typeof value !== 'object') {
    return [];
  }
  const members = Object.entries(value);
  return members.length === 0
    ? [`${path} is empty`]
    : members.flatMap(([name, member]) => emptyParts(member, `${path}.${name}`));
}

function baseProblems(event: AuditEvent): string[] {
  const problems = check({
    'id has the form of one': /^[A-Za-z0-9\-.]{1,64}$/u.test(event.id ?? ''),
    'type has a code and a system': hasCode(event.type),
    'recorded is an instant':
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u.test(event.recorded) &&
      !Number.isNaN(Date.parse(event.recorded)),
    'action is one': event.action === undefined || 'CRUDE'.includes(event.action),
    'outcome is one': event.outcome === undefined || ['0', '4', '8', '12'].includes(event.outcome),
    'there is an agent': event.agent.length > 0,
    'each agent says whether it asked': event.agent.every(
      ({ requestor }) => typeof requestor === 'boolean',
    ),
    'one agent asked': event.agent.filter(({ requestor }) => requestor).length === 1,
    'networks have a type of their value set': event.agent.every(
      ({ network }) =>
        network === undefined || ['1', '2', '3', '4', '5'].includes(network.type ?? ''),
    ),
    'policies are URIs': event.agent.every(({ policy }) =>
      (policy ?? []).every((uri) => URL.canParse(uri)),
    ),
    'the source has an observer': Object.keys(event.source.observer).length > 0,
    // sev-1: an entity has either a name or a query. Our entities have no names.
    'queries are base64': (event.entity ?? []).every(({ query }) =>
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u.test(query ?? ''),
    ),
    'details have a type and a value': (event.entity ?? []).every(({ detail }) =>
      (detail ?? []).every(({ type, valueString }) => type !== '' && valueString !== ''),
    ),
  });
  return problems;
}

function readProblems(event: AuditEvent, ofPatient: boolean): string[] {
  const entities = event.entity ?? [];
  const data = entities.filter(({ type }) => is(type, entityType, '2'));
  return check({
    ...restRules(event, ['read', 'vread']),
    'Read: action is R': event.action === 'R',
    ...agents(event, { client: '110152', server: '110153' }),
    ...transaction(entities),
    'Read: one entity is the data': data.length === 1,
    'Read: the data says what': data[0]?.what !== undefined,
    'Read: the data plays a role of RestObjectRoles': ['4', '3', '20'].some((code) =>
      is(data[0]?.role, objectRole, code),
    ),
    ...(ofPatient && { 'PatientRead: two entities at least': entities.length >= 2 }),
    ...(ofPatient && patient(entities)),
  });
}

function queryProblems(event: AuditEvent, ofPatient: boolean): string[] {
  const entities = event.entity ?? [];
  const query = entities.filter(({ type }) => is(type, entityType, '2'));
  return check({
    ...restRules(event, ['search', 'search-type', 'search-system']),
    'Query: action is E': event.action === 'E',
    ...agents(event, { client: '110153', server: '110152' }),
    ...transaction(entities),
    'Query: one entity is the query': query.length === 1,
    'Query: it has the role Query': is(query[0]?.role, objectRole, '24'),
    'Query: it has the query': (query[0]?.query ?? '') !== '',
    'Query: it has no what and no detail':
      query[0]?.what === undefined && query[0]?.detail === undefined,
    ...(ofPatient && patient(entities)),
  });
}

function restRules(event: AuditEvent, interactions: readonly string[]): Record<string, boolean> {
  return {
    'type is rest': is(
      event.type,
      'http://terminology.hl7.org/CodeSystem/audit-event-type',
      'rest',
    ),
    'a subtype is the interaction':
      event.subtype?.some((subtype) =>
        interactions.some((code) => is(subtype, 'http://hl7.org/fhir/restful-interaction', code)),
      ) ?? false,
    // Failures follow the pattern, but claim no profile.
    'outcome is success': event.outcome === '0',
  };
}

function agents(
  event: AuditEvent,
  codes: { readonly client: string; readonly server: string },
): Record<string, boolean> {
  const having = (system: string, code: string): AuditEventAgent[] =>
    event.agent.filter(
      ({ type }) => type?.coding?.some((coding) => is(coding, system, code)) ?? false,
    );
  const [clients, servers] = [having(DCM, codes.client), having(DCM, codes.server)];
  const users = having('http://terminology.hl7.org/CodeSystem/v3-ParticipationType', 'IRCP');
  return {
    'one agent is the client': clients.length === 1,
    'one agent is the server': servers.length === 1,
    'at most one agent is the user': users.length <= 1,
    'client and server say who and over what network': [...clients, ...servers].every(
      ({ who, network }) => who !== undefined && network?.address !== undefined,
    ),
    'the user says who, asked, and is on no network': users.every(
      ({ who, requestor, network }) => who !== undefined && requestor && network === undefined,
    ),
  };
}

function transaction(entities: readonly AuditEventEntity[]): Record<string, boolean> {
  const system = 'https://profiles.ihe.net/ITI/BALP/CodeSystem/BasicAuditEntityType';
  const found = entities.filter(({ type }) => is(type, system, 'XrequestId'));
  return {
    'at most one entity is the transaction': found.length <= 1,
    'the transaction has its id': found.every(({ what }) => what?.identifier?.value !== undefined),
  };
}

function patient(entities: readonly AuditEventEntity[]): Record<string, boolean> {
  const found = entities.filter(({ type }) => is(type, entityType, '1'));
  return {
    'one entity is the patient': found.length === 1,
    'it has the role Patient': is(found[0]?.role, objectRole, '1'),
    'it refers to a Patient': found[0]?.what?.type === 'Patient',
  };
}

function is(coding: Coding | undefined, system: string, code: string): boolean {
  return coding?.system === system && coding.code === code;
}

function hasCode({ system, code }: Coding): boolean {
  return system !== undefined && code !== undefined;
}

function check(rules: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([rule]) => rule);
}
