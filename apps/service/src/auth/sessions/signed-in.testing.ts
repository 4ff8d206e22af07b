import { randomBytes, randomUUID } from 'node:crypto';
import type { Session } from '@caregate/domain';
import type { Role } from '../../operations/operations.ts';
import type { Answer, TestService } from '../../testing/service.testing.ts';
import type { ForgingProvider, TokenChanges } from '../sign-in/forging-provider.testing.ts';
import { TestDesk, type ProofChanges } from './desk.testing.ts';
import type { AccessStore } from '../access-store.ts';
import type { DeskRow } from '../repositories/desk.repository.ts';
import {
  toSessionJson,
  type Identity,
  type NewSession,
} from '../repositories/session.repository.ts';

export interface PersonRequest extends ProofChanges {
  readonly body?: object;
  readonly headers?: Record<string, string>;
  /** The session token; the user's own by default. */
  readonly token?: string;
  /** The desk that sends the request; the user's own by default. */
  readonly by?: TestDesk;
}

export interface SignedIn extends EnrolledTestDesk {
  readonly staffId: string;
  readonly sessionId: string;
  readonly token: string;
  readonly request: (method: string, path: string, changes?: PersonRequest) => Promise<Answer>;
}

export interface SignedInPerson extends SignedIn {
  readonly subject: string;
}

export interface EnrolledTestDesk {
  readonly desk: TestDesk;
  readonly deskId: string;
}

export async function enrolledDesk(
  service: TestService,
  teamId: string,
  desk = new TestDesk(),
): Promise<EnrolledTestDesk> {
  const { code } = await service.access.desks.makeCode({ teamId, name: 'Front desk 1' });
  const answer = await fromDesk(service, desk, '/access/desks', { body: { code } });
  return { desk, deskId: (answer.json() as { readonly desk_id: string }).desk_id };
}

/** Sends a request from a desk without a session. */
export async function fromDesk(
  service: TestService,
  desk: TestDesk,
  path: string,
  { body, headers = {}, ...changes }: PersonRequest = {},
): Promise<Answer> {
  const dpop = desk.proof('POST', toUrl(service, path), changes);
  return await service.request('POST', path, { dpop, ...headers }, body ?? {});
}

/** Enrolls a desk in the database, without a request. */
export async function newDesk({ desks }: AccessStore, teamId: string): Promise<DeskRow> {
  const { code } = await desks.makeCode({ teamId, name: 'Desk' });
  return required(await desks.enrol({ code, name: undefined, key: new TestDesk() }));
}

function required(desk: DeskRow | undefined): DeskRow {
  if (desk === undefined) {
    throw new Error('The desk is not enrolled');
  }
  return desk;
}

/** Starts a session without a request, as if the user's ID token was valid. */
export async function beginSession(
  { sessions }: AccessStore,
  desk: DeskRow,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<NewSession> {
  return await sessions.begin(desk, { issuer, subject, email: undefined, token: newToken() });
}

/** Starts a session of a new staff member, by default at a new desk, without checking an ID token. */
export async function signedIn(
  service: TestService,
  who: {
    readonly teamId: string;
    readonly role: Role;
    readonly name?: string;
    readonly issuer?: string;
  },
  at?: EnrolledTestDesk,
): Promise<SignedInPerson> {
  const { teamId, role, name = 'Ines Example', issuer = 'https://id.example' } = who;
  const { desk, deskId } = at ?? (await enrolledDesk(service, teamId));
  const subject = randomUUID();
  const { desks, staff } = service.access;
  await staff.add({ teamId, role, name, issuer, subject });
  const row = required(await desks.find(deskId));
  const { token, session } = await beginSession(service.access, row, { issuer, subject });
  const person = readSessionRow(service, { desk, deskId }, toSessionJson(session, token));
  return { ...person, subject };
}

/** Returns an ID token that was not used yet. */
export function newToken(): Identity['token'] {
  return { hash: randomBytes(32), expiresMs: Date.now() + 300_000 };
}

/** Returns the body of a sign-in request: an ID token and the random part of its nonce. */
export async function signInBody(
  provider: ForgingProvider,
  { desk, subject }: Pick<SignedInPerson, 'desk' | 'subject'>,
  changes?: TokenChanges,
): Promise<{ readonly id_token: string; readonly nonce_random: string }> {
  const { nonce, random } = desk.nonce();
  return { id_token: await provider.token(subject, nonce, changes), nonce_random: random };
}

/** Signs in at a desk with an ID token. */
export async function presentToken(
  service: TestService,
  { desk, deskId }: EnrolledTestDesk,
  idToken: string,
  random: string,
): Promise<Answer> {
  const body = { desk_id: deskId, id_token: idToken, nonce_random: random };
  return await fromDesk(service, desk, '/access/sessions', { body });
}

function readSessionRow(
  service: TestService,
  { desk, deskId }: EnrolledTestDesk,
  answer: Session,
): SignedIn {
  const { session, session_id, staff } = answer;
  const own = session ?? '';
  return {
    ...{ desk, deskId, token: own, sessionId: session_id, staffId: staff.staff_id },
    request: (method, path, { body, headers = {}, by = desk, token = own, ...changes } = {}) => {
      const proof = by.proof(method, toUrl(service, path), { token, ...changes });
      const sent = { authorization: `DPoP ${token}`, dpop: proof, ...headers };
      return service.request(method, path, sent, body);
    },
  };
}

function toUrl(service: TestService, path: string): string {
  return `http://127.0.0.1:${service.port}${path}`;
}
