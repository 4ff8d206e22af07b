import type { OperationName, PublicRouteName } from '../operations/operations.ts';
import { openHeaders, recordedHeaders } from './headers.ts';
import type { Json } from './json.ts';
import { componentReference, answer, requestBody } from './shapes.ts';

type Problems = (statuses: readonly number[]) => Json;

/** Problem statuses of what a desk asks for before anybody has signed in. */
const beforeSignIn = [400, 401, 405, 413, 415, 422, 429, 431, 500, 503];
const withBody = [413, 415, 422];
/** The proof of the desk's key alone. */
const byDesk = [{ deskProof: [] }];
/** A session with its proof; no key. */
const bySession = [{ staffSession: [], deskProof: [] }];

/** The paths of desks, sessions and sign-in. */
export function staffPaths(guarded: Problems, open: Problems): Json {
  return {
    '/access/sign-in': {
      get: {
        ...about('signInInfo', 'What a desk needs before anybody has signed in'),
        security: [],
        responses: { 200: told('SignInInfo'), ...open([400, 405, 429, 431, 500]) },
      },
    },
    '/access/desks': {
      post: {
        ...about('enrolDesk', 'Enrol a desk with the key of the proof'),
        description:
          'The code is that of `caregate desks enrol`: valid for 10 minutes, one desk and five tries. The key is an Ed25519 or P-256 key that the desk has made and keeps.',
        security: byDesk,
        requestBody: requestBody('DeskEnrolment'),
        responses: { 201: told('EnrolledDesk'), ...open([...beforeSignIn, 403]) },
      },
    },
    '/access/sessions': {
      post: {
        ...about('beginSession', 'Sign a person in at a desk'),
        description:
          'With an ID token of the clinic\'s identity provider, taken once, whose nonce is base64url(SHA-256(thumbprint of the desk\'s key, ".", `nonce_random`)); or, in a clinic without a provider, with a key that belongs to the person. The session lasts 10 minutes unless it is renewed, and 12 hours at most. `reason` in the problem says why a sign-in was refused.',
        security: [{ deskProof: [] }, { deskProof: [], teamApiKey: [] }],
        requestBody: requestBody('SessionRequest'),
        responses: { 201: told('Session'), ...open(beforeSignIn) },
      },
    },
    '/access/badges': {
      post: {
        ...about('readBadge', 'Find whose badge was read'),
        description:
          'Only among the people with a session at this desk. A badge names a person and proves nothing.',
        security: byDesk,
        requestBody: requestBody('BadgeRead'),
        responses: { 200: told('BadgeHolder'), ...open([...beforeSignIn, 404]) },
      },
    },
    '/access/me': {
      get: {
        ...about('me', 'Who the caller is, and what the role may do'),
        responses: { 200: answer('Me'), ...guarded([]) },
      },
    },
    '/access/sessions/current': {
      delete: {
        ...about('endSession', 'Sign out'),
        security: bySession,
        responses: { 204: nothing, ...guarded([]) },
      },
    },
    '/access/sessions/current/renew': {
      post: {
        ...about('renewSession', 'Renew the session for 10 minutes'),
        security: bySession,
        responses: { 200: answer('Session'), ...guarded(withBody) },
      },
    },
    '/access/sessions/current/lock': {
      post: {
        ...about('lockSession', 'Suspend the session until it is unlocked'),
        security: bySession,
        responses: { 204: nothing, ...guarded(withBody) },
      },
    },
    '/access/sessions/current/unlock': {
      post: {
        ...about('unlockSession', 'Unlock the session with the PIN'),
        description:
          'Five wrong PINs of a person at a desk end the session; `tries_left` in the problem says how many are left.',
        security: bySession,
        requestBody: requestBody('PinEntry'),
        responses: { 200: answer('Session'), ...guarded([409, ...withBody]) },
      },
    },
    '/access/sessions/current/pin': {
      put: {
        ...about('setPin', 'Set the PIN'),
        description: 'Within 10 minutes of the sign-in.',
        security: bySession,
        requestBody: requestBody('PinEntry'),
        responses: { 204: nothing, ...guarded(withBody) },
      },
    },
  };
}

function about(operationId: OperationName | PublicRouteName, summary: string): Json {
  return { operationId, tags: ['Staff'], summary };
}

/** An answer that is not recorded: what it changed is. */
function told(name: Parameters<typeof componentReference>[0]): Json {
  return {
    description: 'Success',
    headers: openHeaders(),
    content: { 'application/json': { schema: componentReference(name) } },
  };
}

const nothing: Json = { description: 'Success, without a body', headers: recordedHeaders() };
