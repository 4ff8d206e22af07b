import type { StoredRecord } from '@caregate/data-store';
import { READ_OPERATIONS } from '@caregate/domain/operations';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createRequestDecorator, requirePrincipal } from '../auth/caller.ts';
import type { Profile } from '../config/service-config.ts';
import { createNotFoundError } from '../problem/problem-error.ts';
import { toPublicSdkBody } from './public-sdk.ts';

/** Which data a response discloses, for the audit record. It is ignored if the response is not sent. */
export interface Disclosure {
  readonly patients: readonly string[];
  /** Number of users, results, insurances, points or events. */
  readonly recordCount: number;
  readonly breakGlassId?: string;
  /** The user that the request was about, if no data of theirs is returned. */
  readonly aboutUserId?: string;
  /** `listed` if the patients were only shown in a list. */
  readonly shown?: 'listed';
  /** Category of the data, if it differs from that of the operation. */
  readonly category?: 'user' | 'insurance' | 'lab_result';
  /** Coded values and IDs, no free text. */
  readonly details?: Readonly<Record<string, string | number>>;
  /** Returns the body with the ID of its own audit record. */
  readonly bodyWithRecord?: (recordId: string) => string;
}

declare module 'fastify' {
  interface FastifyRequest {
    disclosure?: Disclosure;
  }
}

export type Disclose = (disclosure: Disclosure) => void;

export const CurrentDisclosure = createRequestDecorator((request): Disclose => (disclosure) => {
  request.disclosure = disclosure;
});

export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

/** What the controller of a read returns: the JSON to send, and for the audit record, whose data it contains. */
export class Answer {
  /**
   * @param body JSON text, which is sent unchanged
   * @param disclosure the patients whose data is in the body
   */
  constructor(
    readonly body: string,
    readonly disclosure: Disclosure,
    readonly mediaType: string = JSON_MEDIA_TYPE,
  ) {}

  /** Returns one stored record. @throws ProblemError 404 if there is none */
  static fromStored(found: StoredRecord | undefined): Answer {
    if (found === undefined) {
      throw createNotFoundError();
    }
    return new Answer(found.body, { patients: [found.userId], recordCount: 1 });
  }
}

/**
 * Sends the body of an {@link Answer} and keeps its disclosure for the audit record. A Fastify hook does this, since
 * a Nest interceptor added about a tenth to the processor time of a request.
 */
export function sendAnswers(fastify: FastifyInstance, profile: Profile): void {
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    if (payload instanceof Answer) {
      request.disclosure = payload.disclosure;
      const body =
        profile === 'public-sdk' ? formatForProfile(request, payload.body) : payload.body;
      void reply.type(payload.mediaType).serializer(() => body);
    }
    done(null, payload);
  });
}

/** FHIR resources are the same in both profiles. */
function formatForProfile(request: FastifyRequest, body: string): string {
  const { operation } = requirePrincipal(request);
  return Object.hasOwn(READ_OPERATIONS, operation)
    ? toPublicSdkBody(READ_OPERATIONS[operation as keyof typeof READ_OPERATIONS].answer, body)
    : body;
}
