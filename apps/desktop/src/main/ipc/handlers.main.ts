import type { Settings, ZoomStep } from '../../bridge/app-state.ts';
import type { ResponseOf } from '../../bridge/channels.ts';
import type { Outcome, ProblemKind } from '../../bridge/problem.ts';
import type { DeskRecorder } from '../audit/desk-recorder.ts';
import type { ExpiringClipboard } from '../clipboard/expiring-clipboard.ts';
import { auditHandlers } from './audit-handlers.main.ts';
import { printHandlers } from './print-handlers.main.ts';
import type { PrintService } from '../print/print-service.main.ts';
import type { DeskSession } from '../session/desk-session.ts';
import { serviceAddress } from '../service/service-address.ts';
import type { Witness } from '../witness/witness.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { about, licences } from './about.main.ts';
import type { Handlers } from './handle-call.ts';

interface HandlerParts {
  readonly deskSession: DeskSession;
  readonly settings: SettingsFile;
  readonly loadPrintService: () => Promise<PrintService>;
  readonly witness: Witness;
  /** Asks the service again to prove its log. */
  readonly onWitnessReset: () => void;
  readonly clipboard: ExpiringClipboard;
  readonly deskRecorder: DeskRecorder;
  readonly openWindow: () => void;
  /** Called with saved settings, which apply from now on. */
  readonly onSettings: (settings: Settings) => void;
  readonly onZoom: (step: ZoomStep) => Settings;
}

const done = <T>(value: T): Outcome<T> => ({ ok: true, value });
const failed = (kind: ProblemKind): Outcome<never> => ({ ok: false, problem: { kind } });

/** The handler of each channel. Thin: the work is done by what it calls. */
export function handlersOf({
  deskSession,
  settings,
  loadPrintService,
  witness,
  onWitnessReset,
  clipboard,
  deskRecorder,
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
  /** Whether the computer's policy requires another service than this one. */
  const isElsewhere = (address: string): boolean => {
    if (!settings.policy().fixed.includes('address')) return false;
    const [asked, fixed] = [serviceAddress(address), serviceAddress(settings.get().address)];
    return !('address' in asked && 'address' in fixed && asked.address === fixed.address);
  };
  const audit = auditHandlers(deskSession);
  return {
    status: () => done(deskSession.status()),
    signIn: (request) =>
      isElsewhere(request.address) ? failed('fixedAddress') : remember(deskSession.signIn(request)),
    signInWithSavedKey: () => deskSession.signInWithSavedKey(),
    signInToDemo: ({ role }) => deskSession.signInToDemo(role),
    signOut: ({ staffId }) => done(deskSession.signOut('asked', staffId)),
    lock: () => done(deskSession.lock('asked')),
    unlock: ({ key }) => deskSession.unlock(key),
    forgetKey: () => done(deskSession.forgetKey()),
    lookUpService: ({ address }) =>
      isElsewhere(address) ? failed('fixedAddress') : deskSession.lookUpService(address),
    enrolDesk: (request) =>
      isElsewhere(request.address)
        ? failed('fixedAddress')
        : remember(deskSession.enrolDesk(request)),
    beginSignIn: () => remember(deskSession.beginSignIn()),
    cancelSignIn: () => done(deskSession.cancelSignIn()),
    setPin: ({ pin }) => deskSession.setPin(pin),
    unlockWithPin: (request) => deskSession.unlockWithPin(request),
    switchTo: ({ staffId }) => done(deskSession.switchTo(staffId)),
    scanBadge: ({ badge }) => deskSession.scanBadge(badge),
    me: () => deskSession.me(),
    emergencyAccess: (request) => deskSession.emergencyAccess(request),
    endEmergency: () => deskSession.endEmergency(),
    resolveUser: (request) => deskSession.read('resolveUser', request),
    listUsers: (request) => deskSession.read('listUsers', request),
    labResult: (request) => deskSession.read('labResult', request),
    insurance: (request) => deskSession.read('insurance', request),
    mindfulnessPage: (request) => deskSession.read('mindfulnessPage', request),
    cancel: ({ call }) => {
      deskSession.cancel(call);
      audit.cancel(call);
      return done({});
    },
    ...audit.handlers,
    ...printHandlers({ deskSession, loadPrintService }),
    settings: () => done(settings.get()),
    saveSettings: (request) => {
      let { address } = request;
      if (address !== '') {
        const where = serviceAddress(address);
        if ('problem' in where) return failed(where.problem);
        address = where.address;
      }
      const saved = settings.save({ ...request, address });
      deskSession.useAddress(saved.address);
      onSettings(saved);
      return done(saved);
    },
    zoom: ({ step }) => done(onZoom(step)),
    policy: () => done(settings.policy()),
    about: () => done(about()),
    licences: () => done(licences()),
    witness: () => done(witness.state(deskSession.status().address)),
    resetWitness: () => {
      const { phase, address } = deskSession.status();
      if (phase !== 'signedIn') return failed(phase);
      witness.reset(address);
      onWitnessReset();
      return done(witness.state(address));
    },
    serviceVersion: async () => {
      const version = await deskSession.serviceVersion();
      return done(version === undefined ? {} : { version });
    },
    copyText: async ({ text, from }) => {
      if (from !== undefined) {
        const problem = await deskRecorder.recordCopy(from);
        if (problem !== undefined) return { ok: false, problem };
        const { phase } = deskSession.status();
        // Locked while the record was awaited: what was on the screen stays there.
        if (phase !== 'signedIn') return failed(phase);
      }
      await clipboard.copy(text);
      return done({});
    },
    openWindow: () => {
      openWindow();
      return done({});
    },
  };
}
