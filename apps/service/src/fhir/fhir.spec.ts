import { describe, expect, it, jest } from '@jest/globals';
import type { DatedRecords } from '@caregate/data-store';
import type { ImportEnvelope } from '@caregate/domain';
import {
  otherTeamId,
  personas,
  listPersonas,
  sampleEnvelopes,
  sampleTeamId,
} from '@caregate/sample-data';
import type { Bundle, CapabilityStatement, OperationOutcome, Patient } from 'fhir/r4.js';
import { bodyAt } from '../audit/records.testing.ts';
import type { Scope } from '../operations/operations.ts';
import { importEnvelopes, openStoreForWriting, ImportWriter } from '@caregate/data-store';
import { type Answer, startSpecService } from '../testing/service.testing.ts';

const { amara } = personas;
const theirs = listPersonas({ teamId: otherTeamId }).amara;
const nobody = '00000000-0000-4000-8000-000000000000';
/** Only the first one has more points than a page. */
const sample = [
  ...sampleEnvelopes({ users: 1, mindfulnessDays: 20 }),
  ...sampleEnvelopes({ users: 29, first: 1, mindfulnessDays: 1 }),
];
const namesakes = sample.filter((one) => one.kind === 'user_info').slice(-9);
const envelopes: readonly ImportEnvelope[] = [
  ...sample,
  ...namesakes.map((one) => ({
    ...one,
    recorded_at: '2026-01-01T00:00:00Z',
    info: { ...one.info, first_name: 'Zzanna', dob: '1970-01-01' },
  })),
  ...sampleEnvelopes({ users: 3, teamId: otherTeamId }),
];
const order = amara.orderIds[0] ?? '';
const root = '/fhir/r4';
const form = 'application/x-www-form-urlencoded';

const service = await startSpecService(envelopes);
const clinician = await service.key(sampleTeamId);
const frontDesk = await service.key(sampleTeamId, 'front_desk');

