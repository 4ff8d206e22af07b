import type { ApiResponse } from '@caregate/api-client';
import { me, request } from '@caregate/api-client/service';
import type { OperationName } from '@caregate/domain/operations';
import type { RequestOf, ResponseOf } from '../../shared/channels.ts';
import type { Me } from '../../shared/people.ts';
import { failed } from '../../shared/problem.ts';
import type { Outcome } from '../../shared/problem.ts';
import type { Run } from '../service/service-client.ts';
import type { ServiceSession } from '../service/service-session.ts';
import type { Desk } from './desk.ts';

/** Drops answers that arrive after the user left. Never throws. */
export class DeskCalls {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  read<O extends OperationName>(operation: O, of: RequestOf<O>): Promise<Outcome<ResponseOf<O>>> {
    return this.#ask((service) => service.read(operation, of));
  }

  call<T>(
    run: Run<T>,
    scope?: Parameters<ServiceSession['call']>[1],
  ): Promise<Outcome<ApiResponse<T>>> {
    return this.#ask((service) => service.call(run, scope));
  }

  async me(): Promise<Outcome<Me>> {
    const answer = await this.call(me);
    if (!answer.ok) return answer;
    const { name, role, permissions } = answer.value.data;
    return {
      ok: true,
      value: {
        name,
        role,
        permissions: Object.entries(permissions).flatMap(([operation, may]) =>
          may === 'yes' || may === 'mask' || may === 'no' || may === 'emergency'
            ? [{ operation, may }]
            : [],
        ),
      },
    };
  }

  async ready(): Promise<boolean | undefined> {
    const { service } = this.#desk;
    const isReady = this.#desk.closed === undefined ? await service?.ready() : undefined;
    return this.#left(service) === undefined ? isReady : undefined;
  }

  async serviceVersion(): Promise<string | undefined> {
    const document = await this.#data((service, options) =>
      request<{ info?: { version?: unknown } }>(
        service,
        { method: 'GET', path: '/openapi.json' },
        options,
      ),
    );
    const version = document?.info?.version;
    return typeof version === 'string' && /^[\w.+-]{1,100}$/u.test(version) ? version : undefined;
  }

  recordIds(): ReadonlySet<string> {
    return this.#desk.service?.recordIds ?? new Set();
  }

  cancellable<T>(name: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { service } = this.#desk;
    return service === undefined
      ? run(new AbortController().signal)
      : service.cancellable(name, run);
  }

  cancel(name: string): void {
    this.#desk.service?.cancel(name);
  }

  async #data<T>(run: Run<T>): Promise<T | undefined> {
    const answer = await this.call(run);
    return answer.ok ? answer.value.data : undefined;
  }

  async #ask<T>(ask: (service: ServiceSession) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const { service, closed } = this.#desk;
    if (service === undefined || closed !== undefined) return failed(closed ?? 'signedOut');
    const answer = await ask(service);
    const left = this.#left(service);
    if (left !== undefined) return failed(left);
    this.#desk.note(answer);
    return answer;
  }

  #left(service: ServiceSession | undefined): 'locked' | 'signedOut' | undefined {
    return this.#desk.service === service ? this.#desk.closed : 'signedOut';
  }
}
