import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AuditLogError, Witness, type VerifierKey } from '@caregate/audit-log';
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { RateLimit } from '../access/limits/rate-limits.ts';
import { lockWitness, openCosigners } from './witness-folder.ts';

/** 63 hashes of a proof and a checkpoint with many signatures; one of ML-DSA-44 has 3 KB. */
const BODY_LIMIT_BYTES = 128 * 1024;
const MAX_CONNECTIONS = 256;
/** A minute, of an address. A service asks every five seconds; many may share an address. */
const MOST_REQUESTS = 1200;

/** Serves C2SP tlog-witness; not yet listening. */
export function witnessServer(witness: Witness, logger: Logger): FastifyInstance {
  const server = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: 10_000,
    keepAliveTimeout: 65_000,
    connectionTimeout: 30_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    http: { headersTimeout: 10_000, maxHeaderSize: 8192, connectionsCheckingInterval: 1000 },
  });
  server.server.maxConnections = MAX_CONNECTIONS;
  // The specification names no content type.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });

  const rate = new RateLimit(MOST_REQUESTS);
  server.addHook('onRequest', async (request, reply) => {
    const seconds = rate.count(request.ip);
    if (seconds !== undefined) {
      reply.header('retry-after', String(seconds));
      await sentence(reply, 429, 'Too many requests from this address.');
    }
  });
  server.post('/add-checkpoint', async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const answer = witness.addCheckpoint(body);
    await reply.code(answer.status).type(answer.contentType).send(answer.body);
  });
  server.get<{ Params: { originHash: string } }>(
    '/:originHash/checkpoint',
    async (request, reply) => {
      const note = witness.checkpoint(request.params.originHash);
      await (note === undefined
        ? sentence(reply, 404, 'This witness has cosigned no checkpoint of such a log.')
        : reply.type('text/plain; charset=utf-8').send(note));
    },
  );
  server.setNotFoundHandler(async (_request, reply) => {
    await sentence(
      reply,
      404,
      'A witness answers POST /add-checkpoint, and GET /<SHA-256 of the origin>/checkpoint.',
    );
  });
  server.setErrorHandler(async (error: FastifyError, _request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode < 500) {
      await sentence(reply, statusCode, `The request is not valid: ${error.message}.`);
      return;
    }
    const known = error instanceof AuditLogError ? error.message : undefined;
    logger.error({ code: error.code, reason: known }, 'nothing was cosigned');
    await sentence(
      reply,
      500,
      known ?? 'The witness cannot store its state: nothing was cosigned.',
    );
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const status = reply.statusCode;
    const level = status < 400 || status === 409 ? 'info' : 'warn';
    logger[level]({ method, route: routeOptions.url, status, client: request.ip }, 'request');
    done();
  });
  return server;
}

async function sentence(reply: FastifyReply, status: number, text: string): Promise<void> {
  await reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`);
}

interface WitnessOptions {
  readonly dataDir: string;
  readonly name: string | undefined;
  readonly logs: readonly VerifierKey[];
  readonly host: string;
  readonly port: number;
  readonly logger: Logger;
}

/** @throws OperatorError if the folder is not usable or taken; the system's error of `listen` */
export async function serveWitness(
  options: WitnessOptions,
): Promise<{ readonly baseUrl: string; stop(): Promise<void> }> {
  const { dataDir, name, logs, host, port, logger } = options;
  const cosigners = openCosigners(dataDir, name);
  const lock = lockWitness(dataDir);
  const now = (): number => Math.floor(Date.now() / 1000);
  const server = witnessServer(
    Witness.inFolder(join(dataDir, 'witness'), { logs, cosigners, now }),
    logger,
  );
  try {
    await server.listen({ host, port });
  } catch (error) {
    lock.close();
    throw error;
  }
  const address = server.server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    baseUrl: `http://${shown}:${address.port}`,
    stop: async () => {
      await server.close();
      lock.close();
    },
  };
}
