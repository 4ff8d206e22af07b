import { READ_OPERATIONS } from '@caregate/domain/operations';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { principalOf } from '../auth/principal.ts';
import type { Profile } from '../config/service-config.ts';
import { Answer } from './answer.ts';
import { publicSdkBody } from './public-sdk/public-sdk-body.ts';

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
