import { afterAll } from '@jest/globals';
import { type AuditLogEvents } from '../audit/trail/audit-trail.ts';
import type { ImportEnvelope } from '@caregate/domain';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { RecordAct } from '../auth/access-acts.ts';
import type { AccessStore } from '../auth/access-store.ts';
import type { Role } from '../operations/operations.ts';
import { createActRecorder } from '../audit/service-acts.ts';
import { CheckpointCopy } from '../audit/checkpoint-copy.ts';
import { RecordIds } from '../audit/record-ids.ts';
import { openAccess, openAudit, openSource } from '../open-data.ts';
import type { Limits } from '../config/limits.ts';
import { readConfig } from '../config/read-config.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { createApp } from '../create-app.ts';
import type { DiskSpace } from '../health/disk-watch.ts';
import { MetricsToken } from '../health/metrics-token.ts';
import {
  type HealthDataSource,
  importEnvelopes,
  openStoreForWriting,
  type Upstreams,
  ImportWriter,
} from '@caregate/data-store';
import type { AuditRecorder } from '../audit/audit-record.ts';

export interface TestService {
  readonly app: NestFastifyApplication;
  readonly access: AccessStore;
  readonly source: HealthDataSource;
  readonly audit: AuditRecorder;
  readonly auditEvents: AuditLogEvents;
  /** Returns the position of the record that a response names. */
  readSeq(answer: Pick<Answer, 'headers'>): number;
  key(teamId: string, role?: Role): Promise<string>;
  /** Sends a GET over a real connection. The path is sent as it is. */
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Answer>;
  request(
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: object,
  ): Promise<Answer>;
  post(path: string, key: string, body: object): Promise<Answer>;
  metrics(): Promise<Answer>;
  readonly port: number;
  readonly folder: string;
  readonly log: readonly string[];
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body: string;
  json(): unknown;
}

/** Returns the parts of an answer that are equal for equal requests. */
export function comparable({ status, headers, body }: Answer): unknown {
  const own = { date: '', 'x-request-id': '', 'x-audit-record-id': '', 'retry-after': '' };
  return {
    status,
    headers: { ...headers, ...own },
    body: body.replace(/"request_id":"[0-9a-f-]{36}"/u, '"request_id":""'),
  };
}

const roomyDisk: DiskSpace = { freeBytes: 2 ** 40, totalBytes: 2 ** 41 };

interface ServiceOptions {
  readonly config?: Partial<ServiceConfig>;
  readonly limits?: Partial<Limits>;
  /** Replaces methods of the data source. */
  readonly source?: Partial<HealthDataSource>;
  readonly upstreams?: Upstreams;
  readonly databaseUrl?: string;
  readonly diskSpace?: () => Promise<DiskSpace>;
  /** Replaces the audit recorder. */
  readonly audit?: (log: AuditRecorder) => AuditRecorder;
}

/** Starts a service like {@link testService} for all tests of a spec file, after which it is closed. */
export async function startSpecService(
  envelopes: Iterable<ImportEnvelope>,
  options?: ServiceOptions,
): Promise<TestService> {
  const service = await testService(envelopes, options);
  afterAll(() => service.close());
  return service;
}

/** Starts the whole service with its own store. Requests are not limited unless limits are given. */
export async function testService(
  envelopes: Iterable<ImportEnvelope>,
  options: ServiceOptions = {},
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-service-'));
  const { databaseUrl = '' } = options;
  const read = readConfig({ CAREGATE_DATA: folder, DATABASE_URL: databaseUrl });
  const noLimits = { rateLimitPerKey: 1_000_000_000, concurrencyPerKey: 1_000_000 };
  const config = { ...read, ...noLimits, ...options.config, dataDir: folder, databaseUrl };
  const log: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line) => void log.push(line) });
  const writer = new ImportWriter(await openStoreForWriting({ dataDir: folder, databaseUrl }));
  const report = await importEnvelopes(writer, 'spec', envelopes);
  await writer.close();
  if (!report.imported) {
    throw new Error(`The spec's data was refused: ${JSON.stringify(report)}`);
  }
  const store = await openSource(config, logger);
  const source = Object.assign(store, options.source);
  const { audit: auditLog, ...rest } = await openAudit(config);
  const { auditTrail, auditEvents } = rest;
  const audit = options.audit?.(auditLog) ?? auditLog;
  // The command line creates API keys, and records that itself.
  const acts = createActRecorder(audit);
  const recorded: RecordAct = (act, decision) =>
    act.operation.endsWith('Key') ? Promise.resolve() : acts(act, decision);
  const access = await openAccess(config, recorded);
  const opened = { trail: auditTrail, logId: auditLog.logId, logger };
  const checkpointCopy = await CheckpointCopy.open(config, opened);
  const app = await createApp({
    config,
    limits: { requestsPerAddress: 1_000_000_000, ...options.limits },
    source,
    upstreams: options.upstreams ?? new Map(),
    access,
    audit,
    ...rest,
    diskSpace: options.diskSpace ?? (() => Promise.resolve(roomyDisk)),
    checkpointCopy,
    logger,
  }).catch(async (error: unknown) => {
    await auditTrail.close();
    await Promise.all([store.close(), access.close(), auditLog.close()]);
    throw error;
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    access,
    source,
    audit,
    auditEvents,
    readSeq: ({ headers }) =>
      app.get(RecordIds, { strict: false }).decrypt(String(headers['x-audit-record-id']))?.seq ??
      NaN,
    log,
    async key(teamId, role = 'clinician') {
      return (await access.keys.create({ teamId, role, label: `spec ${role}` })).key;
    },
    port,
    folder,
    get: (path, key, headers = {}) =>
      send(
        port,
        'GET',
        path,
        key === undefined ? headers : { 'x-service-api-key': key, ...headers },
      ),
    request: (method, path, headers = {}, body) => send(port, method, path, headers, body),
    post: (path, key, body) => send(port, 'POST', path, { 'x-service-api-key': key }, body),
    metrics: () => {
      const { text } = app.get(MetricsToken, { strict: false });
      return send(port, 'GET', '/metrics', { authorization: `Bearer ${text}` });
    },
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a request over a new connection. Node's client sends the path as it is, without resolving dots or encoding. */
async function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer> {
  const content = body && Buffer.from(JSON.stringify(body));
  return await new Promise((resolve, reject) => {
    const sent =
      content === undefined
        ? headers
        : {
            'content-type': 'application/json',
            'content-length': String(content.length),
            ...headers,
          };
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: sent,
      agent: false,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: text,
          json: () => JSON.parse(text) as unknown,
        });
      });
    });
    outgoing.end(content);
  });
}
