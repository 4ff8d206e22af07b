import { fromRequest } from '../auth/caller.ts';

/** For the audit record; ignored if the response is not sent. */
export interface Disclosure {
  readonly patients: readonly string[];
  /** Users, results, insurances, points or events. */
  readonly recordCount: number;
  readonly breakGlassId?: string;
  /** The user of the request, if nothing of theirs is returned. */
  readonly aboutUserId?: string;
  /** `listed`: shown in a list, no record opened. */
  readonly shown?: 'listed';
  /** Instead of that of the operation. */
  readonly category?: 'user' | 'insurance' | 'lab_result';
  /** Coded values and ids, no free text. */
  readonly details?: Readonly<Record<string, string | number>>;
  /** The body, with the id of its own record. */
  readonly bodyWithRecord?: (recordId: string) => string;
}

declare module 'fastify' {
  interface FastifyRequest {
    disclosure?: Disclosure;
  }
}

export type Disclose = (disclosure: Disclosure) => void;

export const CurrentDisclosure = fromRequest((request): Disclose => (disclosure) => {
  request.disclosure = disclosure;
});
