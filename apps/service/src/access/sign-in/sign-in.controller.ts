import { Body, Controller, Get, Header, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type {
  BadgeHolder,
  BadgeRead,
  DeskEnrolment,
  DeskKeyOffer,
  EnrolledDesk,
  Session,
  SessionRequest,
  SignInInfo,
} from '@caregate/domain';
import {
  validateBadgeRead,
  validateDeskEnrolment,
  validateDeskKeyOffer,
  validateSessionRequest,
} from '@caregate/domain/validate';
import type { FastifyRequest } from 'fastify';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { invalidParameters, orNotFound, ProblemError } from '../../problem/problem-error.ts';
import { AccessStore } from '../access-store.ts';
import type { DeskRow } from '../desks/desk-store.ts';
import { keyOfRequest } from '../keys/key-format.ts';
import { Public } from '../operation.decorator.ts';
import { RuleError } from '../rules.ts';
import { SignInError } from '../sessions/person.ts';
import { SessionGate } from '../sessions/session-gate.ts';
import { asProblem } from '../sessions/session-problems.ts';
import { sessionJson, type Begun } from '../sessions/session-store.ts';
import { SignIn } from './sign-in.ts';

/** Before anybody has signed in; reveals nothing about patients. */
@Controller('access')
@Public()
export class SignInController {
  readonly #store: AccessStore;
  readonly #signIn: SignIn;
  readonly #gate: SessionGate;

  constructor(
    @Inject(AccessStore) store: AccessStore,
    @Inject(SignIn) signIn: SignIn,
    @Inject(SessionGate) gate: SessionGate,
  ) {
    this.#store = store;
    this.#signIn = signIn;
    this.#gate = gate;
  }

  @Get('sign-in')
  @Header('content-type', JSON_MEDIA_TYPE)
  info(): SignInInfo {
    return this.#signIn.info;
  }

  @Post('desks')
  async enrol(
    @Req() request: FastifyRequest,
    @Body({ schema: validateDeskEnrolment }) { code, name }: DeskEnrolment,
  ): Promise<EnrolledDesk> {
    const key = this.#gate.keyOf(request);
    const desk = await this.#store.desks.enrol({ code, name, key }).catch(asProblem);
    if (desk === undefined) {
      throw new ProblemError({ type: 'enrolment-refused' });
    }
    return {
      desk_id: desk.desk_id,
      name: desk.name,
      team_id: desk.team_id,
      clinic_name: this.#signIn.info.clinic_name ?? null,
    };
  }

  @Post('desks/key')
  @HttpCode(204)
  async offerKey(
    @Req() request: FastifyRequest,
    @Body({ schema: validateDeskKeyOffer }) body: DeskKeyOffer,
  ): Promise<void> {
    const keys = await this.#gate.offeredKey(request, body);
    await this.#store.desks.offerKey(body.desk_id, keys).catch((error: unknown) => {
      throw error instanceof RuleError
        ? new ProblemError({ type: 'conflict', detail: error.message })
        : error;
    });
  }

  @Post('sessions')
  async begin(
    @Req() request: FastifyRequest,
    @Body({ schema: validateSessionRequest }) body: SessionRequest,
  ): Promise<Session> {
    const desk = await this.#gate.deskOf(request, body.desk_id);
    const { token, session } = await this.#begun(request, desk, body).catch(asProblem);
    return sessionJson(session, await this.#store.pins.isSet(session.staff_id), token);
  }

  @Post('badges')
  @HttpCode(200)
  async badge(
    @Req() request: FastifyRequest,
    @Body({ schema: validateBadgeRead }) { desk_id: deskId, badge }: BadgeRead,
  ): Promise<BadgeHolder> {
    const desk = await this.#gate.deskOf(request, deskId);
    const holder = orNotFound(await this.#store.sessions.holderOf(badge, desk.desk_id));
    return { staff_id: holder.staffId, name: holder.name };
  }

  async #begun(
    request: FastifyRequest,
    desk: DeskRow,
    { id_token: idToken, nonce_random: nonceRandom }: SessionRequest,
  ): Promise<Begun> {
    const key = keyOfRequest(request.raw);
    if (idToken !== undefined) {
      if (key !== 'missing') {
        throw new ProblemError({
          type: 'malformed-request',
          detail: 'An ID token and an API key must not be sent together.',
        });
      }
      if (nonceRandom === undefined) {
        throw invalidParameters({ parameter: 'nonce_random', reason: 'is required with id_token' });
      }
      return await this.#signIn.withIdToken(desk, { idToken, nonceRandom });
    }
    if (typeof key === 'string') {
      throw invalidParameters({
        parameter: 'id_token',
        reason: 'is required, or a key in the header x-service-api-key',
      });
    }
    const presented = 'text' in key ? key.text : key;
    const principal = await this.#store.keyCheck.authenticate(presented, request.clientAddress);
    if (principal === undefined) {
      throw new SignInError('unknown-person');
    }
    return await this.#signIn.withKey(desk, principal.keyId);
  }
}
