import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasDisconnected, type RequestLog } from '../../http/request-log.ts';
import { isPublicRoute } from '../../operations/operations.ts';
import { routeOfRequest } from '../../operations/route-of-request.ts';
import type { ProblemType } from '../../problem/problems.ts';
import { PROBLEMS } from '../../problem/problems.ts';
import { PROBLEM_MEDIA_TYPE, problemText } from '../../problem/send-problem.ts';
import { errorForLog } from '../../problem/to-problem.ts';
import {
  AuditUnavailableError,
  type AuditReceipt,
  type AuditEntry,
  type AuditRecorder,
} from '../audit-entry.ts';
import type { RecordIds } from '../record-ids.ts';
import type { AnonymousCounts } from './anonymous-counts.ts';
import type { AnswerEntries } from './answer-entry.ts';

/** Timeout of recording: then the response is a 503 instead of waiting for a disk. */
const RECORD_WITHIN_MS = 10_000;

export interface RecordingParts {
  readonly audit: AuditRecorder;
  readonly answerEntries: AnswerEntries;
  readonly recordIds: RecordIds;
  readonly anonymous: AnonymousCounts;
  readonly requestLog: RequestLog;
  readonly recordWithinMs?: number;
}

/**
 * Delays every response until its record is on disk, including denied and failed ones; if recording fails, a 503 without any
 * data is sent instead. Runs after the last step that creates a response (`onSend`), so it applies to responses of guards,
 * filters and Fastify itself as well.
 */
export function recordAnswers(fastify: FastifyInstance, parts: RecordingParts): void {
  const waiting = new WeakMap<FastifyRequest, { superseded: boolean }>();

  fastify.addHook('onSend', async (request, reply, payload) => {
    const operation = routeOfRequest(request);
    if (isPublicRoute(operation)) {
      return payload;
    }
    const { caller } = request;
    if (caller === undefined && reply.statusCode >= 400) {
      parts.anonymous.add(operation, reply.statusCode, request.clientAddress);
      return payload;
    }
    const earlier = waiting.get(request);
    if (earlier !== undefined) {
      // A timeout while the first response waits for its record: that one is sent, this one is dropped.
      earlier.superseded = true;
      return await new Promise<never>(() => undefined);
    }
    const mine = { superseded: false };
    waiting.set(request, mine);
    const status = reply.statusCode;
    const headers = reply.getHeaders();
    try {
      if (caller === undefined || !isWhole(payload)) {
        // Should not happen: guarded routes require a key, and their responses are not streams.
        throw new Error('The response cannot be recorded');
      }
      const entry = parts.answerEntries.entryOf(request, caller, operation, status);
      const receipt = await recordWithin(parts, entry);
      if (mine.superseded) {
        restore(reply, status, headers);
      }
      reply.header('x-audit-record-id', parts.recordIds.idOf(receipt));
      return payload;
    } catch (error) {
      return refused(request, reply, error, parts.requestLog);
    } finally {
      waiting.delete(request);
    }
  });
}

async function recordWithin(parts: RecordingParts, entry: AuditEntry): Promise<AuditReceipt> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AuditUnavailableError('Recording took too long', 5));
    }, parts.recordWithinMs ?? RECORD_WITHIN_MS);
  });
  try {
    return await Promise.race([parts.audit.record(entry), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the response is complete; a stream could still fail after its record. */
function isWhole(payload: unknown): boolean {
  return payload == null || typeof payload === 'string' || Buffer.isBuffer(payload);
}

/** Restores status and headers after a later response that was dropped. */
function restore(
  reply: FastifyReply,
  status: number,
  headers: ReturnType<FastifyReply['getHeaders']>,
): void {
  for (const name of Object.keys(reply.getHeaders())) {
    if (!(name in headers)) {
      reply.removeHeader(name);
    }
  }
  reply.code(status).headers(headers);
}

/** Headers of the original response, which must be removed. */
const ITS_OWN_HEADERS = [
  'content-length',
  'content-type',
  'x-break-glass-id',
  'www-authenticate',
  'allow',
  'retry-after',
] as const;

function refused(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  log: RequestLog,
): string {
  const isBusy = error instanceof AuditUnavailableError;
  if (!isBusy) {
    const facts = { request_id: request.id, error: errorForLog(error) };
    const line = { level: 'error', facts, message: 'response could not be recorded' } as const;
    log.write(line, hasDisconnected(request.raw));
  }
  for (const name of ITS_OWN_HEADERS) {
    reply.removeHeader(name);
  }
  const type: ProblemType = 'unavailable';
  const seconds = isBusy ? Math.max(1, Math.ceil(error.retryAfterSeconds)) : 5;
  reply
    .code(PROBLEMS[type].status)
    .headers({ 'content-type': PROBLEM_MEDIA_TYPE, 'retry-after': String(seconds) });
  return problemText({ type }, request.id);
}
