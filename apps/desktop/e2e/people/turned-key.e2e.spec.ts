import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose';
import type { FetchFunction } from '@caregate/api-client';
import { me } from '@caregate/api-client/service';
import { Browser } from '@caregate/identity-provider';
import type { SafeStorage } from '../../src/main/files/atomic-file.ts';
import { sealedByXor } from '../../src/main/files/sealed-by-xor.testing.ts';
import { DeskStore } from '../../src/main/staff/desk-store.ts';
import type { EnrolledDesk } from '../../src/main/staff/desk-store.ts';
import type { PersonSession } from '../../src/main/staff/person-session.ts';
import { StaffSignIn } from '../../src/main/staff/staff-sign-in.ts';
import { eventually } from '../support/desktop.testing.ts';
import { startClinic } from '../support/provider.testing.ts';
import type { Clinic } from '../support/provider.testing.ts';
import { runCaregate } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** Runs main's part against a real service and a real provider, without a window. */
let clinic: Clinic;
let service: DemoService;
let team: string;
const root = temporaryFolder();

beforeAll(async () => {
  clinic = await startClinic();
  ({ service } = clinic);
  [{ team_id: team }] = (await caregate('keys', 'list')) as [{ team_id: string }];
});
afterAll(() => clinic.stop());

const caregate = async (...words: string[]): Promise<unknown> =>
  JSON.parse(await runCaregate(...words, '--data', clinic.dataDir, '--json'));
const days = 24 * 60 * 60_000;

interface OldDesk {
  readonly storage: SafeStorage & { isFull: boolean };
  readonly answers: { areLost: boolean; taken: number };
  /** Thumbprint of the key of its last request. */
  readonly signer: () => Promise<string>;
  /** Starts from what is on the disk, as after a power cut. */
  readonly start: () => { readonly store: DeskStore; readonly staff: StaffSignIn };
}

/** Enrolled 91 days ago, as far as it knows. */
async function oldDesk(name: string): Promise<OldDesk> {
  const folder = join(root, name);
  const seal = sealedByXor();
  const storage = Object.assign({ isFull: false }, seal, {
    encryptString: (text: string) => {
      if (storage.isFull) throw new Error('ENOSPC');
      return seal.encryptString(text);
    },
  });
  const answers = { areLost: false, taken: 0 };
  let proof = '';
  const ask: FetchFunction = async (url, init) => {
    const response = await fetch(url, init);
    proof = new Headers(init.headers).get('dpop') ?? proof;
    if (!url.endsWith('/access/desks/key')) return response;
    answers.taken += 1;
    if (answers.areLost) throw new TypeError('net::ERR_CONNECTION_RESET');
    return response;
  };
  const browser = {
    fetch: ask,
    openBrowser: (url: string) => {
      new Browser('')
        .signIn(url, person)
        .then(fetch)
        .catch(() => undefined);
      return Promise.resolve();
    },
    language: () => 'en' as const,
  };
  const start: OldDesk['start'] = () => {
    const store = new DeskStore(storage, folder);
    return { store, staff: new StaffSignIn({ fetch: ask, store, browser }) };
  };
  const { code } = (await caregate('desks', 'enrol', '--team', team, '--name', 'Desk')) as {
    code: string;
  };
  const { store, staff } = start();
  expect(await staff.enrolDesk(service.address, code)).toMatchObject({ ok: true });
  store.save(service.address, { ...store.get(service.address)!, keySince: Date.now() - 91 * days });
  const signer = (): Promise<string> => calculateJwkThumbprint(decodeProtectedHeader(proof).jwk!);
  return { storage, answers, signer, start };
}

/** Whom the browser's next sign-in is for. */
let person = '';

async function signIn(staff: StaffSignIn, subject: string): Promise<PersonSession> {
  person = subject;
  const begun = await staff.signInByBrowser(service.address, new AbortController().signal);
  if (!begun.ok) throw new Error(JSON.stringify(begun.problem));
  return begun.value;
}

const until = (holds: () => boolean): Promise<true> =>
  eventually('the key of the desk', () => Promise.resolve(holds() || undefined));
const reads = async (people: readonly PersonSession[]): Promise<unknown> =>
  Promise.all(people.map(async (one) => (await one.service.call(me)).ok));
const keyOf = (desk: EnrolledDesk | undefined): string | undefined => desk?.key.thumbprint;
const fine = [true, true];

it('a desk turns its old key at a sign-in, and who is signed in there goes on', async () => {
  const { start, answers, signer } = await oldDesk('desk');
  const { store, staff } = start();
  const before = store.get(service.address)!;
  const ann = await signIn(staff, 'front-desk');
  await until(() => keyOf(store.get(service.address)) !== keyOf(before));
  const next = keyOf(store.get(service.address));
  expect([await reads([ann]), await signer()]).toEqual([[true], next]);
  const ben = await signIn(staff, 'clinician');
  expect(await reads([ann, ben])).toEqual(fine);
  const restarted = start();
  expect(keyOf(restarted.store.get(service.address))).toBe(next);
  const cyd = await signIn(restarted.staff, 'auditor');
  expect(await reads([ann, cyd])).toEqual(fine);
  expect(answers.taken).toBe(1);
  const desks = (await caregate('desks', 'list')) as { desk_id: string; key: string }[];
  expect(desks.find(({ desk_id: id }) => id === before.deskId)?.key).toBe(next);
});

it.each(['areLost', 'isFull'] as const)(
  'a desk whose next key is not kept (%s) goes on with the one it has, also after a power cut',
  async (fault) => {
    const { start, storage, answers } = await oldDesk(fault);
    const { store, staff } = start();
    const key = keyOf(store.get(service.address));
    Object.assign(fault === 'areLost' ? answers : storage, { [fault]: true });
    const ann = await signIn(staff, 'front-desk');
    await until(() => answers.taken === 1);
    const ben = await signIn(staff, 'clinician');
    await until(() => answers.taken === 2);
    expect(await reads([ann, ben])).toEqual(fine);
    expect(keyOf(store.get(service.address))).toBe(key);
    Object.assign(answers, { areLost: false });
    storage.isFull = false;
    const restarted = start();
    expect(keyOf(restarted.store.get(service.address))).toBe(key);
    const cyd = await signIn(restarted.staff, 'auditor');
    await until(() => answers.taken === 3);
    // The service keeps what was offered for ten minutes; the desk offers again at a later sign-in.
    expect(keyOf(restarted.store.get(service.address))).toBe(key);
    expect(await reads([ann, cyd])).toEqual(fine);
  },
);
