import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Deadlines } from '../../http/deadlines.ts';
import { bytesIfLong } from '../../http/json-answer.ts';
import { hasDisconnected, type RequestLog } from '../../http/request-log.ts';
import { isPublicRoute } from '../../operations/operations.ts';
import { PUBLIC_ROUTES } from '../../operations/public-routes.ts';
import { routeOfRequest } from '../../operations/route-of-request.ts';
import type { ProblemType } from '../../problem/problems.ts';
import { PROBLEMS } from '../../problem/problems.ts';
import { noteProblem, PROBLEM_MEDIA_TYPE, problemText } from '../../problem/send-problem.ts';
import { errorForLog } from '../../problem/to-problem.ts';
import { type AuditEntry, AuditUnavailableError, type AuditRecorder } from '@caregate/audit-log';
import { actorFields } from '../record-acts.ts';
import type { RecordIds } from '../record-ids.ts';
import type { AnonymousCounts } from './anonymous-counts.ts';
import { RECORD_WITHIN_MS } from './service-acts.ts';
import type { TeamRecords } from './team-records.ts';
import type { PermissionTable } from '../../operations/permission-table.ts';
import type { Principal } from '../../access/principal.ts';
import type { ClientUserIds } from './client-user-ids.ts';
import { detailsOf, orderIdOf } from './details.ts';
import { dataCategoryOf, decisionOf, denialOf, reasonOf } from './outcome.ts';

export interface RecordingParts {
  readonly audit: AuditRecorder;
  readonly answerEntries: AnswerEntries;
  readonly recordIds: RecordIds;
  readonly anonymous: AnonymousCounts;
  readonly teamRecords: TeamRecords;
  readonly requestLog: RequestLog;
  readonly recordWithinMs?: number;
}

/**
 * Delays every response until its record is on disk; if recording fails, sends a 503 without any data. `onSend` is the
 * last step, so responses of guards, filters and Fastify itself are included.
 */
export function recordAnswers(fastify: FastifyInstance, parts: RecordingParts): void {
  const waiting = new WeakMap<FastifyRequest, { superseded: boolean }>();
  const deadlines = new Deadlines<() => void>(parts.recordWithinMs ?? RECORD_WITHIN_MS, (late) => {
    late();
  });

  // Not async: what is not recorded needs no promise.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { operation } = routeOfRequest(request);
    if (isPublicRoute(operation)) {
      // A sign-in or enrolment is recorded where it takes effect; a refused one is counted.
      if (reply.statusCode >= 400 && PUBLIC_ROUTES[operation].method === 'POST') {
        parts.anonymous.add(operation, reply.statusCode, request.clientAddress);
      }
      done(null, payload);
      return;
    }
    const { caller } = request;
    if (caller === undefined && reply.statusCode >= 400) {
      parts.anonymous.add(operation, reply.statusCode, request.clientAddress);
      done(null, payload);
      return;
    }
    const earlier = waiting.get(request);
    if (earlier !== undefined) {
      // A timeout while the first response waits for its record: the first is sent.
      earlier.superseded = true;
      return;
    }
    const mine = { superseded: false };
    waiting.set(request, mine);
    const status = reply.statusCode;
    const headers = reply.getHeaders();
    let isDecided = false;
    const decide = (decision: () => unknown): void => {
      if (!isDecided) {
        isDecided = true;
        deadlines.met(late);
        waiting.delete(request);
        const answer = decision();
        try {
          done(null, answer);
        } catch (error) {
          done(error as Error);
        }
      }
    };
    const refuse = (error: unknown): void => {
      if (payload instanceof Readable) {
        payload.destroy();
      }
      decide(() => refused(request, reply, error, parts.requestLog));
    };
    const late = (): void => {
      refuse(new AuditUnavailableError('Recording took too long', 5));
    };
    try {
      if (caller === undefined) {
        // Guarded routes require a key.
        throw new Error('The response cannot be recorded');
      }
      const entry = parts.answerEntries.entryOf(request, caller, operation, status);
      deadlines.add(late);
      parts.audit
        .record(entry)
        .then((receipt) => {
          parts.teamRecords.recorded(caller.teamId);
          const id = parts.recordIds.idOf(receipt);
          const body = status < 400 ? request.disclosure?.bodyWithRecord?.(id) : undefined;
          decide(() => {
            if (mine.superseded) {
              restore(reply, status, headers);
            }
            reply.header('x-audit-record-id', id);
            const answer = body ?? payload;
            return typeof answer === 'string' ? bytesIfLong(answer) : answer;
          });
        })
        .catch(refuse);
    } catch (error) {
      refuse(error);
    }
  });
}

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

/** Headers of the original response to remove. */
const ITS_OWN_HEADERS = [
  'content-length',
  'content-type',
  'content-disposition',
  'content-language',
  'vary',
  'x-next-cursor',
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
  reply.code(PROBLEMS[type].status).headers({
    'content-type': PROBLEM_MEDIA_TYPE,
    'cache-control': 'no-store',
    'retry-after': String(seconds),
  });
  noteProblem(reply, type);
  return problemText({ type }, request.id);
}

const BREAK_THE_GLASS = 'BTG';

export function policyVersionOf(table: PermissionTable): string {
  return createHash('sha256').update(JSON.stringify(table)).digest('hex').slice(0, 16);
}

export class AnswerEntries {
  readonly #table: PermissionTable;
  readonly #policyVersion: string;
  readonly #clientUserIds: ClientUserIds;

  constructor(table: PermissionTable, clientUserIds: ClientUserIds) {
    this.#table = table;
    this.#policyVersion = policyVersionOf(table);
    this.#clientUserIds = clientUserIds;
  }

  entryOf(
    request: FastifyRequest,
    caller: Principal,
    operation: string,
    status: number,
  ): AuditEntry {
    const { principal, disclosure } = request;
    const decision = decisionOf(status);
    // A missing result is not found, but its order's status is shown.
    const shown = decision === 'allowed' || decision === 'not_found' ? disclosure : undefined;
    const breakGlassId = shown?.breakGlassId ?? principal?.breakGlassId ?? null;
    const { teamId } = caller;
    const details = detailsOf(request, {
      clientUserId: (id) => this.#clientUserIds.hidden(teamId, id),
      search: (text) => this.#clientUserIds.hiddenSearch(teamId, text),
    });
    return {
      teamId: caller.teamId,
      ...actorFields(caller),
      operation,
      dataCategory: dataCategoryOf(operation),
      decision,
      reasonCode: this.#reason(request, caller, operation, status),
      httpStatus: status,
      purposeOfUse: principal?.breakGlassId === undefined ? null : BREAK_THE_GLASS,
      breakGlassId,
      orderId: orderIdOf(request),
      recordCount: shown?.recordCount ?? null,
      requestId: request.id,
      clientIp: request.clientAddress,
      policyVersion: this.#policyVersion,
      patients: shown?.patients ?? [],
      details: {
        ...details,
        ...(shown?.aboutUserId === undefined ? {} : { asked_user_id: shown.aboutUserId }),
        ...(shown?.shown === undefined ? {} : { shown: shown.shown }),
        ...shown?.details,
      },
    };
  }

  #reason(
    { principal }: FastifyRequest,
    caller: Principal,
    operation: string,
    status: number,
  ): string | null {
    if (status === 403) {
      return denialOf(this.#table, caller, operation) ?? 'forbidden';
    }
    if (status < 400 && principal?.breakGlassId !== undefined) {
      return 'break_glass';
    }
    if (status < 400 && principal?.sees === 'masked') {
      return 'masked';
    }
    return reasonOf(status);
  }
}
