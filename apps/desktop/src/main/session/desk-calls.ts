import type { TransportResponse } from '@caregate/api-client';
import type { ReadChannel } from '../../bridge/api.ts';
import type { RequestOf, ResponseOf } from '../../bridge/channels.ts';
import type { Me } from '../../bridge/people.ts';
import { failed } from '../../bridge/problem.ts';
import type { Outcome } from '../../bridge/problem.ts';
import type { AccessRequest } from '../service/access-client.ts';
import { askMe } from '../staff/me.ts';
import type { Desk } from './desk.ts';

/** The calls of whoever is at the desk. An answer that comes after they left is dropped. */
export class DeskCalls {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Calls the service as whoever is signed in. */
  async read<C extends ReadChannel>(
    channel: C,
    request: RequestOf<C>,
  ): Promise<Outcome<ResponseOf<C>>> {
    const { service, closed } = this.#desk;
    if (service === undefined || closed !== undefined) return failed(closed ?? 'signedOut');
    const answer = await service.read(channel, request);
    // An answer that arrives after the lock, or for the previous user, is dropped.
    const late = this.#desk.service === service ? this.#desk.closed : 'signedOut';
    if (late !== undefined) return failed(late);
    this.#desk.note(answer);
    return answer;
  }

  async me(): Promise<Outcome<Me>> {
    const { service, closed } = this.#desk;
    if (service === undefined || closed !== undefined) return failed(closed ?? 'signedOut');
    const me = await askMe(service);
    return this.#desk.service === service && this.#desk.closed === undefined
      ? me
      : failed('signedOut');
  }

  /**
   * A request of whoever is at the desk that is none of the reads; undefined where nobody is, where it failed, and
   * where they had left when its answer came. Never throws.
   */
  request(request: Omit<AccessRequest, 'headers'>): Promise<TransportResponse | undefined> {
    return this.#ofTheSame((service) => service.request(request));
  }

  /** An answer that is about no patient. */
  fetchText(path: string): Promise<TransportResponse | undefined> {
    return this.request({ method: 'GET', path, accept: '*/*' });
  }

  /** Whether the service is ready; undefined where nobody is signed in any more. */
  ready(): Promise<boolean | undefined> {
    return this.#ofTheSame((service) => service.ready());
  }

  /** The version in the service's OpenAPI document; undefined where it has none. */
  async serviceVersion(): Promise<string | undefined> {
    const answer = await this.fetchText('/openapi.json');
    if (answer?.status !== 200) return undefined;
    const version = versionIn(answer.body);
    return typeof version === 'string' && /^[\w.+-]{1,100}$/u.test(version) ? version : undefined;
  }

  /** Records of the answers that showed a person to whoever is at the desk. */
  recordIds(): ReadonlySet<string> {
    return this.#desk.service?.recordIds ?? new Set();
  }

  cancel(call: string): void {
    this.#desk.service?.cancel(call);
  }

  async #ofTheSame<T>(
    ask: (service: NonNullable<Desk['service']>) => Promise<T>,
  ): Promise<T | undefined> {
    const { service, closed } = this.#desk;
    if (service === undefined || closed !== undefined) return undefined;
    const answer = await ask(service);
    return this.#desk.service === service && this.#desk.closed === undefined ? answer : undefined;
  }
}

function versionIn(document: string): unknown {
  try {
    const { info } = JSON.parse(document) as { info?: { version?: unknown } };
    return info?.version;
  } catch {
    return undefined;
  }
}