describe('FHIR R4', () => {
  const program = async (...scopes: readonly Scope[]): Promise<string> => {
    const of = { teamId: sampleTeamId, role: 'integration', label: scopes.join(' ') } as const;
    return (await service.access.keys.create({ ...of, scopes })).key;
  };
  const ask = (path: string, key = clinician, headers = {}): Promise<Answer> =>
    service.get(root + path, undefined, { authorization: `Bearer ${key}`, ...headers });
  const post = async (path: string, body: string, type = form, key = clinician) =>
    await fetch(`http://127.0.0.1:${service.port}${path}`, {
      ...{ method: 'POST', body },
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
    });
  const imported = async (more: readonly ImportEnvelope[]): Promise<void> => {
    const writer = new ImportWriter(await openStoreForWriting({ dataDir: service.folder }));
    await importEnvelopes(writer, 'more', more);
    await writer.close();
  };
  const search = async (path: string, key = clinician): Promise<Bundle> => {
    const answer = await ask(path, key);
    const type = 'application/fhir+json; charset=utf-8';
    expect([path, answer.status, answer.headers['content-type']]).toEqual([path, 200, type]);
    return answer.json() as Bundle;
  };
  const idsOf = ({ entry = [] }: Bundle): string[] =>
    entry.map(({ resource }) => resource?.id ?? '');
  const linkOf = ({ link = [] }: Bundle, relation: string): string | undefined =>
    link.find((one) => one.relation === relation)?.url.replace(/^.*\/fhir\/r4/u, '');
  const idsFrom = async (first: string | undefined, most: number): Promise<string[]> => {
    const all: string[] = [];
    for (let next = first; next !== undefined && all.length < 1000;) {
      const page = await search(next);
      expect(page.entry?.length ?? 0).toBeLessThanOrEqual(most);
      all.push(...idsOf(page));
      next = linkOf(page, 'next');
    }
    return all;
  };

  it('lists in its metadata, to anyone, what it takes', async () => {
    const answer = await service.get(`${root}/metadata`);
    expect(answer.status).toBe(200);
    const { rest } = answer.json() as CapabilityStatement;
    for (const { type, searchParam = [] } of rest?.[0]?.resource ?? []) {
      for (const { name, type: kind } of searchParam) {
        const value = { date: '2024-01-01', gender: 'female' }[kind === 'date' ? kind : name];
        const of = type === 'Patient' ? '' : `patient=${amara.userId}&`;
        const path = `/${type}?${of}${name}=${value ?? amara.userId}`;
        expect([path, (await ask(path)).status]).toEqual([path, 200]);
      }
    }
  });

  it('reads each resource that a search shows, as the search shows it', async () => {
    const searches = [
      `/Patient?_id=${amara.userId}`,
      ...['Coverage', 'ServiceRequest', 'DiagnosticReport', 'Observation'].map(
        (type) => `/${type}?patient=${amara.userId}&_count=12`,
      ),
      `/Observation?patient=Patient/${amara.userId}&category=activity&_count=3`,
    ];
    for (const path of searches) {
      const { entry = [] } = await search(path);
      expect([path, entry.length > 0]).toEqual([path, true]);
      for (const { resource, fullUrl } of entry) {
        const address = `/${resource?.resourceType ?? ''}/${resource?.id ?? ''}`;
        const answer = await ask(address);
        expect([answer.status, answer.json()]).toEqual([200, resource]);
        expect(fullUrl).toBe(`http://127.0.0.1:${service.port}${root}${address}`);
      }
    }
  });

  const three = [amara, personas.teodoro, personas.wren].map(({ userId }) => userId).join();
  it.each([
    ['Patient', '?', 30],
    ['Patient', '?name=zza&', 9],
    ['Patient', '?name=anna&birthdate=1970-01-01&_lastUpdated=gt2020&', 9],
    ['Patient', `?name=amara&name=okonk&birthdate=${amara.birthDate}&`, 1],
    ['Patient', '?name=amara&birthdate=1970-01-01&', 0],
    ['Patient', `?name=${encodeURIComponent(amara.clientUserId)}&`, 0],
    ['Patient', `?_id=${three}&`, 3],
    ['Patient', '?_lastUpdated=gt2020&', 30],
    ['Patient', '?_lastUpdated=lt2020&', 0],
    ['Observation', `?patient=${amara.userId}&`, 60],
    ['Observation', `?patient=${amara.userId}&category=activity&date=ge2020&`, 8],
    ['Observation', `?patient=${amara.userId}&category=laboratory&status=final&`, 8],
    ['Observation', `?patient=${amara.userId}&category=vital-signs&`, 0],
    ['Observation', `?patient=${amara.userId}&code=http://loinc.org|2345-7,2345-7&`, 1],
    ['Observation', `?patient=${amara.userId}&date=gt2020-01-01&date=lt2020-01-02&`, 0],
    ['DiagnosticReport', `?subject=${amara.userId}&status=final,partial&`, 2],
    ['ServiceRequest', `?subject=${amara.userId}&`, 2],
    ['Coverage', `?beneficiary=${amara.userId}&`, 2],
  ])('shows all of %s%s in pages, each once', async (type, query, least) => {
    const most = least < 7 ? 1 : least < 60 ? 7 : 70;
    const all = await idsFrom(`/${type}${query}_count=${most}`, most);
    const { total, entry } = await search(`/${type}${query}_count=0`);
    expect([new Set(all).size, all.length, entry]).toEqual([total, total, undefined]);
    expect(least === 0 ? all.length === 0 : all.length >= least).toBe(true);
  });

  it.each([
    ['Observation', 'date'],
    ['Observation', '_lastUpdated'],
    ['DiagnosticReport', 'date'],
    ['ServiceRequest', 'authored'],
  ])('sorts all of %s by %s, on pages as at once', async (type, parameter) => {
    const path = `/${type}?patient=${amara.userId}`;
    const dateOf = (resource: unknown): number => {
      const { effectiveDateTime, effectivePeriod, authoredOn, meta } = resource as {
        readonly effectiveDateTime?: string;
        readonly effectivePeriod?: { readonly start: string };
        readonly authoredOn?: string;
        readonly meta: { readonly lastUpdated: string };
      };
      return Date.parse(
        parameter === '_lastUpdated'
          ? meta.lastUpdated
          : (effectiveDateTime ?? effectivePeriod?.start ?? authoredOn ?? ''),
      );
    };
    const any = await idsFrom(`${path}&_count=90`, 90);
    for (const [sign, order] of [
      ['', 1],
      ['-', -1],
    ] as const) {
      const { entry = [] } = await search(`${path}&_sort=${sign}${parameter}&_count=200`);
      const dates = entry.map(({ resource }) => dateOf(resource));
      expect(dates).toEqual(dates.toSorted((one, other) => order * (one - other)));
      const paged = await idsFrom(`${path}&_sort=${sign}${parameter}&_count=70`, 70);
      expect(paged.slice(0, 200)).toEqual(entry.map(({ resource }) => resource?.id));
      expect(paged.toSorted()).toEqual(any.toSorted());
    }
  });

  it('takes a + of a time zone that nobody encoded, in the pages behind it, too', async () => {
    const path = `/Observation?patient=${amara.userId}&_count=70`;
    for (const prefix of ['', 'ge']) {
      const of = (plus: string) => `${path}&date=${prefix}2026-01-01T00:00:00${plus}02:00`;
      const encoded = await idsFrom(of('%2B'), 70);
      expect(await idsFrom(of('+'), 70)).toEqual(encoded);
      expect(await idsFrom(of('%20'), 70)).toEqual(encoded);
    }
    const updated = `/Patient?_lastUpdated=ge2020-01-01T00:00:00.000+02:00&_count=0`;
    expect((await search(updated)).total).toBeGreaterThan(0);
  });

  it('gives 200 where more are asked for, and a next page for its own query alone', async () => {
    const path = `/Observation?patient=${amara.userId}`;
    const page = await search(`${path}&_count=1000`);
    expect(idsOf(page)).toHaveLength(200);
    const cursor = new URLSearchParams(linkOf(page, 'next')?.split('?')[1]).get('_cursor') ?? '';
    const other = `/Observation?patient=${nobody}&_count=1000&_cursor=${cursor}`;
    for (const wrong of [other, `${path}&_cursor=${cursor}`, `${path}&_cursor=x`]) {
      expect((await ask(wrong)).status).toBe(400);
    }
    expect((await ask(linkOf(page, 'next') ?? '', frontDesk)).status).toBe(200);
  });

  it('finds a patient by identifier, and by name from the body of a POST, which no record and no log holds', async () => {
    const one = async (query: string) => idsOf(await search(`/Patient?${query}`));
    const encoded = encodeURIComponent(amara.clientUserId);
    for (const query of [
      `identifier=${encoded}`,
      `identifier=urn:uuid:${sampleTeamId}|${encoded}`,
      `identifier=urn:ietf:rfc:3986|urn:uuid:${amara.userId}`,
      `identifier=${encoded},${nobody}&_lastUpdated=gt2020`,
    ]) {
      expect([query, await one(query)]).toEqual([query, [amara.userId]]);
    }
    for (const query of [
      `identifier=urn:uuid:${otherTeamId}|${encoded}`,
      `identifier=|${encoded}`,
      `identifier=${encoded}&_id=${nobody}`,
      `identifier=${encoded}&_lastUpdated=lt2020`,
    ]) {
      expect([query, await one(query)]).toEqual([query, []]);
    }
    const named = new URLSearchParams({ name: amara.fullName, birthdate: amara.birthDate });
    const answer = await post(`${root}/Patient/_search`, named.toString());
    expect(idsOf((await answer.json()) as Bundle)).toContain(amara.userId);
    const seq = service.readSeq({ headers: Object.fromEntries(answer.headers) });
    const record = bodyAt(service.folder, seq);
    expect(record).toMatchObject({ operation: 'searchPatients', decision: 'allowed' });
    expect(Object.keys(record.details).sort()).toEqual(['birthdate_hmac', 'name_hmac', 'shown']);
    expect(JSON.stringify(record)).not.toContain(amara.birthDate);
    expect(service.log.join('')).not.toContain(amara.birthDate);
    expect((await post('/desk/people/search', named.toString())).status).toBe(415);
    for (const [type, body, status, expected] of [
      [form, 'name=amara', 200, 'total'],
      [`${form}; charset="UTF-8"`, 'name=amara', 200, 'total'],
      [`${form};charset=utf-16le`, 'name=amara', 415, 'unsupported-media-type.*utf-16le'],
      ['application/json', '{}', 415, 'unsupported-media-type'],
      ['application/json', '"name=amara"', 415, 'unsupported-media-type'],
      [form, `_id=${'a,'.repeat(10_000)}`, 400, 'malformed-request.*_id'],
      [form, 'name=amar&'.repeat(5000), 400, 'malformed-request.*query'],
      [form, `name=${'a'.repeat(70_000)}`, 413, 'payload-too-large'],
    ] as const) {
      const found = await post(`${root}/Patient/_search`, body, type);
      const text = await found.text();
      expect([type, body.slice(0, 20), found.status]).toEqual([type, body.slice(0, 20), status]);
      expect(text).toMatch(
        new RegExp(`"${status === 200 ? 'Bundle' : 'OperationOutcome'}".*${expected}`, 'su'),
      );
    }
  });

  it('lets a name be searched by programs with the scope for it, and masks the list as the roles say', async () => {
    const lists = await program('users:list');
    const finds = await program('users:search');
    for (const [key, path, status] of [
      [lists, '/Patient?_count=1', 200],
      [lists, '/Patient?name=amara', 403],
      [finds, '/Patient?name=amara', 200],
      [finds, '/Patient', 403],
      [finds, `/Patient/${amara.userId}`, 403],
      [frontDesk, '/Patient?name=amara', 200],
    ] as const) {
      expect([path, (await ask(path, key)).status]).toEqual([path, status]);
    }
    for (const [query, key] of [
      ...[`_id=${amara.userId}`, 'name=amara', '_count=1', '_lastUpdated=gt2020'].map(
        (each) => [each, frontDesk] as const,
      ),
      // Names and birth dates need another scope.
      ...([
        ['_count=1', lists],
        ['name=amara', finds],
      ] as const),
    ]) {
      const { entry = [] } = await search(`/Patient?${query}`, key);
      for (const { resource } of entry) {
        const { name, telecom, address, birthDate, gender, meta } = resource as Patient;
        expect([telecom, address, birthDate, gender]).toEqual([
          undefined,
          undefined,
          undefined,
          'unknown',
        ]);
        expect(JSON.stringify([name, meta?.tag])).toMatch(/"masked".*"SUBSETTED"/u);
      }
      expect(entry.length).toBeGreaterThan(0);
    }
    expect((await ask(`/Patient/${amara.userId}`, frontDesk)).body).toContain(amara.birthDate);
  });

  it('shows observations as each role may see them', async () => {
    const of = async (key: string, category = ''): Promise<unknown> => {
      const answer = await ask(`/Observation?patient=${amara.userId}&_count=200${category}`, key);
      const found = [...answer.body.matchAll(/"code":"(laboratory|activity)"/gu)];
      return answer.status === 200
        ? [...new Set(found.map(([, code]) => code))].join()
        : answer.status;
    };
    const timeseries = await program('timeseries:read');
    const activity = '&category=activity';
    expect([await of(frontDesk), await of(frontDesk, activity)]).toEqual(['laboratory', 403]);
    expect([await of(timeseries), await of(timeseries, '&category=laboratory')]).toEqual([
      ...['activity', 403],
    ]);
    expect(await of(frontDesk, '&category=laboratory,activity')).toBe(403);
    expect(await of(clinician, activity)).toBe('activity');
  });

  it('opens a report by emergency access to its patient, and no other', async () => {
    const billing = await service.key(sampleTeamId, 'billing');
    const reason = { reason_code: 'other', text: 'The patient is unconscious here.' };
    const body = { ...reason, user_id: amara.userId };
    expect((await service.post('/access/break-glass', billing, body)).status).toBe(201);
    const report = await ask(`/DiagnosticReport/${order}`, billing);
    expect([report.status, typeof report.headers['x-break-glass-id']]).toEqual([200, 'string']);
    const other = personas.teodoro.orderIds[0] ?? '';
    const [them, somebody] = [amara.userId, personas.teodoro.userId];
    for (const path of [
      `/DiagnosticReport/${other}`,
      ...['Observation', 'DiagnosticReport', 'ServiceRequest'].flatMap((type) => [
        `/${type}?patient=${somebody}`,
        `/${type}?patient=${them}&subject=${somebody}`,
        `/${type}?beneficiary=${them}&patient=${somebody}`,
      ]),
      `/Observation?patient=${them},${somebody}`,
      '/Observation',
    ]) {
      const answer = await ask(path, billing, { prefer: 'handling=lenient' });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    for (const [type, query] of [
      ['Observation', `patient=${them}`],
      ['Observation', `subject=Patient/${them}&category=activity`],
      ['DiagnosticReport', `patient=${them.toUpperCase()}&_sort=-date`],
      ['ServiceRequest', `subject=${them}&patient=Patient/${them}`],
      ['Coverage', `beneficiary=${them}`],
      ['Patient', `_id=${them}`],
    ] as const) {
      const seen = await ask(`/${type}?${query}&_count=1`, clinician);
      const opened = await ask(`/${type}?${query}&_count=1`, billing);
      const bare = ({ body: text }: Answer): string => text.replace(/_cursor=[^"]+/u, '');
      expect([type, opened.status, bare(opened)]).toEqual([type, 200, bare(seen)]);
      expect(typeof opened.headers['x-break-glass-id']).toBe(
        type === 'Coverage' ? 'undefined' : 'string',
      );
      const next = linkOf(opened.json() as Bundle, 'next');
      expect([type, next === undefined || (await ask(next, billing)).status]).toEqual([
        ...[type, next === undefined || 200],
      ]);
      const { entry = [] } = opened.json() as Bundle;
      const first = `/${type}/${entry[0]?.resource?.id ?? ''}`;
      expect([first, (await ask(first, billing)).status]).toEqual([first, 200]);
      const posted = await post(`${root}/${type}/_search`, query, form, billing);
      expect([type, posted.status]).toEqual([type, 200]);
    }
    for (const query of [`_id=${them},${somebody}`, `_id=${somebody}`, '_count=5']) {
      expect((await ask(`/Patient?${query}`, billing)).headers['x-break-glass-id']).toBeUndefined();
    }
  });

  it('answers the same bytes for an ID of another team and for an unknown one', async () => {
    const their = await service.key(otherTeamId);
    const [report] = idsOf(await search(`/Observation?patient=${theirs.userId}&_count=1`, their));
    const theirOrder = theirs.orderIds[0] ?? '';
    for (const [of, none] of [
      [`/Patient/${theirs.userId}`, `/Patient/${nobody}`],
      [`/Coverage/${theirs.userId}.primary`, `/Coverage/${nobody}.primary`],
      [`/ServiceRequest/${theirOrder}`, '/ServiceRequest/x'],
      [`/DiagnosticReport/${theirOrder}`, `/DiagnosticReport/${nobody}`],
      [`/Observation/${report ?? ''}`, '/Observation/x.y.z'],
      ...['Coverage', 'ServiceRequest', 'DiagnosticReport', 'Observation'].map(
        (type) => [`/${type}?patient=${theirs.userId}`, `/${type}?patient=${nobody}`] as const,
      ),
      [`/Patient?_id=${theirs.userId}`, `/Patient?_id=${nobody}`],
    ] as const) {
      const [answer, other] = [await ask(of), await ask(none)];
      const bare = (text: string): string => text.replaceAll(theirs.userId, nobody);
      expect([of, answer.status, bare(answer.body)]).toEqual([of, other.status, other.body]);
      expect(answer.status).toBe(of.includes('?') ? 200 : 404);
    }
  });

  const patient = `patient=${amara.userId}`;
  it.each([
    ['GET', '/Observation', 400, 'patient'],
    ['GET', '/Observation?patient=Group/1', 400, 'patient'],
    ['GET', `/Observation?${patient}&subject=${nobody}`, 400, 'subject'],
    ['GET', `/Observation?${patient}&date=2024-02-31`, 400, 'date'],
    ['GET', `/Observation?${patient}&_lastUpdated=yesterday`, 400, '_lastUpdated'],
    ['GET', `/Observation?${patient}&_count=-1`, 400, '_count'],
    ['GET', `/Observation?${patient}&status=%00`, 400, 'status'],
    ['GET', `/Observation?${patient}&_sort=code`, 400, '_sort'],
    ['GET', `/Observation?${patient}&code:in=x`, 400, 'code:in'],
    ['GET', `/Observation?${patient}&_format=xml`, 400, '_format'],
    ['GET', `/Observation?${patient}&code=${'a,'.repeat(60)}`, 400, 'code'],
    ['GET', '/Patient?name=a', 400, 'name'],
    ['GET', '/Patient?name=%2B&birthdate=1986-04-12', 400, 'name'],
    ['GET', '/Patient?identifier=urn:x|', 400, 'identifier'],
    ['GET', '/Patient/%zz', 400, 'path'],
    ['GET', '/Nonsense/1', 404, undefined],
    ['GET', '/Patient/_search', 404, undefined],
    ['POST', '/Patient', 405, undefined],
    ['PUT', `/Patient/${amara.userId}`, 405, undefined],
  ])('answers %s %s with %i and what is wrong', async (method, path, status, parameter) => {
    const answer = await service.request(method, root + path, {
      authorization: `Bearer ${clinician}`,
    });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      ...[status, 'application/fhir+json; charset=utf-8'],
    ]);
    const { resourceType, issue } = answer.json() as OperationOutcome;
    const types = { 400: 'malformed-request', 404: 'not-found', 405: 'method-not-allowed' };
    expect([resourceType, issue[0]?.details?.coding?.[0]?.code, issue[0]?.expression?.[0]]).toEqual(
      [...['OperationOutcome', `/problems/${types[status as 400]}`, parameter]],
    );
  });

  it('ignores unknown parameters for who asks it to, and says what it used', async () => {
    const path = `/Observation?${patient}&_elements=id&_count=1`;
    const answer = await ask(path, clinician, { prefer: 'respond-async, handling=lenient' });
    expect(answer.status).toBe(200);
    expect(linkOf(answer.json() as Bundle, 'self')).toBe(`/Observation?${patient}&_count=1`);
    expect((await ask(path, clinician, { prefer: 'handling=strict' })).status).toBe(400);
  });

  it('shows whom an import changes while the search by _lastUpdated is computed', async () => {
    const before = idsOf(await search('/Patient?_lastUpdated=gt2020&_count=200'));
    const [info] = envelopes.filter((one) => one.kind === 'user_info').slice(3);
    const changed = { ...info!, info: { ...info!.info, first_name: 'Between' } };
    const { source } = service;
    const records = source.getRecords(sampleTeamId);
    const spy = jest.spyOn(source, 'getRecords').mockReturnValue({
      listPeople: records.listPeople.bind(records),
      listChangedPeople: async (...query: Parameters<DatedRecords['listChangedPeople']>) => {
        const found = await records.listChangedPeople(...query);
        await imported([changed]);
        return found;
      },
    } as Partial<DatedRecords> as DatedRecords);
    const page = await search('/Patient?_lastUpdated=gt2020&_count=200');
    spy.mockRestore();
    expect(idsOf(page).toSorted()).toEqual(before.toSorted());
    expect(idsOf(page).at(-1)).toBe(info?.user_id);
  });

  it('goes on behind what it showed last, though an import puts results and people before it', async () => {
    const people = await search('/Patient?_count=9');
    const before = idsOf(await search('/Patient?_count=200'));
    const path = `/Observation?patient=${amara.userId}&_count=2`;
    const page = await search(path);
    const shown = idsOf(await search(`${path}00`));
    const stored = envelopes.findLast(
      (one) => one.kind === 'lab_result' && shown[0]?.startsWith(one.order_id.toLowerCase()),
    );
    const { result, ...of } = stored as Extract<ImportEnvelope, { kind: 'lab_result' }>;
    const [first] = result.results;
    const results = [{ ...first!, slug: 'another', loinc: null }, ...result.results];
    const another = { ...of, result: { ...result, results } };
    const more = [...sampleEnvelopes({ users: 90 })].filter(({ kind }) => kind === 'user');
    await imported([another, ...more]);
    expect(idsOf(await search(path))).toEqual([expect.anything(), shown[0]]);
    expect(idsOf(await search(linkOf(page, 'next') ?? ''))).toEqual(shown.slice(2, 4));
    const all = [...idsOf(people), ...(await idsFrom(linkOf(people, 'next'), 9))];
    expect(all).toEqual(expect.arrayContaining(before));
    expect(new Set(all).size).toBe(all.length);
  });

  it('takes a key as Bearer or in the service’s header, not both', async () => {
    const path = `${root}/Patient/${amara.userId}`;
    const ours = { 'x-service-api-key': clinician };
    expect((await service.get(path, undefined, ours)).status).toBe(200);
    const both = await ask(`/Patient/${amara.userId}`, clinician, ours);
    expect(both.status).toBe(400);
    const none = await service.get(path, undefined, { authorization: 'Basic eDp5' });
    expect([none.status, none.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="caregate"',
    ]);
    const elsewhere = await service.get('/v2/user', undefined, {
      authorization: `Bearer ${clinician}`,
    });
    expect(elsewhere.status).toBe(401);
  });
});
