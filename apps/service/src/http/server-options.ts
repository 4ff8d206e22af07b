import { randomUUID } from 'node:crypto';
import type { FastifyHttpOptions, RawServerDefault } from 'fastify';
import type { ServiceConfig } from '../config/service-config.ts';
import { sendProblem } from '../problem/send-problem.ts';
import { toProblem } from '../problem/to-problem.ts';
import { clientErrorHandler } from './client-error.ts';
import { queryValues } from './schema.pipe.ts';
import { routable } from './request-path.ts';

/** The largest body any operation takes; the reads take none. */
const BODY_LIMIT_BYTES = 64 * 1024;

type Limits = Pick<
  ServiceConfig,
  | 'requestTimeoutMs'
  | 'headersTimeoutMs'
  | 'keepAliveTimeoutMs'
  | 'connectionTimeoutMs'
  | 'maxHeaderBytes'
>;

type ServerOptions = FastifyHttpOptions<RawServerDefault>;

/** The options of the Fastify server, as Nest's adapter takes them. Every limit and time-out is set: what Fastify leaves at 0 is without end. */
export function serverOptions(
  config: Limits,
  onClientError: (status: number, address: string) => void,
): ServerOptions {
  return {
    genReqId: () => randomUUID(),
    // A sender's own request id is never taken over: it could be anything, and end in our log.
    requestIdHeader: false,
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    connectionTimeout: config.connectionTimeoutMs,
    handlerTimeout: config.requestTimeoutMs,
    // Who is behind a proxy is found by our own `clientAddress`: Fastify's takes any text for an address.
    trustProxy: false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // `refuseWhileClosing` answers instead: Fastify's own 503 is no problem document and passes by the audit log.
    return503OnClosing: false,
    http: {
      maxHeaderSize: config.maxHeaderBytes,
      headersTimeout: config.headersTimeoutMs,
      // Here too: Node holds the one against the other before Fastify sets it.
      requestTimeout: config.requestTimeoutMs,
      // How often Node looks for connections past their time-out; its default of 30 s would outlast ours.
      connectionsCheckingInterval: Math.min(1000, config.headersTimeoutMs),
      // A missing Host is refused by our own check, as a problem document.
      requireHostHeader: false,
    },
    // Never reached: `malformation` counts first, behind the rate limits.
    routerOptions: {
      maxParamLength: config.maxHeaderBytes,
      querystringParser: queryValues,
    },
    rewriteUrl: (request) => routable(request.url ?? '/'),
    // A net: what the router would refuse before any hook has been taken out by `routable` and `malformation`.
    frameworkErrors: (error, request, reply) => {
      sendProblem(reply, toProblem(error), request.id);
    },
    clientErrorHandler: clientErrorHandler(config.maxHeaderBytes, onClientError),
  };
}
