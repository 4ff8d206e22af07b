import { fromRequest } from '../auth/caller.ts';

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

export const CurrentDisclosure = fromRequest((request): Disclose => (disclosure) => {
  request.disclosure = disclosure;
});
