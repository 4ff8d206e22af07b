import type { FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { LruMap } from 'toad-cache';
import { ProblemError } from '../../problem/problem-error.ts';
import { keyOfRequest } from '../keys/key-format.ts';
import { sessionOfRequest } from '../sessions/session-token.ts';
import { loopMeter } from './turns.ts';
import { addressPrefix } from '../../http/address/address-prefix.ts';

const minuteMs = 60_000;
/** Of keys, sessions and addresses, and of teams (LRU). */
const remembered = 50_000;

/** At most `max` in a minute that begins with the first request. */
export class RateLimit {
  readonly #max: number;
  readonly #minutes = new LruMap<{ count: number; readonly endsMs: number }>(remembered);

  constructor(max: number) {
    this.#max = max;
  }

  /** Seconds until the limit is reset; undefined if it is not exceeded. */
  count(name: string): number | undefined {
    // Monotonic: a step of the wall clock would shorten or extend a minute.
    const nowMs = performance.now();
    let minute = this.#minutes.get(name);
    if (minute === undefined || minute.endsMs <= nowMs) {
      minute = { count: 0, endsMs: nowMs + minuteMs };
      this.#minutes.set(name, minute);
    }
    minute.count += 1;
    return minute.count > this.#max ? Math.ceil((minute.endsMs - nowMs) / 1000) : undefined;
  }
}

/** A team may use as much as so many of its keys. */
const TEAM_IN_KEYS = 5;
/** Of answers and of the audit log, with each millisecond of the event loop. */
const BYTES_PER_MS = 50_000;
/** In budgets: nobody waits for longer than a minute. */
const MOST_SPENT = 1.9;
/** Whoever waits may go on when a tenth of the budget is back. */
const FREE_AGAIN = 0.9;

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the key or session as sent, otherwise of the address. */
    account?: Account;
  }
}

/** What was used up of a minute's milliseconds and bytes; it comes back evenly within a minute. */
export class Budget {
  readonly #msPerMinute: number;
  readonly #mostUnread: number;
  #ms = 0;
  #bytes = 0;
  #atMs = 0;
  #unread = 0;

  /** @param mostUnread bytes of answers that may wait for their reader */
  constructor(msPerMinute: number, mostUnread = Infinity) {
    this.#msPerMinute = msPerMinute;
    this.#mostUnread = mostUnread;
  }

  /** Of an answer in memory; negative once it is read, or its reader gone. */
  unread(bytes: number): void {
    this.#unread += bytes;
  }

  spend(ms: number, bytes: number, nowMs: number): void {
    this.#recover(nowMs);
    this.#ms = Math.min(MOST_SPENT, this.#ms + ms / this.#msPerMinute);
    this.#bytes = Math.min(MOST_SPENT, this.#bytes + bytes / (this.#msPerMinute * BYTES_PER_MS));
  }

  /** Share of the budget; 1: all of it. */
  spent(nowMs: number): number {
    this.#recover(nowMs);
    return Math.max(this.#ms, this.#bytes);
  }

  secondsToWait(nowMs: number): number | undefined {
    if (this.#unread > this.#mostUnread) {
      return 1;
    }
    const spent = this.spent(nowMs);
    return spent < 1 ? undefined : Math.ceil((spent - FREE_AGAIN) * (minuteMs / 1000));
  }

  #recover(nowMs: number): void {
    const back = Math.max(0, nowMs - this.#atMs) / minuteMs;
    this.#atMs = nowMs;
    this.#ms = Math.max(0, this.#ms - back);
    this.#bytes = Math.max(0, this.#bytes - back);
  }
}

interface Team {
  readonly id: string;
  readonly budget: Budget;
}

/** Team of whoever has not shown a valid key or session yet: in turns they are one. */
const nobody: Team = { id: '', budget: new Budget(Infinity) };

export class Account {
  readonly id: string;
  readonly budget: Budget;
  readonly #teamOf: (id: string) => Team;
  #team = nobody;

  constructor(id: string, budget: Budget, teamOf: (id: string) => Team) {
    this.id = id;
    this.budget = budget;
    this.#teamOf = teamOf;
  }

  get team(): Team {
    return this.#team;
  }

  spend(ms: number, bytes: number, nowMs = performance.now()): void {
    this.budget.spend(ms, bytes, nowMs);
    this.#team.budget.spend(ms, bytes, nowMs);
  }

  unread(bytes: number): void {
    this.budget.unread(bytes);
    this.#team.budget.unread(bytes);
  }

  refusal(): ProblemError | undefined {
    const nowMs = performance.now();
    const seconds = this.budget.secondsToWait(nowMs) ?? this.#team.budget.secondsToWait(nowMs);
    return seconds === undefined ? undefined : tooManyRequests(seconds);
  }

  /** Called with each accepted request; only the first tells something new. @throws ProblemError 429 */
  isOf(teamId: string): void {
    if (this.#team !== nobody) {
      return;
    }
    this.#team = this.#teamOf(teamId);
    const seconds = this.#team.budget.secondsToWait(performance.now());
    if (seconds !== undefined) {
      throw tooManyRequests(seconds);
    }
  }
}

/** By key as sent: with an id from a log, others could use up its budget. Counters in responses would tell 404s apart. */
export class Budgets {
  readonly #msPerMinute: number;
  readonly #mostUnread: number;
  readonly #accounts = new LruMap<Account>(remembered);
  readonly #teams = new LruMap<Team>(remembered);
  readonly #byAddress: RateLimit;

