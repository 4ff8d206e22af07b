import { Controller, Get, Header, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import {
  DISCLOSURE_LANGUAGES,
  type DisclosureList,
  type DisclosuresParams,
  type DisclosuresQuery,
} from '@caregate/domain';
import { validateDisclosuresParams, validateDisclosuresQuery } from '@caregate/domain/validate';
import type { FastifyReply } from 'fastify';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-types.ts';
import { languageOf } from '../../http/negotiation.ts';
import { EventPages, PAGE_WEIGHT, rangeOf } from '../http/event-pages.ts';
import { disclosureOf, isAnswer } from './disclosure.ts';

const PAGE = 100;

/** Accounting of disclosures (45 CFR 164.528): who was shown data of one patient, when, what and why. */
@Controller('audit/patients')
export class DisclosuresController {
  readonly #pages: EventPages;

  constructor(@Inject(EventPages) pages: EventPages) {
    this.#pages = pages;
  }

  @Get(':user_id/disclosures')
  @Operation('listDisclosures')
  @Header('content-type', JSON_MEDIA_TYPE)
  @Header('vary', 'accept-language')
  async disclosures(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Param({ schema: validateDisclosuresParams }) { user_id: id }: DisclosuresParams,
    @Query({ schema: validateDisclosuresQuery }) query: DisclosuresQuery,
    @Headers('accept-language') acceptLanguage: string | undefined,
    @CurrentDisclosure() disclose: Disclose,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DisclosureList> {
    const { start_date: start, end_date: end, cursor, limit = PAGE } = query;
    const patient = id.toLowerCase();
    const language = query.lang ?? languageOf(acceptLanguage, DISCLOSURE_LANGUAGES) ?? 'en';
    const range = rangeOf(start, end, 'end_date');
    const { events, names, nextCursor } = await this.#pages.page({
      ...{ kind: 'disclosures', weight: PAGE_WEIGHT, cursor, limit, isComplete: true },
      filter: { team: teamId, patient, decision: 'allowed', ...range },
    });
    const disclosures = events
      .filter(({ record }) => isAnswer(record))
      .map((event) => disclosureOf(event, names, language));
    // The record names the patient as asked about, not as shown.
    disclose({ patients: [], recordCount: disclosures.length });
    reply.header('content-language', language);
    return {
      ...{ user_id: patient, from: start ?? null, to: end ?? null },
      ...{ disclosures, next_cursor: nextCursor },
    };
  }
}
