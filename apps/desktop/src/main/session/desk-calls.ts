import type { ApiResponse } from '@caregate/api-client';
import { me, request } from '@caregate/api-client/service';
import type { OperationName } from '@caregate/domain/operations';
import type { AnswerTo, ParamsOf } from '../../shared/channels.ts';
import type { Me } from '../../shared/people.ts';
import { done, failed } from '../../shared/problem.ts';
import type { Outcome } from '../../shared/problem.ts';
import type { Run } from '../service/service-client.ts';
import { toReceived } from '../service/service-session.ts';
import type { ServiceSession } from '../service/service-session.ts';
import type { DeskSession } from './desk-session.ts';

/** Drops answers that arrive after the user left. Never throws. */
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
    params: ParamsOf<O>,
    signal?: AbortSignal,
  ): Promise<Outcome<AnswerTo<O>>> {
    return this.#ask((service) => service.read(operation, params, signal));
  }

  call<T>(
    run: Run<T>,
    scope?: Parameters<ServiceSession['call']>[1],
  ): Promise<Outcome<ApiResponse<T>>> {
    return this.#ask((service) => service.call(run, scope));
  }

  async me(signal?: AbortSignal): Promise<Outcome<AnswerTo<'me'>>> {
    const answer = await this.call(me, { signal });
    if (!answer.ok) return answer;
    const { name, role, permissions } = answer.value.data;
    const knownPermissions = Object.entries(permissions).flatMap(
      ([operation, may]): Me['permissions'] =>
        may === 'yes' || may === 'mask' || may === 'no' || may === 'emergency'
          ? [{ operation, may }]
          : [],
    );
    return done(toReceived(answer.value, { name, role, permissions: knownPermissions }));
  }

  async ready(): Promise<boolean | undefined> {
    const service = this.#service;
    const isReady = this.#desk.phase === 'signedIn' ? await service?.ready() : undefined;
    return this.#left(service) === undefined ? isReady : undefined;
  }

  async serviceVersion(signal?: AbortSignal): Promise<Outcome<AnswerTo<'serviceVersion'>>> {
    const route = { method: 'GET', path: '/openapi.json' } as const;
    const answer = await this.call(
      (service, options) => request<{ info?: { version?: unknown } }>(service, route, options),
      { signal },
    );
    if (!answer.ok) return answer;
    const version = answer.value.data.info?.version;
    return typeof version === 'string' && /^[\w.+-]{1,100}$/u.test(version)
      ? done(toReceived(answer.value, version))
      : failed('serverBroken');
  }

  recordIds(): ReadonlySet<string> {
    return this.#service?.recordIds ?? new Set();
  }

  cancellable<T>(name: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const service = this.#service;
    return service === undefined
      ? run(new AbortController().signal)
      : service.cancellable(name, run);
  }

  cancel(name: string): void {
    this.#service?.cancel(name);
  }

  async #ask<T>(ask: (service: ServiceSession) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const service = this.#service;
    if (service === undefined) return failed(this.#closedPhase() ?? 'signedOut');
    const answer = await ask(service);
    const left = this.#left(service);
    if (left !== undefined) return failed(left);
    this.#desk.noteAnswer(answer);
    return answer;
  }

  #left(service: ServiceSession | undefined): 'locked' | 'signedOut' | undefined {
    return this.#service === service ? this.#closedPhase() : 'signedOut';
  }

  /** Why no data can be read now. */
  #closedPhase(): 'locked' | 'signedOut' | undefined {
    const { phase } = this.#desk;
    return phase === 'signedIn' ? undefined : phase;
  }
}
