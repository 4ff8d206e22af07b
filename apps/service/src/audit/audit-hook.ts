import { AuditUnavailableError } from '@caregate/audit-log';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { getOperation } from '../auth/operation.decorator.ts';
import { AUDIT_RECORDER } from '../common/tokens.ts';
import { chooseLogGroup, RequestLog } from '../http/request-log.ts';
import { isPublicRoute, PUBLIC_ROUTES } from '../operations/operations.ts';
import {
  describeErrorForLog,
  noteProblem,
  getProblemMediaType,
  formatProblem,
} from '../problem/problem-error.ts';
import { PROBLEMS } from '../problem/problems.ts';
import { AnonymousCounts } from './anonymous-counts.ts';
import { AnswerEntries } from './answer-entry.ts';
import type { AuditRecorder } from './audit-record.ts';
import { RecordIds } from './record-ids.ts';
import { recordInTime, formatRetryAfter } from './service-acts.ts';

type Send = (error: Error | null, payload?: unknown) => void;

declare module 'fastify' {
  interface FastifyRequest {
    isRecording?: boolean;
  }
}

/**
 * Delays each response until its audit record is committed, and sends a 503 if that fails. This is the only `onSend`
 * hook, so the record describes the response that is sent.
 */
@Injectable()
export class AuditHook {
  constructor(
    @Inject(AUDIT_RECORDER) private readonly audit: AuditRecorder,
    private readonly entries: AnswerEntries,
    private readonly recordIds: RecordIds,
    private readonly anonymous: AnonymousCounts,
    private readonly requestLog: RequestLog,
  ) {}

  /** Not async, so that responses without a record don't need a promise. */
  record(reply: FastifyReply, payload: unknown, send: Send): void {
    const { request, statusCode: status } = reply;
    const operation = getOperation(request);
    const isPublic = isPublicRoute(operation);
    if (isPublic || (request.caller === undefined && status >= 400)) {
      // A successful sign-in or enrollment is recorded by its own service. A refused one is counted.
      if (status >= 400 && (!isPublic || PUBLIC_ROUTES[operation].method === 'POST')) {
        this.anonymous.add(operation, status, request.clientAddress);
      }
      send(null, payload);
    } else if (request.isRecording !== true) {
      request.isRecording = true;
      this.#record(reply, payload, operation)
        .then((answer) => {
          request.isRecording = false;
          send(null, answer);
        })
        .catch(send);
    }
    // Otherwise, a response arrived while the record of its timeout is being written. It is never sent.
  }

  async #record(reply: FastifyReply, payload: unknown, operation: string): Promise<unknown> {
    const { request, statusCode: status } = reply;
    const { caller, disclosure } = request;
    // A late response would change the headers, so restore them afterwards.
    const headers = status === PROBLEMS.timeout.status ? reply.getHeaders() : undefined;
    try {
      if (caller === undefined) {
        throw new Error('The response of a guarded route has no caller, so it cannot be recorded');
      }
      const entry = this.entries.describe(request, caller, operation, status);
      const id = this.recordIds.encrypt(await recordInTime(this.audit.record(entry)));
      if (headers !== undefined) {
        restoreHeaders(reply, status, headers);
      }
      reply.header('x-audit-record-id', id);
      return (status < 400 ? disclosure?.bodyWithRecord?.(id) : undefined) ?? payload;
    } catch (error) {
      if (payload instanceof Readable) {
        payload.destroy();
      }
      return this.#refuse(reply, error);
    }
  }

  #refuse(reply: FastifyReply, error: unknown): string {
    const { request } = reply;
    const isBusy = error instanceof AuditUnavailableError;
    if (!isBusy) {
      const facts = { request_id: request.id, error: describeErrorForLog(error) };
      const line = { level: 'error', facts, message: 'response could not be recorded' } as const;
      this.requestLog.write(line, chooseLogGroup(request, error));
    }
    for (const name of RESPONSE_HEADERS) {
      reply.removeHeader(name);
    }
    const type = 'unavailable';
    reply.code(PROBLEMS[type].status).headers({
      'content-type': getProblemMediaType(request),
      'cache-control': 'no-store',
      ...(isBusy ? formatRetryAfter(error) : { 'retry-after': '5' }),
    });
    noteProblem(reply, type);
    return formatProblem({ type }, request.id, request);
  }
}

function restoreHeaders(
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

const RESPONSE_HEADERS = [
  'content-length',
  'content-type',
  'content-disposition',
  'x-next-cursor',
  'x-break-glass-id',
  'www-authenticate',
  'allow',
  'retry-after',
] as const;
