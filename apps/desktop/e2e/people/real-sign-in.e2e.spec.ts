import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { enrolBeside } from '../../../../tools/setup/running-demo.mjs';
import type { Status } from '../../src/shared/app-state.ts';
import type { ChannelName, ChannelRequest, ChannelResponse } from '../../src/shared/channels.ts';
import type { Outcome } from '../../src/shared/problem.ts';
import { advanceClock, eventually } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { clickOn, launchEnrolled, nextOpened, startClinic } from '../support/provider.testing.ts';
import type { Clinic } from '../support/provider.testing.ts';
import { runCaregate } from '../support/service.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** A real provider, a real service and a real Electron: who comes to the desk, and what they can do there. */
let clinic: Clinic;
let desktop: Desktop;

beforeAll(async () => {
  clinic = await startClinic();
  // As `npm run desktop` does, beside a demo whose own code another desk may have used.
  const readyFile = join(userData, 'ready.json');
  expect(await enrolBeside(clinic.service.readyFile, readyFile)).toBe(true);
  expect(codeIn(readyFile)).not.toBe(codeIn(clinic.service.readyFile));
  desktop = await launchEnrolled(clinic, { readyFile, userData });
});
const codeIn = (file: string): unknown =>
  (JSON.parse(readFileSync(file, 'utf8')) as { identity_provider: { enrolment_code: unknown } })
    .identity_provider.enrolment_code;
afterAll(async () => {
  await desktop.close();
  await clinic.stop();
});
// After the hook that ends what writes there.
const userData = temporaryFolder();
/** Each begins with nobody at the desk. */
afterEach(async () => {
  for (const { staffId } of (await status()).people) await value('signOut', { staffId });
  expect(desktop.faults).toEqual([]);
});

const pins = { 'front-desk': '493827', clinician: '582941', auditor: '719352' } as const;
type Subject = keyof typeof pins;

/** What the page can ask main, and nothing else. */
function ask<C extends ChannelName>(
  channel: C,
  request: ChannelRequest<C>,
): Promise<Outcome<ChannelResponse<C>>> {
  return desktop.page.evaluate(
    async ([name, sent]) => {
      const calls = window.caregate as unknown as Record<
        string,
        (given: unknown) => Promise<unknown>
      >;
      return calls[name]!(sent);
    },
    [channel, request] as const,
  ) as Promise<Outcome<ChannelResponse<C>>>;
}

async function value<C extends ChannelName>(
  channel: C,
  request: ChannelRequest<C>,
): Promise<ChannelResponse<C>> {
  const answer = await ask(channel, request);
  if (!answer.ok) throw new Error(`${channel}: ${JSON.stringify(answer.problem)}`);
  return answer.value;
}

const status = async (): Promise<Status> => (await value('state', {})).status;

async function comeIn(subject: Subject): Promise<Status> {
  const signingIn = value('beginSignIn', {});
  // A failure shows where it is awaited.
  signingIn.catch(() => undefined);
  const page = await clickOn(clinic, desktop.app, subject);
  expect(page).toContain('close this window');
  return signingIn;
}

const lookUp = (call = 'c'): Promise<Outcome<unknown>> =>
  ask('read', {
    ...{ operation: 'resolveUser', call },
    params: { clientUserId: clinic.service.sample.client_user_id },
  });
const idOf = (subject: Subject): string =>
  clinic.provider.people.find((person) => person.subject === subject)!.name;
const staffIdOf = async (subject: Subject): Promise<string> =>
  (await status()).people.find(({ name }) => name === idOf(subject))!.staffId;

