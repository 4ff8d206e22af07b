import type { Disclosure } from '../http/disclosure.ts';
import { notFound } from '../problem/problem-error.ts';
import type { Stored } from '@caregate/data-store';

/** What the controller of a read returns: the text to send, and whose data is in it, for the audit record. */
export interface Answer extends Disclosure {
  /** JSON text, sent as it is. */
  readonly body: string;
  /** `application/json` unless given. */
  readonly mediaType?: string;
}

/** Answers with one stored record. @throws ProblemError 404 if there is none */
export function answerWith(found: Stored | undefined): Answer {
  if (found === undefined) {
    throw notFound();
  }
  return { body: found.body, patients: [found.userId], recordCount: 1 };
}
