import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { UpdateState } from '../../shared/update.ts';
import { DeskUpdates } from './desk-updates.ts';
import type { Updater } from './desk-updates.ts';

const minute = 60_000;

/** Stands in for electron-updater, which runs only in Electron. `tools/release` tests both together. */
class FakeUpdater extends EventEmitter {
  readonly feeds: unknown[] = [];
  checks = 0;
  installs = 0;
  /** The events of the next check. */
  events: [string, unknown][] = [];

  setFeedURL(feed: unknown): void {
    this.feeds.push(feed);
  }

  checkForUpdates(): Promise<null> {
    this.checks += 1;
    for (const [name, detail] of this.events) this.emit(name, detail);
    return Promise.resolve(null);
  }

  quitAndInstall(): void {
    this.installs += 1;
  }
}

interface Desk {
  readonly updates: DeskUpdates;
  readonly updater: FakeUpdater;
  readonly states: UpdateState[];
  clock: number;
  isSignedOut: boolean;
}

interface Changes {
  readonly updateAddress?: string;
  readonly updateChannel?: 'beta';
  readonly canReplace?: boolean;
}

function startDesk({ canReplace = true, ...changed }: Changes = {}): Desk {
  const updater = new FakeUpdater();
  const desk = { updater, states: [] as UpdateState[], clock: 0, isSignedOut: true };
  const updates = new DeskUpdates({
    now: () => desk.clock,
    settings: () => ({
      updateAddress: 'https://updates.example/desk/',
      updateChannel: 'latest',
      ...changed,
    }),
    isSignedOut: () => desk.isSignedOut,
    loadUpdater: () => Promise.resolve(canReplace ? (updater as unknown as Updater) : undefined),
    onRestart: () => undefined,
    onState: (state) => desk.states.push(state),
  });
  return Object.assign(desk, { updates });
}

const available: [string, unknown] = ['update-available', { version: '1.1.0' }];
const downloaded: [string, unknown] = ['update-downloaded', { version: '1.1.0' }];

function errorWith(code: string): [string, unknown] {
  return ['error', Object.assign(new Error(code), { code })];
}

describe('updates', () => {
  it.each([
    ['off', { updateAddress: '' }],
    ['wrongAddress', { updateAddress: 'http://updates.example' }],
    ['byAdmin', { canReplace: false }],
  ])('request nothing while they are %s', async (kind, options) => {
    const { updates, updater } = startDesk(options);
    await updates.tick();
    expect(updates.getState()).toEqual({ kind });
    expect(updater.checks).toBe(0);
  });

  it('are looked for in the channel of the settings, at the start and every three to four hours', async () => {
    const desk = startDesk({ updateChannel: 'beta' });
    desk.updater.events = [['update-not-available', { version: '1.0.0' }]];
    await desk.updates.tick();
    desk.clock = 179 * minute;
    await desk.updates.tick();
    expect(desk.updater.checks).toBe(1);
    desk.clock = 240 * minute;
    await desk.updates.tick();
    expect(desk.updater.checks).toBe(2);
    expect(desk.updater.feeds[0]).toEqual({
      provider: 'generic',
      url: 'https://updates.example/desk',
      channel: 'beta',
    });
    expect(desk.updates.getState()).toEqual({ kind: 'current' });
  });

  it('are installed after two idle minutes with nobody signed in, never before', async () => {
    const desk = startDesk();
    desk.updater.events = [available, downloaded];
    await desk.updates.tick();
    expect(desk.states).toEqual([
      { kind: 'downloading', version: '1.1.0' },
      { kind: 'ready', version: '1.1.0' },
    ]);
    desk.isSignedOut = false;
    desk.clock = 300 * minute;
    await desk.updates.tick();
    desk.isSignedOut = true;
    desk.updates.noteActivity();
    desk.clock += 2 * minute - 1;
    await desk.updates.tick();
    expect(desk.updater.installs).toBe(0);
    desk.clock += 1;
    await desk.updates.tick();
    expect(desk.updater.installs).toBe(1);
  });

  it.each([
    ['unreachable', [errorWith('HTTP_ERROR_404')]],
    ['failed', [available, errorWith('ENOSPC')]],
    ['failed', [available, downloaded, errorWith('EACCES')]],
    ['wrongFile', [available, errorWith('ERR_CHECKSUM_MISMATCH')]],
    ['wrongFile', [available, errorWith('ERR_UPDATER_INVALID_SIGNATURE')]],
  ])('are %s and not installed after these events: %j', async (kind, events) => {
    const desk = startDesk();
    desk.updater.events = events;
    await desk.updates.tick();
    expect(desk.updates.getState().kind).toBe(kind);
    desk.clock = 100 * minute;
    await desk.updates.tick();
    expect(desk.updater.installs).toBe(0);
  });
});