  /** For each key. @param msPerMinute of the event loop; @param mostUnread bytes */
  constructor(msPerMinute: number, mostUnread: number, requestsPerAddress: number) {
    this.#msPerMinute = msPerMinute;
    this.#mostUnread = mostUnread;
    this.#byAddress = new RateLimit(requestsPerAddress);
  }

  check(request: FastifyRequest): { account: Account; refusal: ProblemError | undefined } {
    // What was served before has spent what it took until now.
    loopMeter.enter(undefined);
    request.presentedKey = keyOfRequest(request.raw);
    request.presentedSession = sessionOfRequest(request.raw);
    const account = this.#accountOf(request);
    request.account = account;
    const seconds = this.#byAddress.count(addressBlock(request.clientAddress));
    const refusal = seconds === undefined ? account.refusal() : tooManyRequests(seconds);
    return { account, refusal };
  }

  #accountOf({ presentedKey: key, presentedSession, clientAddress }: FastifyRequest): Account {
    if (typeof key === 'object' && 'keyId' in key) {
      return this.#account(key.name, key.keyId, this.#msPerMinute);
    }
    const token = typeof presentedSession === 'object' ? presentedSession.token : undefined;
    if (token !== undefined) {
      const { tokenId, secretHash } = token;
      const name = `session ${tokenId}${secretHash.toString('latin1')}`;
      return this.#account(name, tokenId, this.#msPerMinute);
    }
    // Requests of an address are counted instead.
    return this.#account(addressBlock(clientAddress), '', Infinity);
  }

  /** Teams, then keys and sessions, that have spent the most, in shares of their budgets. */
  spent(most: number): { readonly team: string; readonly key: string; readonly share: number }[] {
    const nowMs = performance.now();
    const accounts = valuesOf(this.#accounts)
      .filter(({ team }) => team !== nobody)
      .map(({ id, team, budget }) => ({ team: team.id, key: id, share: budget.spent(nowMs) }));
    const teams = valuesOf(this.#teams).map(({ id, budget }) => ({
      ...{ team: id, key: '', share: budget.spent(nowMs) },
    }));
    return [teams, accounts].flatMap((all) =>
      all
        .filter(({ share }) => share > 0)
        .sort((one, other) => other.share - one.share)
        .slice(0, most),
    );
  }

  #account(name: string, id: string, msPerMinute: number): Account {
    let account = this.#accounts.get(name);
    if (account === undefined) {
      account = new Account(id, new Budget(msPerMinute, this.#mostUnread), (teamId) =>
        this.#team(teamId),
      );
      this.#accounts.set(name, account);
    }
    return account;
  }

  #team(id: string): Team {
    let team = this.#teams.get(id);
    if (team === undefined) {
      const budget = new Budget(this.#msPerMinute * TEAM_IN_KEYS, this.#mostUnread * TEAM_IN_KEYS);
      team = { id, budget };
      this.#teams.set(id, team);
    }
    return team;
  }
}

function valuesOf<Value>(map: LruMap<Value>): Value[] {
  return [...map.items.values()].map(({ value }) => value);
}

export function tooManyRequests(seconds: number, detail?: string): ProblemError {
  return new ProblemError({
    type: 'too-many-requests',
    ...(detail !== undefined && { detail }),
    headers: { 'retry-after': String(seconds) },
  });
}

/** A /64 network of IPv6 belongs to one client. */
function addressBlock(address: string): string {
  return address.includes(':') ? addressPrefix(address) : address;
}

/** Smaller answers are left out: the budget is spent before they fill the memory. */
const SMALL = 4096;
/** In memory, of an answer that is streamed. */
const STREAM_BYTES = 2 ** 20;

/** Charges what a slow reader leaves in memory to its account, until it is read or the reader has gone. */
export class UnreadAnswers {
  readonly #bytes = new WeakMap<FastifyRequest, number>();
  readonly #ofSocket = new WeakMap<Socket, Set<FastifyRequest>>();

  sending(request: FastifyRequest, answer: unknown): void {
    const { socket } = request.raw;
    const bytes = answer instanceof Readable ? STREAM_BYTES : bytesOf(answer);
    if (bytes < SMALL || socket.destroyed || this.#bytes.has(request)) {
      return;
    }
    this.#bytes.set(request, bytes);
    request.account?.unread(bytes);
    let waiting = this.#ofSocket.get(socket);
    if (waiting === undefined) {
      waiting = new Set();
      this.#ofSocket.set(socket, waiting);
      // Node ends only the first of the answers that wait for each other on a connection.
      socket.once('close', () => waiting?.forEach(this.read));
    }
    waiting.add(request);
  }

  readonly read = (request: FastifyRequest): void => {
    const bytes = this.#bytes.get(request);
    if (bytes !== undefined) {
      this.#bytes.delete(request);
      this.#ofSocket.get(request.raw.socket)?.delete(request);
      request.account?.unread(-bytes);
    }
  };
}

export function bytesOf(answer: unknown): number {
  return typeof answer === 'string' || Buffer.isBuffer(answer) ? answer.length : 0;
}
