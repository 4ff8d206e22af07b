import { startPostgres, type PostgresServer } from '@caregate/postgres';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { instantOf } from '@caregate/domain';
import { instantText } from '@caregate/fhir';
import { otherTeamId, personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import fc from '@caregate/seeded';
import type { Bundle, FhirResource, OperationOutcome } from 'fhir/r4.js';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { signedIn } from '../../access/sessions/signed-in.testing.ts';
import { bodiesIn } from '../../audit/record/records.testing.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { SCOPES, type Scope } from '../../operations/roles.ts';
import { importEnvelopes } from '../../source/store/import/import.ts';
import { ImportWriter } from '../../source/store/import/import-writer.ts';
import { openSqliteEraser, openSqliteImport } from '../../source/store/import/sqlite-import.ts';
import {
  openPostgresEraser,
  openPostgresImport,
} from '../../source/store/postgres/open-postgres-store.ts';
import { bytes } from '../../source/store/store.testing.ts';
import { enginesOf } from '../../testing/engines.testing.ts';
import { until } from '../../testing/until.testing.ts';
import { Exports } from './exports.ts';
import { testService, type Answer, type TestService } from '../../testing/service.testing.ts';

const { amara, teodoro } = personas;
const nobody = '00000000-0000-4000-8000-000000000000';
const users = 30;
const root = '/fhir/r4';
const begins = `${root}/Patient/$export`;
const respondAsync = { prefer: 'respond-async' };
const TYPES = ['Patient', 'Coverage', 'ServiceRequest', 'DiagnosticReport', 'Observation'];

interface Manifest {
  readonly transactionTime: string;
  readonly request: string;
  readonly requiresAccessToken: boolean;
  readonly output: readonly { readonly type: string; readonly url: string }[];
  readonly deleted: readonly unknown[];
  readonly error: readonly unknown[];
}

describe.each(enginesOf('export'))('on %s', (engine) => {
  let server: PostgresServer | undefined;
  let service: TestService;
  let clinician: string;
  let ahead = 0;
  /** Called before the record of a piece. */
  let onRecord: (patients: readonly string[]) => Promise<void> = () => Promise.resolve();

  const setInterval = jest.spyOn(globalThis, 'setInterval');

  beforeAll(async () => {
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
    server = engine === 'PostgreSQL' ? await startPostgres({ fsync: 'off' }) : undefined;
    service = await testService(
      [
        ...sampleEnvelopes({ users, mindfulnessDays: 20 }),
        ...sampleEnvelopes({ users: 3, teamId: otherTeamId }),
      ],
      {
        databaseUrl: server?.url ?? '',
        config: { budgetPerKey: 1_000_000 },
        audit: (log) => ({
          close: () => log.close(),
          record: async (entry) => {
            if (entry.operation === 'exportPatients' && entry.decision === 'allowed') {
              await onRecord(entry.patients);
            }
            return await log.record(entry);
          },
        }),
      },
    );
  });
  // No more than five exports of a key.
  beforeEach(async () => {
    clinician = await service.key(sampleTeamId);
  });
  afterEach(() => {
    ahead = 0;
    onRecord = () => Promise.resolve();
  });
  afterAll(async () => {
    await service.close();
    await server?.stop();
    jest.restoreAllMocks();
  });

  const program = async (scopes: readonly Scope[]): Promise<string> =>
    (
      await service.access.keys.create({
        ...{ teamId: sampleTeamId, role: 'integration', label: 'program', scopes },
      })
    ).key;
  const ask = (method: string, path: string, key = clinician, headers = {}): Promise<Answer> =>
    service.request(method, path, { authorization: `Bearer ${key}`, ...headers });
  const pathOf = (url: string): string => new URL(url).pathname;
  /** The kick-off. @returns path of the status */
  const begin = async (query = '', key = clinician): Promise<string> => {
    const answer = await ask('GET', begins + query, key, respondAsync);
    expect([query, answer.status, answer.body]).toEqual([query, 202, '']);
    return pathOf(String(answer.headers['content-location']));
  };
  const manifestAt = async (status: string, key = clinician): Promise<Manifest> => {
    const answer = await ask('GET', status, key);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, JSON_MEDIA_TYPE]);
    return answer.json() as Manifest;
  };
  const resourcesIn = (body: string): FhirResource[] =>
    body
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as FhirResource);
  /** As a client of the specification reads an export: all files, then DELETE. */
  const exported = async (query: string, key = clinician): Promise<FhirResource[]> => {
    const status = await begin(query, key);
    const { output, requiresAccessToken } = await manifestAt(status, key);
    expect(requiresAccessToken).toBe(true);
    const all: FhirResource[] = [];
    for (const { type, url } of output) {
      const answer = await ask('GET', pathOf(url), key);
      expect([answer.status, answer.headers['content-type']]).toEqual([
        ...[200, 'application/fhir+ndjson'],
      ]);
      const resources = resourcesIn(answer.body);
      expect(new Set([type, ...resources.map(({ resourceType }) => resourceType)]).size).toBe(1);
      all.push(...resources);
    }
    expect((await ask('DELETE', status, key)).status).toBe(202);
    return all;
  };
  const patientOf = (resource: FhirResource): string => {
    const { subject, beneficiary, id } = resource as {
      readonly [Name in 'subject' | 'beneficiary']?: { readonly reference?: string };
    } & { readonly id: string };
    return (subject ?? beneficiary)?.reference?.replace('Patient/', '') ?? id;
  };
  const patientsIn = (resources: readonly FhirResource[]): string[] =>
    [...new Set(resources.map(patientOf))].sort();
  const byId = (resources: readonly FhirResource[]): Map<string, FhirResource> =>
    new Map(resources.map((one) => [`${one.resourceType}/${one.id ?? ''}`, one]));
  const same = (one: Answer, other: Answer): void => {
    const bare = ({ status, body }: Answer): unknown => [
      status,
      body.replaceAll(/"id":"[^"]*"/gu, ''),
    ];
    expect(bare(one)).toEqual(bare(other));
  };

  const accessRows = (statement: string, ...values: string[]): unknown[] => {
    const raw = new DatabaseSync(join(service.folder, 'access.db'));
    const rows = raw.prepare(statement).all(...values);
    raw.close();
    return rows;
  };

  it('has each resource that the searches show, as they show it, once', async () => {
    const found: FhirResource[] = [];
    const search = async (query: string): Promise<void> => {
      for (let next: string | undefined = `${root}/${query}`; next !== undefined;) {
        const { entry = [], link = [] } = (await ask('GET', next)).json() as Bundle;
        found.push(
          ...entry.flatMap(({ resource }) => (resource as FhirResource | undefined) ?? []),
        );
        next = link.find(({ relation }) => relation === 'next')?.url.replace(/^.*?(?=\/fhir)/u, '');
      }
    };
    await search('Patient?_count=200');
    for (const id of patientsIn(found)) {
      for (const type of TYPES.slice(1)) {
        await search(`${type}?patient=${id}&_count=200`);
      }
    }
    const all = await exported('');
    expect(all.length).toBe(found.length);
    expect(byId(all)).toEqual(byId(found));
    expect(patientsIn(all)).toHaveLength(users);
  });

  it('is told by a manifest, with the types that were asked for, and again at any time', async () => {
    const lastUs = await service.source.read('lastChange', sampleTeamId, undefined);
    const before = Date.now();
    const query = '?_type=Coverage,Patient&_type=Patient&_outputFormat=application%2Ffhir%2Bndjson';
    const status = await begin(query);
    const answer = await ask('GET', status);
    const manifest = answer.json() as Manifest;
    const base = `http://127.0.0.1:${service.port}`;
    expect(manifest).toEqual({
      transactionTime: instantText(lastUs),
      request: `${base}${begins}${query.replaceAll(',', '%2C')}`,
      requiresAccessToken: true,
      output: ['Patient', 'Coverage'].map((type) => ({
        ...{ type, url: `${base}${status}/${type}-1.ndjson` },
      })),
      ...{ deleted: [], error: [] },
    });
    const left = Date.parse(String(answer.headers['expires'])) - before;
    expect(Math.round(left / 3_600_000)).toBe(24);
    expect(await manifestAt(status)).toEqual(manifest);
  });

  it('begins by a POST of Parameters, too', async () => {
    const post = async (body: string, type = 'application/fhir+json', path = begins) =>
      await fetch(`http://127.0.0.1:${service.port}${path}`, {
        ...{ method: 'POST', body },
        headers: { authorization: `Bearer ${clinician}`, 'content-type': type, ...respondAsync },
      });
    const parameters = (...parameter: readonly object[]): string =>
      JSON.stringify({ resourceType: 'Parameters', parameter });
    const since = { name: '_since', valueInstant: '2020-01-01T00:00:00Z' };
    const types = { name: '_type', valueString: 'Patient' };
    const begun = await post(parameters(types, since));
    expect(begun.status).toBe(202);
    const status = pathOf(begun.headers.get('content-location') ?? '');
    const { output, request } = await manifestAt(status);
    expect([output.map(({ type }) => type), request.endsWith(begins)]).toEqual([['Patient'], true]);
    await ask('DELETE', status);
    for (const [body, code, wrong] of [
      ['{}', 400, 'body'],
      ['[', 400, undefined],
      [parameters({ valueString: 'Patient' }), 400, 'body'],
      [parameters({ name: '_type', valueCode: 'Group' }), 400, '_type'],
      [parameters({ name: '_since', valueInstant: 7 }), 400, '_since'],
      [parameters({ name: 'patient', valueReference: { reference: 'Patient/1' } }), 400, 'patient'],
    ] as const) {
      const answer = await post(body);
      const { issue } = (await answer.json()) as OperationOutcome;
      expect([body, answer.status, issue[0]?.expression?.[0]]).toEqual([body, code, wrong]);
    }
    expect((await post('_type=Patient', 'application/x-www-form-urlencoded')).status).toBe(415);
    const search = `${root}/Patient/_search`;
    expect((await post('{}', 'application/fhir+json', search)).status).toBe(415);
  });

  it.each([
    ['', {}, 'prefer'],
    ['', { prefer: 'respond-sync' }, 'prefer'],
    ['?_type=', respondAsync, '_type'],
    ['?_type=Patient,patient', respondAsync, '_type'],
    ['?_type=AuditEvent', { prefer: 'respond-async, handling=lenient' }, '_type'],
    ['?_since=2024-02-31T00:00:00Z', respondAsync, '_since'],
    ['?_since=2024-01-01', respondAsync, '_since'],
    ['?_since=', respondAsync, '_since'],
    ['?_since=2024-01-01T00:00:00Z&_since=2024-01-01T00:00:00Z', respondAsync, '_since'],
    ['?_outputFormat=text/csv', respondAsync, '_outputFormat'],
    ['?_elements=id', respondAsync, '_elements'],
    ['?_typeFilter=Observation%3Fstatus%3Dfinal', respondAsync, '_typeFilter'],
    [`?patient=${amara.userId}`, { prefer: 'respond-async; handling=lenient' }, 'patient'],
    [`?${'x=1&'.repeat(21)}`, respondAsync, 'query'],
    ['?%00=1', respondAsync, 'query'],
  ])('refuses %s with %j, and says what is wrong', async (query, headers, parameter) => {
    const answer = await ask('GET', begins + query, clinician, headers);
    expect([answer.status, answer.headers['content-type']]).toEqual([
      ...[400, 'application/fhir+json; charset=utf-8'],
    ]);
    const { resourceType, issue } = answer.json() as OperationOutcome;
    expect([resourceType, issue[0]?.expression?.[0]]).toEqual(['OperationOutcome', parameter]);
  });

  it('ignores unknown parameters for who asks it to, and keeps none of them', async () => {
    const headers = { prefer: 'respond-async, handling=lenient' };
    const query = '?name=Amara&_type=Patient&?_since=Okonkwo';
    const answer = await ask('GET', begins + query, clinician, headers);
    const { output, request } = await manifestAt(
      pathOf(String(answer.headers['content-location'])),
    );
    expect([output.length, request.replace(/^.*(?=\?)/u, '')]).toEqual([1, '?_type=Patient']);
  });

  it('is for clinicians, and for programs with all scopes', async () => {
    const status = await begin();
    for (const key of [
      ...(await Promise.all(
        (['front_desk', 'billing', 'auditor', 'admin'] as const).map((role) =>
          service.key(sampleTeamId, role),
        ),
      )),
      ...(await Promise.all(SCOPES.map((one) => program(SCOPES.filter((scope) => scope !== one))))),
    ]) {
      for (const [method, path] of [
        ['GET', begins],
        ['POST', begins],
        ['GET', status],
        ['DELETE', status],
        ['GET', `${status}/Patient-1.ndjson`],
      ] as const) {
        expect((await ask(method, path, key, respondAsync)).status).toBe(403);
      }
    }
    expect(patientsIn(await exported('?_type=Patient', await program(SCOPES)))).toHaveLength(users);
  });

  it('of a person is theirs at each desk', async () => {
    const who = { teamId: sampleTeamId, role: 'clinician' } as const;
    const ines = await signedIn(service, who);
    const begun = await ines.request('GET', `${begins}?_type=Patient`, { headers: respondAsync });
    const status = pathOf(String(begun.headers['content-location']));
    const file = await ines.request('GET', `${status}/Patient-1.ndjson`);
    expect(patientsIn(resourcesIn(file.body))).toHaveLength(users);
    const omar = await signedIn(service, who);
    expect((await omar.request('GET', status)).status).toBe(404);
    await ines.request('DELETE', status);
  });

  it('is to another key, another team, after DELETE and after 24 hours as if it had never been', async () => {
    const status = await begin();
    const file = `${status}/Patient-1.ndjson`;
    const none = `${root}/export/${nobody}`;
    const others = [await service.key(sampleTeamId), await service.key(otherTeamId)];
    for (const key of [...others, clinician]) {
      const unknown = await ask('GET', none, key);
      expect(unknown.status).toBe(404);
      const isTheirs = key !== clinician;
      ahead = isTheirs ? 0 : 24 * 3_600_000;
      same(await ask('GET', status, key), unknown);
      same(await ask('GET', file, key), unknown);
      same(await ask('DELETE', status, key), unknown);
      ahead = 0;
      expect([(await ask('GET', status)).status, (await ask('GET', file)).status]).toEqual([
        ...[200, 200],
      ]);
    }
    const unknown = await ask('GET', none);
    for (const wrong of ['Patient-0', 'Patient-2', 'Patient-01', 'Nothing-1', 'Patient']) {
      same(await ask('GET', `${status}/${wrong}.ndjson`), unknown);
    }
    expect((await ask('DELETE', status)).status).toBe(202);
    for (const [method, path] of [
      ['GET', status],
      ['GET', file],
      ['DELETE', status],
    ] as const) {
      same(await ask(method, path), unknown);
    }
  });

  it('is kept five times at once for a key, whose next waits until one is over', async () => {
    const all: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      all.push(await begin('?_type=Patient'));
    }
    const reads = jest.spyOn(service.source, 'read');
    const refused = await ask('GET', begins, clinician, respondAsync);
    expect([refused.status, Number(refused.headers['retry-after']) > 86_000]).toEqual([429, true]);
    expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
    const other = await service.key(sampleTeamId);
    await begin('', other);
    await ask('DELETE', all.pop() ?? '');
    all.push(await begin());
    expect((await ask('GET', begins, clinician, respondAsync)).status).toBe(429);
    ahead = 24 * 3_600_000;
    await ask('DELETE', await begin());
    if (engine === 'SQLite') {
      // At the start, and each hour.
      const owner = service.app.get(Exports, { strict: false });
      const [hourly] = setInterval.mock.calls.find(([, ms]) => ms === 3_600_000) ?? [];
      for (const drop of [owner.onApplicationBootstrap.bind(owner), hourly]) {
        ahead = 0;
        await begin('', await service.key(sampleTeamId));
        ahead = 24 * 3_600_000;
        drop?.();
        await until(() => accessRows('select * from exports').length === 0);
      }
      owner.onApplicationShutdown();
    }
  });

  it('misses nothing that changed since transactionTime, whatever clocks and commits do', async () => {
    const kept = new Map<string, FhirResource>();
    let since = '1970-01-01T00:00:00Z';
    /** As a client goes on. @returns how many resources came */
    const goOn = async (types = 'Coverage'): Promise<number> => {
      const query = `?_type=${types}&_since=${encodeURIComponent(since)}`;
      const status = await begin(query);
      const { transactionTime, output } = await manifestAt(status);
      await ask('DELETE', status);
      const changed = byId(await exported(query));
      for (const [id, resource] of changed) {
        expect(instantOf(resource.meta?.lastUpdated ?? '')).toBeGreaterThan(instantOf(since));
        kept.set(id, resource);
      }
      expect(output.length > 0).toBe(transactionTime > since);
      since = transactionTime;
      return changed.size;
    };
    await goOn(TYPES.join());
    expect(kept).toEqual(byId(await exported('')));
    const insurances = [
      ...sampleEnvelopes({ users }),
      ...sampleEnvelopes({ users: 3, teamId: otherTeamId }),
    ].flatMap((one) => (one.kind === 'insurance' ? one : []));
    const minutes = fc.integer({ min: -10, max: 10 });
    let imports = 0;
    const changes = fc.record({
      ...{ one: fc.nat(insurances.length - 1), import: minutes, commit: minutes },
      isSlow: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(changes, async ({ one, isSlow, ...clock }) => {
        imports += 1;
        ahead = (imports * 20 + clock.import) * 60_000;
        const database =
          server === undefined
            ? await openSqliteImport(service.folder)
            : await openPostgresImport(server.url, 0);
        const commit = database.commit.bind(database);
        database.commit = async () => {
          ahead = (imports * 20 + clock.commit) * 60_000;
          await (isSlow && goOn());
          await commit();
        };
        const writer = new ImportWriter(database);
        const insurance = insurances[one]!;
        // The newest, which is shown.
        const recorded_at = new Date(Date.now() + imports * 86_400_000).toISOString();
        await importEnvelopes(writer, 'one', [{ ...insurance, recorded_at }]);
        await writer.close();
        const before = since;
        const isTheirs = insurance.team_id === sampleTeamId;
        expect([await goOn(), since > before]).toEqual([isTheirs ? 1 : 0, isTheirs]);
        expect(await goOn()).toBe(0);
      }),
      { numRuns: 8, endOnFailure: true },
    );
    for (const [id, resource] of byId(await exported('?_type=Coverage'))) {
      expect(kept.get(id)).toEqual(resource);
    }
  });

  it('comes compressed to who takes that', async () => {
    const status = await begin('?_type=Observation');
    const file = `${status}/Observation-1.ndjson`;
    const answer = await fetch(`http://127.0.0.1:${service.port}${file}`, {
      headers: { authorization: `Bearer ${clinician}`, 'accept-encoding': 'gzip' },
    });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    // At the same time as another.
    const [compressed, plain] = await Promise.all([answer.text(), ask('GET', file)]);
    expect([compressed === plain.body, plain.headers['content-encoding']]).toEqual([
      ...[true, undefined],
    ]);
  });

  it('names each patient of a file in a record before the piece with them leaves', async () => {
    const recorded: string[] = [];
    onRecord = (patients) => Promise.resolve(void recorded.push(...patients));
    const status = await begin('?_type=Observation');
    const answer = await ask('GET', `${status}/Observation-1.ndjson`);
    const resources = resourcesIn(answer.body);
    // More than a piece.
    expect(answer.body.length).toBeGreaterThan(2 ** 20);
    expect(recorded.toSorted()).toEqual(patientsIn(resources));
    if (engine === 'SQLite') {
      const exportId = status.split('/').at(-1);
      const bodies = bodiesIn(service.folder).filter(
        ({ operation, details }) =>
          operation === 'exportPatients' && details['export_id'] === exportId,
      );
      expect(bodies.length).toBeGreaterThan(2);
      expect(bodies.reduce((sum, { record_count: count }) => sum + (count ?? 0), 0)).toBe(
        resources.length,
      );
      expect(bodies[0]).toMatchObject({
        ...{ data_category: 'lab_result', role: 'clinician', decision: 'allowed' },
        details: { file: 'Observation-1.ndjson' },
      });
    }
    // From the second piece on the log takes none.
    let count = 0;
    recorded.splice(0);
    onRecord = (patients) => {
      count += 1;
      if (count > 2) {
        return Promise.reject(new Error('The disk is full'));
      }
      recorded.push(...patients);
      return Promise.resolve();
    };
    const cut = await partOf(`${status}/Observation-1.ndjson`);
    expect(cut.isWhole).toBe(false);
    expect(patientsIn(resourcesIn(cut.body)).every((id) => recorded.includes(id))).toBe(true);
  });

  /** Of a file whose connection may break. */
  const partOf = async (path: string, key = clinician) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    });
    let body = '';
    try {
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        body += chunk;
      }
      return { body, isWhole: true };
    } catch {
      return { body, isWhole: false };
    }
  };

  it('is sent over HTTP/1.1 alone: over 1.0, a file that breaks off ends as a whole one', async () => {
    const file = `${await begin('?_type=Observation')}/Observation-1.ndjson`;
    let count = 0;
    onRecord = () => {
      count += 1;
      return count < 3 ? Promise.resolve() : Promise.reject(new Error('The disk is full'));
    };
    const auditor = await service.key(sampleTeamId, 'auditor');
    for (const [path, header] of [
      [file, `authorization: Bearer ${clinician}`],
      ['/audit/export?format=csv', `x-service-api-key: ${auditor}`],
    ]) {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.0\r\n${header}\r\n\r\n`);
      const answer = await text(socket);
      expect([answer.split('\r\n', 1), count]).toEqual([['HTTP/1.1 400 Bad Request'], 0]);
    }
  });

  it.each(['revoked', 'DELETE'])('ends in the middle of a file after %s', async (how) => {
    const key = await service.key(sampleTeamId);
    const { keyId } = (await service.access.keyCheck.authenticate(key, '127.0.0.1'))!;
    const status = await begin('?_type=Observation', key);
    let count = 0;
    onRecord = async () => {
      count += 1;
      if (count === 2) {
        await (how === 'DELETE' ? ask('DELETE', status, key) : service.access.keys.revoke(keyId));
      }
    };
    const { isWhole } = await partOf(`${status}/Observation-1.ndjson`, key);
    expect([isWhole, count]).toEqual([false, 2]);
  });

  it.each([
    ...(['lock of the session', 'end of the session', 'revocation of the desk'] as const),
    // Nothing changes it yet but the database.
    ...(engine === 'SQLite' ? (['change of the role'] as const) : []),
  ])('ends in the middle of a file after the %s', async (how) => {
    const { sessions, desks } = service.access;
    const ines = await signedIn(service, { teamId: sampleTeamId, role: 'clinician' });
    const acts = {
      'lock of the session': async () => sessions.lock((await sessions.current(ines.sessionId))!),
      'end of the session': async () => sessions.end((await sessions.current(ines.sessionId))!),
      'revocation of the desk': () => desks.revoke(ines.deskId),
      'change of the role': () =>
        accessRows('update staff set role = ? where staff_id = ?', 'billing', ines.staffId),
    };
    const url = `${begins}?_type=Observation`;
    const { headers } = await ines.request('GET', url, { headers: respondAsync });
    const file = `${pathOf(String(headers['content-location']))}/Observation-1.ndjson`;
    let count = 0;
    onRecord = async () => {
      count += 1;
      if (count === 2) {
        await acts[how]();
      }
    };
    const isWhole = await ines.request('GET', file).then(
      () => true,
      () => false,
    );
    expect([isWhole, count]).toEqual([false, 2]);
  });

  it('whose reader leaves in the middle of a file records no more, and disturbs nobody', async () => {
    const status = await begin('?_type=Observation');
    const file = `${status}/Observation-1.ndjson`;
    const left = new AbortController();
    let count = 0;
    onRecord = () => {
      count += 1;
      if (count === 2) {
        left.abort();
      }
      return Promise.resolve();
    };
    const headers = { authorization: `Bearer ${clinician}` };
    const url = `http://127.0.0.1:${service.port}${file}`;
    const asked = fetch(url, { headers, signal: left.signal }).then((answer) => answer.text());
    await expect(asked).rejects.toThrow('aborted');
    expect((await ask('GET', file)).status).toBe(200);
  });

  it('is sent to a key in eight files at once, and then 429', async () => {
    const file = `${await begin('?_type=Patient')}/Patient-1.ndjson`;
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let waiting = 0;
    onRecord = () => {
      waiting += 1;
      return opened;
    };
    const reading = Array.from({ length: 8 }, () => ask('GET', file));
    await until(() => waiting === 8);
    const refused = await ask('GET', file);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await ask('GET', `${root}/Patient/${amara.userId}`)).status).toBe(200);
    open();
    for (const answer of await Promise.all(reading)) {
      expect(answer.status).toBe(200);
    }
    await until(async () => (await ask('GET', file)).status === 200);
  });

  it('has nobody who was erased since it began', async () => {
    const status = await begin();
    const eraser =
      server === undefined
        ? await openSqliteEraser(service.folder)
        : await openPostgresEraser(server.url, 0);
    const person = { team_id: bytes(sampleTeamId), user_id: bytes(teodoro.userId) };
    await eraser.erase(person, () => Promise.resolve());
    await eraser.close();
    for (const { url } of (await manifestAt(status)).output) {
      const { body } = await ask('GET', pathOf(url));
      expect([url, body.includes(amara.userId), body.includes(teodoro.userId)]).toEqual([
        ...[url, true, false],
      ]);
    }
  });
});
