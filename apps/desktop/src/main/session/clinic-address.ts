import type { ChannelRequest } from '../../shared/channels.ts';
import { succeed, fail, type Outcome } from '../../shared/problem.ts';
import { parseServiceAddress } from '../service/service-address.ts';
import type { StaffSignIn } from '../staff/staff-sign-in.ts';

/** The address of the clinic's service. It doesn't change while somebody is signed in. */
export class ClinicAddress {
  address: string;
  readonly #staff: StaffSignIn;
  readonly #mayChange: () => boolean;
  /** An address that was set during a session and is used after it. */
  #next: string | undefined;
  /** The address of the latest look-up. The answer for an earlier one is ignored. */
  #lookedUp: string | undefined;

  constructor(address: string, staff: StaffSignIn, mayChange: () => boolean) {
    this.address = address;
    this.#staff = staff;
    this.#mayChange = mayChange;
  }

  async find(input: string): Promise<Outcome<undefined>> {
    const parsed = parseServiceAddress(input);
    if ('problem' in parsed) return fail(parsed.problem);
    const { address } = parsed;
    this.#lookedUp = address;
    const found = await this.#staff.lookUp(address);
    if (!found.ok) return found;
    const isLate = this.#lookedUp !== address || !this.#mayChange();
    if (isLate && address !== this.address) return fail('cancelled');
    this.#use(address);
    return succeed(undefined);
  }

  async enrolDesk(request: ChannelRequest<'enrolDesk'>): Promise<Outcome<undefined>> {
    const parsed = parseServiceAddress(request.address);
    if ('problem' in parsed) return fail(parsed.problem);
    const { address } = parsed;
    const enrolled = await this.#staff.enrolDesk(address, request.code.trim(), request.name);
    if (!enrolled.ok) return enrolled;
    this.#use(address);
    await this.#staff.lookUp(address);
    return succeed(undefined);
  }

  /** Call this after the last user has signed out. */
  applyNext(): void {
    this.address = this.#next ?? this.address;
    this.#next = undefined;
  }

  #use(address: string): void {
    if (this.#mayChange()) this.address = address;
    else this.#next = address;
  }
}
