import type { Stored } from '@caregate/data-store';
import { READ_OPERATIONS } from '@caregate/domain/operations';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { principalOf } from '../auth/principal.ts';
import type { Profile } from '../config/service-config.ts';
import type { Disclosure } from '../http/disclosure.ts';
import { notFound } from '../problem/problem-error.ts';
import { publicSdkBody } from './public-sdk/public-sdk-body.ts';

/** The content type of every read. */
export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

/** What the controller of a read returns: the text to send, and whose data is in it, for the audit record. */
export class Answer {
  /**
   * @param body JSON text, sent as it is
   * @param disclosure whose data is in the body
   */
  constructor(
    readonly body: string,
    readonly disclosure: Disclosure,
    readonly mediaType: string = JSON_MEDIA_TYPE,
  ) {}

  /** Answers with one stored record. @throws ProblemError 404 if there is none */
  static with(found: Stored | undefined): Answer {
    if (found === undefined) {
      throw notFound();
    }
    return new Answer(found.body, { patients: [found.userId], recordCount: 1 });
  }
}

/**
 * Sends the body of an {@link Answer}, and leaves the rest of it to the audit record. Fastify's serializer does this; an interceptor of
 * Nest added about a tenth to the processor time of a whole request.
 */
export function sendAnswers(fastify: FastifyInstance, profile: Profile): void {
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    if (payload instanceof Answer) {
      request.disclosure = payload.disclosure;
      const body = profile === 'public-sdk' ? inProfile(request, payload.body) : payload.body;
      void reply.type(payload.mediaType).serializer(() => body);
    }
    done(null, payload);
  });
}

/** FHIR resources are the same in both profiles. */
function inProfile(request: FastifyRequest, body: string): string {
  const { operation } = principalOf(request);
  return Object.hasOwn(READ_OPERATIONS, operation)
    ? publicSdkBody(READ_OPERATIONS[operation as keyof typeof READ_OPERATIONS].answer, body)
    : body;
}
