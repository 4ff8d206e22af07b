import type { Stored } from '@caregate/data-store';
import type { Disclosure } from '../http/disclosure.ts';
import { JSON_MEDIA_TYPE } from '../http/media-types.ts';
import { notFound } from '../problem/problem-error.ts';

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
