import { Body, Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import type { PinEntry, Session } from '@caregate/domain';
import { validatePinEntry } from '@caregate/domain/validate';
import { fromRequest } from '../../common/from-request.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { invalidParameters, ProblemError } from '../../problem/problem-error.ts';
import { AccessStore } from '../access-store.ts';
import { Operation } from '../operation.decorator.ts';
import { pinProblem } from '../sessions/pin-rules.ts';
import type { SessionRow } from '../sessions/session-lookup.ts';
import { asProblem, sessionProblem } from '../sessions/session-problems.ts';
import { SESSION_MS, sessionJson } from '../sessions/session-store.ts';

export const CurrentSession = fromRequest(({ session }) => session);

@Controller('access/sessions/current')
export class CurrentSessionController {
  constructor(private readonly store: AccessStore) {}

  @Post('renew')
  @HttpCode(200)
  @Operation('renewSession')
  async renew(
    @CurrentSession() session: SessionRow,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<Session> {
    disclose(nobody);
    const renewed = await this.store.sessions.renew(session);
    if (renewed === 'locked') {
      throw sessionProblem('session-locked');
    }
    return await this.#answer(renewed);
  }

  @Post('lock')
  @HttpCode(204)
  @Operation('lockSession')
  async lock(
    @CurrentSession() session: SessionRow,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<void> {
    disclose(nobody);
    await this.store.sessions.lock(session);
  }

  @Post('unlock')
  @HttpCode(200)
  @Operation('unlockSession')
  async unlock(
    @CurrentSession() session: SessionRow,
    @Body({ schema: validatePinEntry }) { pin }: PinEntry,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<Session> {
    disclose(nobody);
    const result = await this.store.pins.unlock(session, pin).catch(asProblem);
    switch (result.kind) {
      case 'unlocked':
        return await this.#answer(await this.store.sessions.current(session.session_id));
      case 'wrong':
        throw new ProblemError({ type: 'wrong-pin', triesLeft: result.triesLeft });
      case 'tried-out':
        throw new ProblemError({ type: 'pin-tried-out' });
      case 'no-pin':
        throw new ProblemError({ type: 'no-pin' });
    }
  }

  @Put('pin')
  @HttpCode(204)
  @Operation('setPin')
  async setPin(
    @CurrentSession() session: SessionRow,
    @Body({ schema: validatePinEntry }) { pin }: PinEntry,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<void> {
    disclose(nobody);
    const reason = pinProblem(pin);
    if (reason !== undefined) {
      throw invalidParameters({ parameter: 'pin', reason });
    }
    if (!this.store.sessions.isNew(session)) {
      const minutes = SESSION_MS / 60_000;
      const detail = `A PIN can be set within ${minutes} minutes of the sign-in. Sign in again.`;
      throw new ProblemError({ type: 'forbidden', detail });
    }
    await this.store.pins.set(session, pin).catch(asProblem);
  }

  @Delete()
  @HttpCode(204)
  @Operation('endSession')
  async end(
    @CurrentSession() session: SessionRow,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<void> {
    disclose(nobody);
    await this.store.sessions.end(session);
  }

  async #answer(session: SessionRow | undefined): Promise<Session> {
    if (session === undefined) {
      throw sessionProblem('session-ended');
    }
    return sessionJson(session, await this.store.pins.isSet(session.staff_id));
  }
}

const nobody = { patients: [], recordCount: 0 };
