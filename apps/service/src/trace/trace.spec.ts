import { describe, expect, it } from '@jest/globals';
import { HealthDataClient } from '@caregate/api-client';
import { newDatabase } from '@caregate/postgres';
import { personas, sampleTeamId, sampleUserEnvelopes } from '@caregate/sample-data';
import { trace, SpanKind, TraceFlags, type Tracer, type TracerProvider } from '@opentelemetry/api';
import fc from '@caregate/seeded';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createUpstreams } from '@caregate/data-store/testing';
import { type TestService, startSpecService } from '../testing/service.testing.ts';
import { beginTrace, buildTraceHeaders } from './request-trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

describe('a traceparent', () => {
  const hex = (length: number): fc.Arbitrary<string> =>
    fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`, 'u'));
  const isZero = (text: string): boolean => /^0+$/u.test(text);

  it('goes on as it came, with its state, where it is one', () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.constantFrom('00', '01'), (trace, parent, flags) => {
        fc.pre(!isZero(trace) && !isZero(parent));
        const sent = `00-${trace}-${parent}-${flags}`;
        const begun = beginTrace({ traceparent: sent, tracestate: 'a=1,b=2' }, 'GET /');
        expect(begun?.traceId).toBe(trace);
        expect(begun?.isSampled).toBe(flags === '01');
        expect(buildTraceHeaders(begun!)).toEqual({ traceparent: sent, tracestate: 'a=1,b=2' });
      }),
    );
  });

  it.each([
    undefined,
    '',
    'MRN-000101',
    traceparent.toUpperCase(),
    `ff${traceparent.slice(2)}`,
    `${traceparent}-more`,
    `${traceparent}, ${traceparent}`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-00f067aa0ba902b7-01\n`,
  ])('is none, and begins nothing: %p', (wrong) => {
    expect(beginTrace(wrong === undefined ? {} : { traceparent: wrong }, 'GET /')).toBeUndefined();
  });
});

const { amara } = personas;
const databaseUrl = await newDatabase();
const upstream = await startSpecService(sampleUserEnvelopes(amara.index), { databaseUrl });
const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
const gateway = await startSpecService([], {
  upstreams: createUpstreams(sampleTeamId, upstreamUrl, await upstream.key(sampleTeamId)),
});
const client = new HealthDataClient({
  baseUrl: `http://127.0.0.1:${gateway.port}`,
  apiKey: await gateway.key(sampleTeamId),
});

describe('from a client through a gateway to the database of the upstream', () => {
  async function sessions(): Promise<string[]> {
    const own = new pg.Client({ connectionString: databaseUrl });
    await own.connect();
    const { rows } = await own.query<{ name: string }>(
      "select application_name as name from pg_stat_activity where application_name like 'caregate%'",
    );
    await own.end();
    return rows.map(({ name }) => name);
  }
  const tracesIn = ({ log }: TestService): unknown[] =>
    log
      .map((line) => JSON.parse(line) as { msg: string; trace_id?: string })
      .filter(({ msg }) => msg === 'request')
      .map(({ trace_id }) => trace_id);

  it('one id stands in both logs and names the session', async () => {
    await client.users.resolve(amara.clientUserId, { headers: { traceparent } });
    expect([tracesIn(gateway), tracesIn(upstream)]).toEqual([[traceId], [traceId]]);
    expect(await sessions()).toContain(`caregate serve ${traceId}`);
  });

  it('a trace that is not to be kept stands in the logs, and costs the database nothing', async () => {
    const other = '0af7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${other}-b7ad6b7169203331-00` };
    await client.users.resolve(amara.clientUserId, { headers });
    expect([tracesIn(gateway).at(-1), tracesIn(upstream).at(-1)]).toEqual([other, other]);
    expect((await sessions()).join()).not.toContain(other);
  });

  it('a session is nameless again for the next request, and a line has no id of an untraced one', async () => {
    await client.users.resolve(amara.clientUserId, { headers: { traceparent } });
    await client.users.resolve(amara.clientUserId);
    expect([tracesIn(gateway).at(-1), tracesIn(upstream).at(-1)]).toEqual([undefined, undefined]);
    expect(await sessions()).not.toContain(`caregate serve ${traceId}`);
  });

  it('with an SDK each program has a span of its own, whose parent is the one before, down to the session of the database', async () => {
    const begun: BegunSpan[] = [];
    trace.setGlobalTracerProvider(providerOf(begun));
    try {
      await client.users.resolve(amara.clientUserId, { headers: { traceparent } });
      // Without a trace of the caller, the gateway begins one.
      await client.users.resolve(amara.clientUserId);
    } finally {
      trace.disable();
    }
    const [atGateway, atUpstream, ofNobody, below] = begun;
    const route = 'GET /v2/user/resolve/:client_user_id';
    expect(begun.map(({ name, kind }) => [name, kind])).toEqual(
      Array(4).fill([route, SpanKind.SERVER]),
    );
    expect(atGateway).toMatchObject({ traceId, parent: '00f067aa0ba902b7' });
    expect(atUpstream).toMatchObject({ traceId, parent: atGateway?.spanId });
    expect(ofNobody?.parent).toBeUndefined();
    expect(below).toMatchObject({ traceId: ofNobody?.traceId, parent: ofNobody?.spanId });
    expect(tracesIn(upstream).slice(-2)).toEqual([traceId, ofNobody?.traceId]);
    expect(await sessions()).toContain(`caregate serve ${ofNobody?.traceId ?? ''}`);
  });
});

interface BegunSpan {
  readonly name: string;
  readonly kind: SpanKind | undefined;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string | undefined;
}

/** A tracer provider like that of an SDK. It creates span IDs in the trace of the parent. */
// Runs last, since the registered provider stays.
describe('a traceparent', () => {
  it('that is invalid loses its state, also where a span of our own begins', () => {
    trace.setGlobalTracerProvider(providerOf([]));
    try {
      for (const wrong of [undefined, '', `${traceparent}-more`, traceparent.toUpperCase()]) {
        const headers = { ...(wrong !== undefined && { traceparent: wrong }), tracestate: 'a=1' };
        expect(buildTraceHeaders(beginTrace(headers, 'GET /')!)).not.toHaveProperty('tracestate');
      }
      const valid = beginTrace({ traceparent, tracestate: 'a=1' }, 'GET /');
      expect(buildTraceHeaders(valid!)).toHaveProperty('tracestate', 'a=1');
    } finally {
      trace.disable();
    }
  });
});

function providerOf(begun: BegunSpan[]): TracerProvider {
  const startSpan: Tracer['startSpan'] = (name, options, context) => {
    const parent = context && trace.getSpanContext(context);
    const own = {
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      traceFlags: TraceFlags.SAMPLED,
    };
    begun.push({ name, kind: options?.kind, ...own, parent: parent?.spanId });
    return trace.wrapSpanContext(own);
  };
  const startActiveSpan = (): never => {
    throw new Error('The service begins no span that way.');
  };
  return { getTracer: () => ({ startSpan, startActiveSpan }) };
}
