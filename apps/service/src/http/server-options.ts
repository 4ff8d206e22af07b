import { randomUUID } from 'node:crypto';
import type { FastifyHttpOptions, RawServerDefault } from 'fastify';
import type { SecureContextOptions } from 'node:tls';
import type { Limits } from '../config/limits.ts';
import { sendProblem, toProblem } from '../problem/problem-error.ts';
import { createClientErrorHandler, MAX_HEADER_BYTES } from './client-error.ts';
import { parseQueryValues } from './schema.pipe.ts';
import { toRoutableTarget } from './raw-request.ts';

const BODY_LIMIT_BYTES = 64 * 1024;

/**
 * Milliseconds after which an idle connection is closed. Load balancers close theirs after 60 s by default, and must
 * be first.
 */
const KEEP_ALIVE_MS = 65_000;
/** Milliseconds of inactivity during a request or response. */
const CONNECTION_MS = 120_000;

type ServerOptions = FastifyHttpOptions<RawServerDefault>;

/**
 * Returns Fastify's options. Every limit is explicit, since Fastify's default of 0 means unlimited. @param
 * certificate to serve HTTPS
 */
export function buildServerOptions(
  limits: Limits,
  onClientError: (status: number, address: string) => void,
  certificate?: SecureContextOptions,
): ServerOptions {
  const node = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.headersMs,
    // Set here, too, since Node validates the timeouts against each other before Fastify sets them.
    requestTimeout: limits.requestMs,
    // Node's default of 30 s is longer than our timeouts.
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    // `findRequestProblem` makes this check and responds with a problem document.
    requireHostHeader: false,
  };
  return {
    genReqId: () => randomUUID(),
    // A client's ID could contain anything, and would be logged.
    requestIdHeader: false,
    logger: false,
    // No route has a Fastify schema. Without these, Fastify would load Ajv at each start.
    schemaController: {
      compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema },
    },
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: CONNECTION_MS,
    // Fastify would accept any text as an address; see `readClientAddress`.
    trustProxy: false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // Fastify's own 503 is not a problem document, and bypasses the audit log.
    return503OnClosing: false,
    ...(certificate === undefined
      ? { http: node }
      : { https: { ...node, ...certificate, handshakeTimeout: limits.headersMs } }),
    // Never reached, since `findRequestProblem` checks the length first.
    routerOptions: {
      maxParamLength: MAX_HEADER_BYTES,
      querystringParser: parseQueryValues,
    },
    rewriteUrl: (request) => toRoutableTarget(request.url ?? '/'),
    // A fallback for errors that `toRoutableTarget` and `findRequestProblem` don't prevent.
    frameworkErrors: (error, request, reply) => {
      sendProblem(reply, toProblem(error), request.id);
    },
    clientErrorHandler: createClientErrorHandler(onClientError),
  };
}

function rejectSchema(): never {
  throw new Error(
    'A route has a schema of Fastify; use the compiled validators of @caregate/domain',
  );
}
