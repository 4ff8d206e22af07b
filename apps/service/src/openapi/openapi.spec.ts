import { describe, expect, it } from '@jest/globals';
import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { OPERATION_NAMES } from '@caregate/domain/operations';
import { OPERATIONS } from '../operations/operations.ts';
import { SECURE_HEADERS } from '../http/secure-headers.ts';
import { type TestService, startSpecService } from '../testing/service.testing.ts';
import { ForgingProvider } from '../auth/sign-in/forging-provider.testing.ts';

interface Header {
  readonly $ref: string;
}
interface Told {
  readonly headers?: Readonly<Record<string, Header>>;
}
interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly responses: Readonly<Record<string, Told & { $ref?: string }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { required?: boolean }>>;
    readonly responses: Readonly<Record<string, Told>>;
  };
}

/** Headers of HTTP itself, about the connection and the body. */
const ofHttp = [
  'connection',
  'keep-alive',
  'date',
  'content-type',
  'content-length',
  'transfer-encoding',
];
/** Headers for browsers, which all responses have. The document mentions them in its introduction. */
const forBrowsers = Object.keys(SECURE_HEADERS);

const envelopes = [...sampleEnvelopes({ users: 3 })];
const amara = personas.amara;
const order = amara.orderIds[0]!;
const VALUES: Readonly<Record<string, string>> = {
  user_id: amara.userId,
  client_user_id: amara.clientUserId,
  order_id: order,
  break_glass_id: 'nobody',
  type: 'not-found',
};
const QUERIES: Readonly<Record<string, string>> = {
  '/v2/timeseries/{user_id}/mindfulness_minutes/grouped': '?start_date=2020-01-01',
  '/audit/export': '?format=csv&limit=1',
  '/audit/proof': '?seq=0',
};
/** Fills a path template with existing IDs. */
const goodPath = (template: string): string =>
  template.replaceAll(/\{(\w+)\}/gu, (_all, name: string) => VALUES[name] ?? 'x') +
  (QUERIES[template] ?? '');
const readNames = OPERATION_NAMES.filter((name) => OPERATIONS[name].method === 'GET');
const reads = readNames.map((name) => OPERATIONS[name].path);
const lists = ['/v2/user', '/v3/orders'];
/** Operations about one patient. */
const namesOfOne = readNames.filter((name) => !lists.includes(OPERATIONS[name].path));
const ofOne = namesOfOne.map((name) => OPERATIONS[name].path);

