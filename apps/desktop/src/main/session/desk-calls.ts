import type { ApiResponse } from '@caregate/api-client';
import { me, request } from '@caregate/api-client/service';
import type { OperationName } from '@caregate/domain/operations';
import type { ReadAnswer, ReadParams } from '../../shared/channels.ts';
import type { Me } from '../../shared/people.ts';
import { succeed, fail, type Outcome } from '../../shared/problem.ts';
import type { Run } from '../service/service-client.ts';
import { toReceived, type ServiceSession } from '../service/service-session.ts';
import type { DeskSession } from './desk-session.ts';

/** Sends the current user's calls. Answers that arrive after the session has ended are dropped. Never throws. */
export class DeskCalls {
  readonly #desk: DeskSession;

  constructor(desk: DeskSession) {
    this.#desk = desk;
  }

  get #service(): ServiceSession | undefined {
    return this.#desk.person?.service;
  }

  read<O extends OperationName>(
    operation: O,
    params: ReadParams<O>,
    signal?: AbortSignal,
  ): Promise<Outcome<ReadAnswer<O>>> {
    return this.#ask((service) => service.read(operation, params, signal));
  }

  call<T>(
    run: Run<T>,
    scope?: Parameters<ServiceSession['call']>[1],
  ): Promise<Outcome<ApiResponse<T>>> {
    return this.#ask((service) => service.call(run, scope));
  }

  async getMe(signal?: AbortSignal): Promise<Outcome<ReadAnswer<'me'>>> {
    const answer = await this.call(me, { signal });
    if (!answer.ok) return answer;
    const { name, role, permissions } = answer.value.data;
    const validPermissions = Object.entries(permissions).flatMap(
      ([operation, may]): Me['permissions'] =>
        may === 'yes' || may === 'mask' || may === 'no' || may === 'emergency'
          ? [{ operation, may }]
          : [],
    );
    return succeed(toReceived(answer.value, { name, role, permissions: validPermissions }));
  }

  async checkReadiness(): Promise<boolean | undefined> {
    const service = this.#service;
    const isReady = this.#desk.phase === 'signedIn' ? await service?.checkReadiness() : undefined;
    return this.#getClosedPhaseSince(service) === undefined ? isReady : undefined;
  }

  async getServiceVersion(signal?: AbortSignal): Promise<Outcome<ReadAnswer<'serviceVersion'>>> {
    const route = { method: 'GET', path: '/openapi.json' } as const;
    const answer = await this.call(
      (service, options) => request<{ info?: { version?: unknown } }>(service, route, options),
      { signal },
    );
    if (!answer.ok) return answer;
    const version = answer.value.data.info?.version;
    return typeof version === 'string' && /^[\w.+-]{1,100}$/u.test(version)
      ? succeed(toReceived(answer.value, version))
      : fail('serverBroken');
  }

  getRecordIds(): ReadonlySet<string> {
    return this.#service?.recordIds ?? new Set();
  }

  runCancellable<T>(name: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const service = this.#service;
    return service === undefined
      ? run(new AbortController().signal)
      : service.runCancellable(name, run);
  }

  cancel(name: string): void {
    this.#service?.cancel(name);
  }

  async #ask<T>(ask: (service: ServiceSession) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const service = this.#service;
    if (service === undefined) return fail(this.#getClosedPhase() ?? 'signedOut');
    const answer = await ask(service);
    const closedPhase = this.#getClosedPhaseSince(service);
    if (closedPhase !== undefined) return fail(closedPhase);
    this.#desk.noteAnswer(answer);
    return answer;
  }

  #getClosedPhaseSince(service: ServiceSession | undefined): 'locked' | 'signedOut' | undefined {
    return this.#service === service ? this.#getClosedPhase() : 'signedOut';
  }

  /** Returns why no data can be read at the moment. */
  #getClosedPhase(): 'locked' | 'signedOut' | undefined {
    const { phase } = this.#desk;
    return phase === 'signedIn' ? undefined : phase;
  }
}
