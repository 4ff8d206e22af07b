import { join } from 'node:path';
import { app } from 'electron';
import type { Settings, ZoomStep } from '../../bridge/app-state.ts';
import type { ResponseOf } from '../../bridge/channels.ts';
import type { Outcome, ProblemKind } from '../../bridge/problem.ts';
import type { KeptClipboard } from '../clipboard/kept-clipboard.ts';
import { printHandlers } from '../print/print-handlers.main.ts';
import type { PrintRoom } from '../print/print-room.main.ts';
import type { Desk } from '../session/desk.ts';
import { serviceAddress } from '../session/service-address.ts';
import type { Witness } from '../witness/witness.ts';
import { readLicences } from '../settings/licences.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import type { Handlers } from './answer.ts';

export interface HandlerParts {
  readonly desk: Desk;
  readonly settings: SettingsFile;
  readonly prints: PrintRoom;
  readonly witness: Witness;
  /** Asks the service again to prove its log. */
  readonly onWitnessAnew: () => void;
  readonly kept: KeptClipboard;
  readonly openWindow: () => void;
  /** Saved: they hold from now on. */
  readonly onSettings: (settings: Settings) => void;
  readonly onZoom: (step: ZoomStep) => Settings;
}

/** Put in by the build: the version in package.json. */
declare const __PINNED_ELECTRON__: string;

const done = <T>(value: T): Outcome<T> => ({ ok: true, value });
const failed = (kind: ProblemKind): Outcome<never> => ({ ok: false, problem: { kind } });

/** What each channel does. Thin: the work is in the desk and the settings. */
export function handlersOf({
  desk,
  settings,
  prints,
  witness,
  onWitnessAnew,
  kept,
  openWindow,
  onSettings,
  onZoom,
}: HandlerParts): Handlers {
  const remember = async (
    signedIn: Promise<Outcome<ResponseOf<'status'>>>,
  ): Promise<Outcome<ResponseOf<'status'>>> => {
    const result = await signedIn;
    if (result.ok && result.value.address !== settings.get().address) {
      onSettings(settings.save({ ...settings.get(), address: result.value.address }));
    }
    return result;
  };
  /** Whether the computer's policy fixes another service than this one. */
  const isElsewhere = (address: string): boolean => {
    if (!settings.policy().fixed.includes('address')) return false;
    const [asked, fixed] = [serviceAddress(address), serviceAddress(settings.get().address)];
    return !('address' in asked && 'address' in fixed && asked.address === fixed.address);
  };
  return {
    status: () => done(desk.status()),
    signIn: (request) =>
      isElsewhere(request.address) ? failed('fixedAddress') : remember(desk.signIn(request)),
    signInWithKeptKey: () => desk.signInWithKeptKey(),
    signInToDemo: ({ role }) => desk.signInToDemo(role),
    signOut: () => done(desk.signOut('asked')),
    lock: () => done(desk.lock('asked')),
    unlock: ({ key }) => desk.unlock(key),
    forgetKey: () => done(desk.forgetKey()),
    resolveUser: (request) => desk.read('resolveUser', request),
    listUsers: (request) => desk.read('listUsers', request),
    labResult: (request) => desk.read('labResult', request),
    insurance: (request) => desk.read('insurance', request),
    mindfulnessPage: (request) => desk.read('mindfulnessPage', request),
    cancel: ({ call }) => {
      desk.cancel(call);
      return done({});
    },
    ...printHandlers({ desk, prints }),
    settings: () => done(settings.get()),
    saveSettings: (request) => {
      let { address } = request;
      if (address !== '') {
        const where = serviceAddress(address);
        if ('problem' in where) return failed(where.problem);
        address = where.address;
      }
      const saved = settings.save({ ...request, address });
      desk.useAddress(saved.address);
      onSettings(saved);
      return done(saved);
    },
    zoom: ({ step }) => done(onZoom(step)),
    policy: () => done(settings.policy()),
    about: () =>
      done({
        version: app.getVersion(),
        electron: process.versions.electron,
        chrome: process.versions.chrome,
        node: process.versions.node,
        pinned: __PINNED_ELECTRON__,
        systemLocale: app.getPreferredSystemLanguages()[0] ?? '',
      }),
    licences: () => {
      const folders = ['main', 'preload', 'renderer'].map((part) =>
        join(import.meta.dirname, '..', part),
      );
      return done(readLicences(folders, process.execPath));
    },
    witness: () => done(witness.state(desk.status().address)),
    beginWitnessAnew: () => {
      const { phase, address } = desk.status();
      if (phase !== 'signedIn') return failed(phase);
      witness.beginAnew(address);
      onWitnessAnew();
      return done(witness.state(address));
    },
    serviceVersion: async () => {
      const version = await desk.serviceVersion();
      return done(version === undefined ? {} : { version });
    },
    copyText: async ({ text }) => {
      await kept.copy(text);
      return done({});
    },
    openWindow: () => {
      openWindow();
      return done({});
    },
  };
}