const provider = await ForgingProvider.forSpec();
const service = await startSpecService(envelopes, {
  config: { oidcIssuer: provider.issuer, oidcClientId: provider.clientId },
});
const document = (await service.get('/openapi.json')).json() as Document;

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Calls a documented operation, and compares the response headers with those in the document for the status. */
async function ask(
  of: TestService,
  [template, method]: readonly [string, string],
  status: number,
  { path = goodPath(template), key, body, headers, ...rest }: Ask = {},
): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${of.port}${path}`, {
    method: rest.method ?? method.toUpperCase(),
    headers: {
      ...(key === undefined ? {} : { 'x-service-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const name = `${method} ${template}`;
  expect([name, answer.status]).toEqual([name, status]);
  const given = document.paths[template]?.[method]?.responses[status];
  const described =
    given?.$ref === undefined
      ? given
      : document.components.responses[given.$ref.split('/').at(-1) ?? ''];
  expect([name, status, typeof described]).toEqual([name, status, 'object']);
  const declared = Object.keys(described?.headers ?? {});
  const sent = [...answer.headers.keys()].filter(
    (header) =>
      !ofHttp.includes(header) && !(forBrowsers.includes(header) && !declared.includes(header)),
  );
  expect([name, status, sent.filter((header) => !declared.includes(header))]).toEqual([
    name,
    status,
    [],
  ]);
  const required = declared.filter((header) => document.components.headers[header]?.required);
  expect([name, status, required.filter((header) => !sent.includes(header))]).toEqual([
    name,
    status,
    [],
  ]);
  return answer;
}

const operations = (): (readonly [template: string, method: string])[] =>
  Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => [template, method] as const),
  );
const isOpen = ([template, method]: readonly [string, string]): boolean =>
  document.paths[template]?.[method]?.security?.length === 0;
/** Called by desks before sign-in. The body is validated first. */
const ofDesk = ['/access/desks', '/access/sessions', '/access/badges', '/access/desks/key'];

const why = {
  reason_code: 'emergency_treatment',
  text: 'Unconscious at the desk, values needed now',
};

describe('the headers of the OpenAPI document are those of the answers', () => {
  it('that come from any operation alike: 400, 401, 403, 405, 431', async () => {
    const scopes = ['users:list'];
    const newKey = { teamId: sampleTeamId, label: 'spec', role: 'integration', scopes } as const;
    const integration = (await service.access.keys.create(newKey)).key;
    const keys = { admin: await service.key(sampleTeamId, 'admin'), integration };
    for (const one of operations()) {
      await ask(service, one, 400, { path: `${goodPath(one[0]).split('?')[0]!}?x=%zz` });
      await ask(service, one, 405, { method: 'PATCH' });
      await ask(service, one, 431, { headers: { 'x-large': 'x'.repeat(20_000) } });
      if (!isOpen(one) && !ofDesk.includes(one[0])) {
        await ask(service, one, 401, one[1] === 'post' ? { body: {} } : {});
        // All staff may call this operation.
        const refused = one[0] === '/access/me' ? 'integration' : 'admin';
        await ask(service, one, 403, {
          key: keys[refused],
          ...(one[1] === 'post' ? { body: {} } : {}),
        });
      }
    }
  });

  it('that come with an answer, also under emergency access', async () => {
    const [clinician, auditor, billing, auditor2] = [
      await service.key(sampleTeamId, 'clinician'),
      await service.key(sampleTeamId, 'auditor'),
      await service.key(sampleTeamId, 'billing'),
      await service.key(sampleTeamId, 'auditor'),
    ];
    for (const one of operations().filter(([, method]) => method === 'get')) {
      const [template] = one;
      const key = reads.includes(template) ? clinician : auditor;
      const answer = await ask(service, one, 200, isOpen(one) ? {} : { key });
      expect([template, answer.headers.has('x-audit-record-id')]).toEqual([template, !isOpen(one)]);
    }
    const search = ['/desk/people/search', 'post'] as const;
    await ask(service, search, 200, { key: clinician, body: { text: 'amara' } });
    await ask(service, search, 422, { key: clinician, body: { text: 'a' } });
    const grants = ['/access/break-glass', 'post'] as const;
    const body = { ...why, user_id: amara.userId };
    const granted = await ask(service, grants, 201, { key: billing, body });
    const { break_glass_id: id } = (await granted.json()) as { break_glass_id: string };
    await ask(service, grants, 409, { key: billing, body });
    await ask(service, grants, 422, { key: billing, body: why });
    await ask(service, grants, 413, { key: billing, body: { ...body, text: 'x'.repeat(70_000) } });
    await ask(service, grants, 415, {
      key: billing,
      body: 'a=b',
      headers: { 'content-type': 'text/plain' },
    });
    await ask(service, grants, 400, { key: billing, body: '{' });
    await ask(service, grants, 400, { key: billing });
    const result = reads.find((template) => template.startsWith('/v3/order/'))!;
    const opened = await ask(service, [result, 'get'], 200, { key: billing });
    expect(opened.headers.has('x-break-glass-id')).toBe(true);
    const review = ['/access/break-glass/{break_glass_id}/review', 'post'] as const;
    const path = `/access/break-glass/${id}/review`;
    await ask(service, review, 404, { key: auditor2, body: { outcome: 'justified' } });
    await ask(service, review, 200, { key: auditor2, path, body: { outcome: 'justified' } });
    const desk = ['/audit/desk-events', 'post'] as const;
    const shown = await ask(service, [reads[3]!, 'get'], 200, { key: clinician });
    const [printed, recordIds] = [
      { kind: 'print', document: 'lab_report' },
      [shown.headers.get('x-audit-record-id')],
    ];
    await ask(service, desk, 201, { key: clinician, body: { ...printed, record_ids: recordIds } });
    await ask(service, desk, 422, { key: clinician, body: printed });
  });

  it('that come with what is not found, too long or not valid: 404, 414, 422', async () => {
    const key = await service.key(sampleTeamId);
    const nobody = '00000000-0000-4000-8000-000000000000';
    for (const template of ofOne) {
      const path = goodPath(template).replace(amara.userId, nobody).replace(order, nobody);
      await ask(service, [template, 'get'], 404, {
        key,
        path: path.replace(amara.clientUserId, 'nobody'),
      });
      await ask(service, [template, 'get'], 422, {
        key,
        path: `${goodPath(template).split('?')[0]!}?x=1`,
      });
    }
    await ask(service, ['/problems/{type}', 'get'], 404, { path: '/problems/nobody' });
    await ask(service, ['/v2/user/resolve/{client_user_id}', 'get'], 414, {
      key,
      path: `/v2/user/resolve/${'x'.repeat(2000)}`,
    });
  });
});

describe('what the service tells of itself', () => {
  it('begins at / with where to read on, by references that lead there from any address', async () => {
    const answer = await service.get('/');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const { name, version, ...references } = answer.json() as Record<string, string>;
    const { info } = (await service.get('/openapi.json')).json() as {
      info: { title: string; version: string };
    };
    expect([name, version]).toEqual([info.title, info.version]);
    expect(Object.keys(references)).toEqual(['documentation', 'openapi', 'health']);
    for (const reference of Object.values(references)) {
      const { pathname } = new URL(reference, 'http://service.example/');
      expect([reference, (await service.get(pathname)).status]).toEqual([reference, 200]);
      expect(new URL(reference, 'http://proxy.example/health/').pathname).toBe(
        `/health${pathname}`,
      );
    }
  });
});
