import { randomUUID } from 'node:crypto';
import type { FastifyHttpOptions, RawServerDefault } from 'fastify';
import type { SecureContextOptions } from 'node:tls';
import type { Limits } from '../config/limits.ts';
import { sendProblem, toProblem } from '../problem/problem-error.ts';
import { clientErrorHandler, MAX_HEADER_BYTES } from './client-error.ts';
import { queryValues } from './schema.pipe.ts';
import { routable } from './raw-request.ts';

const BODY_LIMIT_BYTES = 64 * 1024;

/** An idle connection is kept open for longer than load balancers do, whose default is 60 s. */
const KEEP_ALIVE_MS = 65_000;
/** Inactivity during a request or response. */
const CONNECTION_MS = 120_000;

type ServerOptions = FastifyHttpOptions<RawServerDefault>;

/** Every limit is explicit: Fastify's defaults of 0 mean unlimited. @param certificate to serve HTTPS */
export function serverOptions(
  limits: Limits,
  onClientError: (status: number, address: string) => void,
  certificate?: SecureContextOptions,
): ServerOptions {
  const node = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.headersMs,
    // Also here: Node validates one against the other before Fastify sets it.
    requestTimeout: limits.requestMs,
    // Node's default of 30 s is longer than our timeouts.
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    // Our own check answers with a problem document.
    requireHostHeader: false,
  };
  return {
    genReqId: () => randomUUID(),
    // Clients' ids could contain anything, and would be logged.
    requestIdHeader: false,
    logger: false,
    // No route has a schema of Fastify's. Without these, it would load Ajv at each start.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: CONNECTION_MS,
    // Fastify would accept any text as an address; see `clientAddress`.
    trustProxy: false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // Fastify's 503 is no problem document and bypasses the audit log.
    return503OnClosing: false,
    ...(certificate === undefined
      ? { http: node }
      : { https: { ...node, ...certificate, handshakeTimeout: limits.headersMs } }),
    // Never reached: `malformedRequest` checks the length first.
    routerOptions: {
      maxParamLength: MAX_HEADER_BYTES,
      querystringParser: queryValues,
    },
    rewriteUrl: (request) => routable(request.url ?? '/'),
    // A safety net behind `routable` and `malformedRequest`.
    frameworkErrors: (error, request, reply) => {
      sendProblem(reply, toProblem(error), request.id);
    },
    clientErrorHandler: clientErrorHandler(onClientError),
  };
}

function noSchema(): never {
  throw new Error(
    'A route has a schema of Fastify; use the compiled validators of @caregate/domain',
  );
}
