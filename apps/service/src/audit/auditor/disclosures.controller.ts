import { Controller, Get, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import type {
  Disclosure,
  DisclosureList,
  DisclosuresParams,
  DisclosuresQuery,
} from '@caregate/domain';
import { validateDisclosuresParams, validateDisclosuresQuery } from '@caregate/domain/validate';
import type { FastifyReply } from 'fastify';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import { actorIdOf, type AllowedPrincipal } from '../../access/principal.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { languageOf, wantsHtml } from '../../http/negotiation.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { EventPages, PAGE_WEIGHT, rangeOf } from '../http/event-pages.ts';
import type { EventsFilter } from '../trail/events-filter.ts';
import { disclosureOf, isAnswer } from './disclosure.ts';
import {
  DISCLOSURE_LANGUAGES,
  DISCLOSURE_WORDS,
  type DisclosureWords,
} from './disclosure-words.ts';
import { documentHeaders, documentText } from './disclosures-document.ts';

const PAGE = 100;
const PAGE_PRINTED = 500;
/** Disclosures of a printed document: some 80 pages of paper. */
const MOST_PRINTED = 2000;
const HTML_MEDIA_TYPE = 'text/html; charset=utf-8';

/** Accounting of disclosures (45 CFR 164.528): who was shown data of one patient, when, what and why. */
@Controller('audit/patients')
export class DisclosuresController {
  readonly #pages: EventPages;
  /** Who waits for a document. It is the dearest of all answers: each has one at a time. */
  readonly #printing = new Set<string>();

  constructor(@Inject(EventPages) pages: EventPages) {
    this.#pages = pages;
  }

  @Get(':user_id/disclosures')
  @Operation('listDisclosures')
  async disclosures(
    @CurrentPrincipal() caller: AllowedPrincipal,
    @Param({ schema: validateDisclosuresParams }) { user_id: id }: DisclosuresParams,
    @Query({ schema: validateDisclosuresQuery }) query: DisclosuresQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('accept-language') acceptLanguage: string | undefined,
    @CurrentDisclosure() disclose: Disclose,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DisclosureList | string> {
    const { teamId } = caller;
    const userId = id.toLowerCase();
    const language = query.lang ?? languageOf(acceptLanguage, DISCLOSURE_LANGUAGES) ?? 'en';
    const filter: EventsFilter = {
      teamId,
      patient: userId,
      decision: 'allowed',
      ...rangeOf(query.start_date, query.end_date, 'end_date'),
    };
    reply.headers({ vary: 'accept, accept-language', 'content-language': language });
    const asked = { filter, words: DISCLOSURE_WORDS[language] };
    const range = { from: query.start_date ?? null, to: query.end_date ?? null };
    if (!wantsHtml(accept)) {
      const { limit = PAGE, cursor } = query;
      const page = await this.#page({ ...asked, cursor, limit });
      // As with events: the reading names the patient as the one that was asked about, not as one that was shown.
      disclose({ patients: [], recordCount: page.disclosures.length });
      reply.header('content-type', JSON_MEDIA_TYPE);
      return { user_id: userId, ...range, ...page };
    }
    const { disclosures, isWhole } = await this.#oneAtATime(actorIdOf(caller), () =>
      this.#whole(asked),
    );
    const document = documentText({
      ...{ userId, range, disclosures, isWhole, language },
      paper: query.paper ?? 'a4',
      timeZone: query.time_zone ?? 'UTC',
      printedBy: caller.kind === 'key' ? caller.label : caller.name,
      printedAt: new Date(),
    });
    disclose({
      patients: [],
      recordCount: disclosures.length,
      bodyWithRecord: (recordId) => document.withRecord(recordId),
    });
    reply.headers({ 'content-type': HTML_MEDIA_TYPE, ...documentHeaders(document.style) });
    return document.withRecord('');
  }

  async #page(asked: PageAsked): Promise<Pick<DisclosureList, 'disclosures' | 'next_cursor'>> {
    const { words, ...query } = asked;
    const { events, names, nextCursor } = await this.#pages.page({
      ...{ kind: 'disclosures', weight: PAGE_WEIGHT },
      ...query,
    });
    const answers = events.filter(({ record }) => isAnswer(record));
    return {
      disclosures: answers.map((event) => disclosureOf(event, names, words)),
      next_cursor: nextCursor,
    };
  }

  /** @throws ProblemError 429 if this caller waits for another */
  async #oneAtATime<T>(caller: string, make: () => Promise<T>): Promise<T> {
    if (this.#printing.has(caller)) {
      throw new ProblemError({ type: 'too-many-requests', headers: { 'retry-after': '1' } });
    }
    this.#printing.add(caller);
    try {
      return await make();
    } finally {
      this.#printing.delete(caller);
    }
  }

  /** All pages from the first on, up to a number that no paper should have. */
  async #whole(asked: Pick<PageAsked, 'filter' | 'words'>): Promise<WholeList> {
    const disclosures: Disclosure[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#page({ ...asked, cursor, limit: PAGE_PRINTED });
      disclosures.push(...page.disclosures);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined && disclosures.length < MOST_PRINTED);
    return { disclosures, isWhole: cursor === undefined };
  }
}

interface PageAsked {
  readonly filter: EventsFilter;
  readonly words: DisclosureWords;
  readonly cursor: string | undefined;
  readonly limit: number;
}

interface WholeList {
  readonly disclosures: readonly Disclosure[];
  readonly isWhole: boolean;
}
