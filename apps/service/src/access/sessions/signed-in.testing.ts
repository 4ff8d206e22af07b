import type { Role } from '../../operations/roles.ts';
import type { Answer, TestService } from '../../testing/service.testing.ts';
import { TestDesk, type ProofChanges } from './desk.testing.ts';

export interface PersonRequest extends ProofChanges {
  readonly body?: object;
  readonly headers?: Record<string, string>;
  /** Default: the person's. */
  readonly token?: string;
  /** Default: the person's desk. */
  readonly by?: TestDesk;
}

export interface SignedIn {
  readonly desk: TestDesk;
  readonly deskId: string;
  readonly staffId: string;
  readonly sessionId: string;
  readonly token: string;
  readonly request: (method: string, path: string, changes?: PersonRequest) => Promise<Answer>;
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

/** Before anybody has signed in. */
export async function fromDesk(
  service: TestService,
  desk: TestDesk,
  path: string,
  { body, headers = {}, ...changes }: PersonRequest = {},
): Promise<Answer> {
  const dpop = desk.proof('POST', urlOf(service, path), changes);
  return await service.request('POST', path, { dpop, ...headers }, body ?? {});
}

/** Signs a new person in with a key; at a new desk by default. */
export async function signedIn(
  service: TestService,
  who: { readonly teamId: string; readonly role: Role; readonly name?: string },
  at?: EnrolledTestDesk,
): Promise<SignedIn> {
  const { teamId, role, name = 'Ines Example' } = who;
  const { desk, deskId } = at ?? (await enrolledDesk(service, teamId));
  const { staffId } = await service.access.staff.add({ teamId, role, name });
  const { key } = await service.access.keys.create({ teamId, role, label: name, staffId });
  const answer = await fromDesk(service, desk, '/access/sessions', {
    headers: { 'x-service-api-key': key },
    body: { desk_id: deskId },
  });
  return sessionOf(service, { desk, deskId }, answer);
}

export function sessionOf(
  service: TestService,
  { desk, deskId }: EnrolledTestDesk,
  answer: Answer,
): SignedIn {
  const { session, session_id, staff } = answer.json() as {
    readonly session: string;
    readonly session_id: string;
    readonly staff: { readonly staff_id: string };
  };
  return {
    ...{ desk, deskId, token: session, sessionId: session_id, staffId: staff.staff_id },
    request: (
      method,
      path,
      { body, headers = {}, by = desk, token = session, ...changes } = {},
    ) => {
      const proof = by.proof(method, urlOf(service, path), { token, ...changes });
      const own = { authorization: `DPoP ${token}`, dpop: proof, ...headers };
      return service.request(method, path, own, body);
    },
  };
}

function urlOf(service: TestService, path: string): string {
  return `http://127.0.0.1:${service.port}${path}`;
}
