import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bytesIfLong } from '../../http/json-answer.ts';
import { factsText, groupOf, type RequestLog } from '../../http/request-log.ts';
import { isPublicRoute, routeOfRequest } from '../../operations/operations.ts';
import { PUBLIC_ROUTES } from '../../operations/public-routes.ts';
import type { ProblemType } from '../../problem/problems.ts';
import { PROBLEMS } from '../../problem/problems.ts';
import { noteProblem, problemMediaType, problemText } from '../../problem/problem-error.ts';
import { errorForLog } from '../../problem/to-problem.ts';
import { type AuditReceipt, AuditUnavailableError } from '@caregate/audit-log';
import type { RecordIds } from '../record-ids.ts';
import type { AnonymousCounts } from './anonymous-counts.ts';
import { RECORD_WITHIN_MS } from './service-acts.ts';
import type { PermissionTable } from '../../operations/permission-table.ts';
import type { Principal } from '../../access/principal.ts';
import {
  type ClientUserIds,
  detailsOf,
  orderIdOf,
  dataCategoryOf,
  decisionOf,
  denialOf,
  reasonOf,
} from './details.ts';
import { actorFields, type AuditEntry, type AuditRecorder } from '../record/audit-entry.ts';

export interface RecordingParts {
  readonly audit: AuditRecorder;
  readonly answerEntries: AnswerEntries;
  readonly recordIds: RecordIds;
  readonly anonymous: AnonymousCounts;
  readonly requestLog: RequestLog;
  readonly recordWithinMs?: number;
}

type Payload = string | Buffer | Readable | null | undefined;
type Send = (error: Error | null, payload?: unknown) => void;

declare module 'fastify' {
  interface FastifyRequest {
    recording?: PendingAnswer | undefined;
  }
}

/** Delays each response until its record is on disk, else sends a 503. The last step, so that it has answers of guards, too. */
export class AnswerRecorder {
  readonly #parts: RecordingParts;

  constructor(parts: RecordingParts) {
    this.#parts = parts;
  }

  /** Not async: what is not recorded needs no promise. */
  record(reply: FastifyReply, payload: unknown, send: Send): void {
    const { request } = reply;
    const { operation } = routeOfRequest(request);
    if (isPublicRoute(operation)) {
      // A sign-in or enrolment is recorded where it takes effect; a refused one is counted.
      if (reply.statusCode >= 400 && PUBLIC_ROUTES[operation].method === 'POST') {
        this.#parts.anonymous.add(operation, reply.statusCode, request.clientAddress);
      }
      send(null, payload);
      return;
    }
    const { caller } = request;
    if (caller === undefined && reply.statusCode >= 400) {
      this.#parts.anonymous.add(operation, reply.statusCode, request.clientAddress);
      send(null, payload);
      return;
    }
    if (request.recording !== undefined) {
      // A timeout while the first response waits for its record: the first is sent.
      request.recording.isSuperseded = true;
      return;
    }
    const pending = new PendingAnswer(this.#parts, reply, payload as Payload, (answer) => {
      clearTimeout(timer);
      try {
        send(null, answer);
      } catch (error) {
        send(error as Error);
      }
    });
    request.recording = pending;
    const timer = setTimeout(() => {
      pending.refuse(
        new AuditUnavailableError('Recording took too long', {
          retryAfterSeconds: 5,
          isRefused: false,
        }),
      );
    }, this.#parts.recordWithinMs ?? RECORD_WITHIN_MS).unref();
    try {
      if (caller === undefined) {
        // Guarded routes require a key.
        throw new Error('The response cannot be recorded');
      }
      const entry = this.#parts.answerEntries.entryOf(request, caller, operation, reply.statusCode);
      this.#parts.audit
        .record(entry)
        .then((receipt) => {
          pending.recorded(receipt);
        })
        .catch((error: unknown) => {
          pending.refuse(error);
        });
    } catch (error) {
      pending.refuse(error);
    }
  }
}

class PendingAnswer {
  isSuperseded = false;
  readonly #parts: RecordingParts;
  readonly #reply: FastifyReply;
  readonly #payload: Payload;
  readonly #send: (answer: unknown) => void;
  readonly #status: number;
  readonly #headers: ReturnType<FastifyReply['getHeaders']>;

  constructor(
    parts: RecordingParts,
    reply: FastifyReply,
    payload: Payload,
    send: (answer: unknown) => void,
  ) {
    this.#parts = parts;
    this.#reply = reply;
    this.#payload = payload;
    this.#send = send;
    this.#status = reply.statusCode;
    this.#headers = reply.getHeaders();
  }

  recorded(receipt: AuditReceipt): void {
    if (this.#isDecided()) {
      return;
    }
    const { request } = this.#reply;
    const id = this.#parts.recordIds.idOf(receipt);
    const body = this.#status < 400 ? request.disclosure?.bodyWithRecord?.(id) : undefined;
    if (this.isSuperseded) {
      restore(this.#reply, this.#status, this.#headers);
    }
    this.#reply.header('x-audit-record-id', id);
    const answer = body ?? this.#payload;
    this.#decide(typeof answer === 'string' ? bytesIfLong(answer) : answer);
  }

  refuse(error: unknown): void {
    if (this.#isDecided()) {
      return;
    }
    if (this.#payload instanceof Readable) {
      this.#payload.destroy();
    }
    this.#decide(refused(this.#reply, error, this.#parts.requestLog));
  }

  #isDecided(): boolean {
    return this.#reply.request.recording !== this;
  }

  #decide(answer: unknown): void {
    this.#reply.request.recording = undefined;
    this.#send(answer);
  }
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

function refused(reply: FastifyReply, error: unknown, log: RequestLog): string {
  const { request } = reply;
  const isBusy = error instanceof AuditUnavailableError;
  if (!isBusy) {
    const facts = factsText({ request_id: request.id, error: errorForLog(error) });
    const line = { level: 'error', facts, message: 'response could not be recorded' } as const;
    log.write(line, groupOf(request, error));
  }
  for (const name of ITS_OWN_HEADERS) {
    reply.removeHeader(name);
  }
  const type: ProblemType = 'unavailable';
  const seconds = isBusy ? Math.max(1, Math.ceil(error.retryAfterSeconds)) : 5;
  reply.code(PROBLEMS[type].status).headers({
    'content-type': problemMediaType(request),
    'cache-control': 'no-store',
    'retry-after': String(seconds),
  });
  noteProblem(reply, type);
  return problemText({ type }, request.id, request);
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
      dataCategory: shown?.category ?? dataCategoryOf(operation),
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
