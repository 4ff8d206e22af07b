import { type AuditReceipt, AuditUnavailableError } from '@caregate/audit-log';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { operationOf } from '../../auth/operation.decorator.ts';
import { AUDIT_RECORDER } from '../../common/tokens.ts';
import { groupOf, RequestLog } from '../../http/request-log.ts';
import { isPublicRoute } from '../../operations/operations.ts';
import { PUBLIC_ROUTES } from '../../operations/public-routes.ts';
import { noteProblem, problemMediaType, problemText } from '../../problem/problem-error.ts';
import { PROBLEMS, type ProblemType } from '../../problem/problems.ts';
import { errorForLog } from '../../problem/to-problem.ts';
import type { AuditRecorder } from '../record/audit-entry.ts';
import { RecordIds } from '../record-ids.ts';
import { AnonymousCounts } from './anonymous-counts.ts';
import { AnswerEntries } from './answer-entries.ts';
import { RECORD_WITHIN_MS } from './service-acts.ts';

type Payload = string | Buffer | Readable | null | undefined;
type Send = (error: Error | null, payload?: unknown) => void;

declare module 'fastify' {
  interface FastifyRequest {
    recording?: PendingAnswer | undefined;
  }
}

/** Delays each answer until its record is committed, else sends a 503. The only `onSend` hook, so that the record is of what is sent. */
@Injectable()
export class AuditHook {
  constructor(
    @Inject(AUDIT_RECORDER) private readonly audit: AuditRecorder,
    private readonly entries: AnswerEntries,
    readonly recordIds: RecordIds,
    private readonly anonymous: AnonymousCounts,
    readonly requestLog: RequestLog,
  ) {}

  /** Not async: what is not recorded needs no promise. */
  record(reply: FastifyReply, payload: unknown, send: Send): void {
    const { request } = reply;
    const operation = operationOf(request);
    if (isPublicRoute(operation)) {
      // A sign-in or enrolment is recorded where it takes effect; a refused one is counted.
      if (reply.statusCode >= 400 && PUBLIC_ROUTES[operation].method === 'POST') {
        this.anonymous.add(operation, reply.statusCode, request.clientAddress);
      }
      send(null, payload);
      return;
    }
    const { caller } = request;
    if (caller === undefined && reply.statusCode >= 400) {
      this.anonymous.add(operation, reply.statusCode, request.clientAddress);
      send(null, payload);
      return;
    }
    if (request.recording !== undefined) {
      // A timeout while the first response waits for its record: the first is sent.
      request.recording.isSuperseded = true;
      return;
    }
    const pending = new PendingAnswer(this, reply, payload as Payload, (answer) => {
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
    }, RECORD_WITHIN_MS).unref();
    try {
      if (caller === undefined) {
        // Guarded routes require a key.
        throw new Error('The response cannot be recorded');
      }
      const entry = this.entries.entryOf(request, caller, operation, reply.statusCode);
      this.audit
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
  readonly #hook: Pick<AuditHook, 'recordIds' | 'requestLog'>;
  readonly #reply: FastifyReply;
  readonly #payload: Payload;
  readonly #send: (answer: unknown) => void;
  readonly #status: number;
  readonly #headers: ReturnType<FastifyReply['getHeaders']>;

  constructor(
    hook: Pick<AuditHook, 'recordIds' | 'requestLog'>,
    reply: FastifyReply,
    payload: Payload,
    send: (answer: unknown) => void,
  ) {
    this.#hook = hook;
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
    const id = this.#hook.recordIds.idOf(receipt);
    const body = this.#status < 400 ? request.disclosure?.bodyWithRecord?.(id) : undefined;
    if (this.isSuperseded) {
      restore(this.#reply, this.#status, this.#headers);
    }
    this.#reply.header('x-audit-record-id', id);
    const answer = body ?? this.#payload;
    this.#decide(answer);
  }

  refuse(error: unknown): void {
    if (this.#isDecided()) {
      return;
    }
    if (this.#payload instanceof Readable) {
      this.#payload.destroy();
    }
    this.#decide(refused(this.#reply, error, this.#hook.requestLog));
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
    const facts = { request_id: request.id, error: errorForLog(error) };
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
