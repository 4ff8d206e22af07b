import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Bundle, Patient } from 'fhir/r4.js';
import { createRequire } from 'node:module';
import { newFolder, start, type Running } from './caregate.testing.ts';

interface SmartClient {
  readonly patient: {
    read(): Promise<Patient>;
    request(type: string, options: object): Promise<{ id: string }[]>;
  };
}

interface KitClient {
  capabilityStatement(): Promise<{ rest?: unknown }>;
  read(what: object): Promise<Patient>;
  search(what: object): Promise<Bundle>;
  nextPage(after: { bundle: Bundle }): Promise<Bundle>;
}

interface ClientOfMedplum {
  readResource(type: string, id: string): Promise<object>;
  search(type: string, query: object): Promise<object>;
  searchResourcePages(type: string, query: object): AsyncIterable<{ id?: string }[]>;
}

const requireLong = createRequire(
  new URL('../../../tools/setup/long/package.json', import.meta.url),
);
const fhirclient = requireLong('fhirclient') as (...ofServer: readonly object[]) => {
  client(state: object): SmartClient;
};
/** Path of a package that has no CommonJS entry point. */
const kitClient = new URL(
  '../../../tools/setup/long/node_modules/fhir-kit-client/dist/index.js',
  import.meta.url,
);
const { MedplumClient } = requireLong('@medplum/core') as {
  MedplumClient: new (to: object) => ClientOfMedplum;
};

let folder: string;
let demo: Running;
let base: string;
let key: string;
let userId: string;

beforeAll(async () => {
  folder = newFolder();
  demo = await start(['demo', '--users', '40'], folder, { TMPDIR: folder });
  base = `${demo.ready.base_url}/fhir/r4`;
  key = demo.ready.keys['clinician'] ?? '';
  userId = demo.ready.sample?.user_id ?? '';
});

const of = ['Coverage', 'ServiceRequest', 'DiagnosticReport', 'Observation'] as const;

/** Returns the IDs of a person's resources, read page by page with fetch. */
async function idsOfAll(type: string): Promise<string[]> {
  const ids: string[] = [];
  let url: string | undefined = `${base}/${type}?patient=${userId}`;
  while (url !== undefined) {
    const answer: Response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const { entry = [], link = [] } = (await answer.json()) as Bundle;
    ids.push(...entry.map(({ resource }) => resource?.id ?? ''));
    url = link.find(({ relation }) => relation === 'next')?.url;
  }
  return ids;
}

describe('an unchanged client of FHIR reads the demo', () => {
  it('fhirclient, which follows the pages and reads the metadata for its patient', async () => {
    // fhirclient expects a server's request and response. This spec has none.
    const client = fhirclient({}, {}, {}).client({
      serverUrl: base,
      tokenResponse: { access_token: key, token_type: 'bearer', patient: userId },
    });
    expect(await client.patient.read()).toMatchObject({ resourceType: 'Patient', id: userId });
    for (const type of of) {
      const found = await client.patient.request(type, {
        ...{ pageLimit: 0, flat: true },
      });
      expect(found.map(({ id }) => id)).toEqual(await idsOfAll(type));
    }
  });

  it('fhir-kit-client, which searches by POST and goes to the next page', async () => {
    const { Client } = (await import(kitClient.href)) as {
      Client: new (to: object) => KitClient;
    };
    const client = new Client({ baseUrl: base, bearerToken: key });
    const { rest } = await client.capabilityStatement();
    expect(rest).toBeDefined();
    const patient = await client.read({ resourceType: 'Patient', id: userId });
    const name = patient.name?.[0];
    const searchParams = { name: `${name?.given?.[0] ?? ''} ${name?.family ?? ''}` };
    const named = await client.search({
      ...{ resourceType: 'Patient', searchParams, options: { postSearch: true } },
    });
    expect(JSON.stringify(named)).toContain(userId);
    const first = await client.search({
      ...{ resourceType: 'Observation', searchParams: { patient: userId, _count: 3 } },
    });
    const second = await client.nextPage({ bundle: first });
    const ids = [first, second].flatMap(({ entry = [] }) =>
      entry.map(({ resource }) => resource?.id),
    );
    expect(ids).toEqual((await idsOfAll('Observation')).slice(0, 6));
  });

  it('MedplumClient, which asks for a thousand at once and names the reason of a refusal', async () => {
    const client = new MedplumClient({ baseUrl: base, fhirUrlPath: '', accessToken: key });
    expect(await client.readResource('Patient', userId)).toMatchObject({ id: userId });
    for (const type of of) {
      const found: string[] = [];
      const pages = client.searchResourcePages(type, {
        ...{ patient: userId, _count: 1000 },
      });
      for await (const page of pages) {
        found.push(...page.map(({ id }) => id ?? ''));
      }
      expect(found).toEqual(await idsOfAll(type));
    }
    await expect(
      client.search('Observation', { patient: userId, date: '2026-02-31' }),
    ).rejects.toThrow('date must be a date that exists');
  });
});