it('enrolls, signs in three users, and hands over by PIN and badge', async () => {
  for (const subject of Object.keys(pins) as Subject[]) {
    const { people, current, phase } = await comeIn(subject);
    expect(phase).toBe('signedIn');
    expect(people.find(({ staffId }) => staffId === current)!.name).toBe(idOf(subject));
    const me = await value('read', { operation: 'me', call: 'me', params: {} });
    expect(me).toMatchObject({ value: { name: idOf(subject) } });
    expect((await value('setPin', { pin: pins[subject] })).people.at(-1)!.pinSet).toBe(true);
    await value('lock', {});
    expect(await lookUp()).toMatchObject({ ok: false, problem: { kind: 'locked' } });
  }
  const clinician = await staffIdOf('clinician');
  const unlocked = await value('unlockSession', { staffId: clinician, pin: pins.clinician });
  expect(unlocked.current).toBe(clinician);
  expect(await lookUp()).toMatchObject({ ok: true });
  const badge = await value('readBadge', { badge: 'badge-front-desk' });
  expect(badge).toMatchObject({ phase: 'locked', selectedStaffId: await staffIdOf('front-desk') });
  expect(await ask('readBadge', { badge: 'badge-nobody' })).toMatchObject({
    problem: { kind: 'unknownBadge' },
  });
  const frontDesk = await staffIdOf('front-desk');
  await value('unlockSession', { staffId: frontDesk, pin: pins['front-desk'] });
  expect(await lookUp()).toMatchObject({ ok: true });
  const left = await value('signOut', {});
  expect(left).toMatchObject({ phase: 'locked' });
  expect(left.people.map(({ name }) => name)).toEqual([idOf('clinician'), idOf('auditor')]);
});

it('requires the provider again after five wrong PINs', async () => {
  await comeIn('front-desk');
  const { current } = await value('setPin', { pin: pins['front-desk'] });
  expect(await ask('setPin', { pin: '111111' })).toMatchObject({ problem: { kind: 'weakPin' } });
  await value('lock', {});
  const wrong = { staffId: current!, pin: '902817' };
  for (let left = 4; left >= 1; left -= 1) {
    expect(await ask('unlockSession', wrong)).toMatchObject({
      problem: { kind: 'wrongPin', triesLeft: left },
    });
  }
  expect(await ask('unlockSession', wrong)).toMatchObject({ problem: { kind: 'pinTriedOut' } });
  const after = await ask('unlockSession', { ...wrong, pin: pins['front-desk'] });
  expect(after.ok).toBe(false);
  expect((await status()).phase).toBe('signedOut');
});

it('ends the session of a user who is disabled; others at the desk stay', async () => {
  await comeIn('auditor');
  await value('lock', {});
  await comeIn('clinician');
  expect(await lookUp()).toMatchObject({ ok: true });
  await runCaregate('staff', 'disable', '--data', clinic.dataDir, await staffIdOf('clinician'));
  const refused = await eventually('the disabled person is refused', async () => {
    const answer = await lookUp();
    return answer.ok ? undefined : answer;
  });
  expect(refused).toMatchObject({ problem: { kind: 'expired' } });
  const { phase, people } = await status();
  expect([phase, people.map(({ name }) => name)]).toEqual(['locked', [idOf('auditor')]]);
  const again = ask('beginSignIn', {});
  await clickOn(clinic, desktop.app, 'clinician');
  expect(await again).toMatchObject({ problem: { kind: 'signInRefused', reason: 'disabled' } });
});

it('asks for an enrollment code after the desk was revoked, and works again with it', async () => {
  await comeIn('auditor');
  const { current } = await value('setPin', { pin: pins.auditor });
  await value('lock', {});
  const list = await runCaregate('desks', 'list', '--data', clinic.dataDir, '--json');
  const { desk_id: deskId, team_id: team } = (
    JSON.parse(list) as { desk_id: string; team_id: string }[]
  )[0]!;
  await runCaregate('desks', 'revoke', '--data', clinic.dataDir, deskId);
  const { page } = desktop;
  const opened = await ask('unlockSession', { staffId: current!, pin: pins.auditor });
  expect(opened).toMatchObject({ problem: { kind: 'deskRevoked' } });
  await page.getByText('This desk was removed.').waitFor();
  const enrol = ['desks', 'enrol', '--data', clinic.dataDir, '--team', team, '--name', 'Again'];
  const [code = ''] = (await runCaregate(...enrol)).split('\n');
  await page.getByLabel('Enrollment code').fill(code);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign in with' }).waitFor();
  expect(await status()).toMatchObject({ enrolled: true, deskName: 'Again', people: [] });
});

/** The last, since the clock stays wrong. */
it('shows that the clock is wrong by two hours; a sign-in can be cancelled', async () => {
  const cancelled = ask('beginSignIn', {});
  await nextOpened(desktop.app);
  await value('cancelSignIn', {});
  expect(await cancelled).toMatchObject({ problem: { kind: 'cancelled' } });
  await advanceClock(desktop.app, 2 * 60);
  const late = ask('beginSignIn', {});
  await clickOn(clinic, desktop.app, 'auditor');
  expect(await late).toMatchObject({ problem: { kind: 'clockWrong' } });
});
