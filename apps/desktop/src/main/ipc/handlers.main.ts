import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import { OPERATION_NAMES } from '@caregate/domain/operations';
import type { OperationName } from '@caregate/domain/operations';
import type { About, Licences, Settings, ZoomStep } from '../../shared/app-state.ts';
import { AUDIT_CHANNELS } from '../../shared/channels.ts';
import type { AuditChannel, RequestOf, ResponseOf } from '../../shared/channels.ts';
import { done, failed } from '../../shared/problem.ts';
import type { Outcome } from '../../shared/problem.ts';
import type { DeskRecorder } from '../audit/desk-recorder.ts';
import type { ExpiringClipboard } from '../clipboard/expiring-clipboard.ts';
import type { PrintService } from '../print/print-service.main.ts';
import type { DeskCalls } from '../session/desk-calls.ts';
import type { DeskSession } from '../session/desk-session.ts';
import { serviceAddress } from '../service/service-address.ts';
import type { DeskUpdates } from '../update/desk-updates.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import type { Handlers } from './handle-call.ts';

/** From package.json, at build time. */
declare const __PINNED_ELECTRON__: string;

interface HandlerParts {
  readonly deskSession: DeskSession;
  readonly signInToDemo: (subject: string) => Promise<Outcome<ResponseOf<'status'>>>;
  readonly settings: SettingsFile;
  readonly loadPrintService: () => Promise<PrintService>;
  readonly clipboard: ExpiringClipboard;
  readonly deskRecorder: DeskRecorder;
  readonly updates: DeskUpdates;
  readonly onSettings: (settings: Settings) => void;
  readonly onZoom: (step: ZoomStep) => Settings;
  readonly onPageFailed: (details: { readonly error: string; readonly at: string }) => void;
}

function about(): About {
  return {
    version: app.getVersion(),
    electron: process.versions.electron,
    chrome: process.versions.chrome,
    node: process.versions.node,
    pinned: __PINNED_ELECTRON__,
    systemLocale: app.getPreferredSystemLanguages()[0] ?? '',
  };
}

function licences(): Licences {
  const found = new Map<string, Licences['packages'][number]>();
  for (const bundle of ['main', 'preload', 'renderer']) {
    const file = join(import.meta.dirname, '..', bundle, 'licences.json');
    for (const one of JSON.parse(readFileSync(file, 'utf8')) as Licences['packages']) {
      found.set(`${one.name}@${one.version}`, one);
    }
  }
  const chromiumFile = join(dirname(process.execPath), 'LICENSES.chromium.html');
  return {
    packages: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...(existsSync(chromiumFile) && { chromiumFile }),
  };
}

/** The auditor's desk, loaded on first use: most desks have no auditor. */
function auditHandlers(calls: DeskCalls): Pick<Handlers, AuditChannel> {
  return Object.fromEntries(
    (Object.keys(AUDIT_CHANNELS) as AuditChannel[]).map((channel) => [
      channel,
      async (request: never, senderId: number) => {
        const { AuditDesk } = await import('../audit/audit-desk.ts');
        const { saveFile } = await import('../audit/save-file.main.ts');
        const desk = new AuditDesk(calls, (name, make) => saveFile(senderId, name, make));
        return desk[channel](request);
      },
    ]),
  ) as unknown as Pick<Handlers, AuditChannel>;
}

function readHandlers(calls: DeskCalls): Pick<Handlers, OperationName> {
  return Object.fromEntries(
    OPERATION_NAMES.map((operation) => [
      operation,
      (request: RequestOf<OperationName>) => calls.read(operation, request),
    ]),
  ) as unknown as Pick<Handlers, OperationName>;
}

export function handlersOf({
  deskSession,
  signInToDemo,
  settings,
  loadPrintService,
  clipboard,
  deskRecorder,
  updates,
  onSettings,
  onZoom,
  onPageFailed,
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
  const isElsewhere = (address: string): boolean => {
    if (!settings.policy().fixed.includes('address')) return false;
    const [requested, fixed] = [serviceAddress(address), serviceAddress(settings.get().address)];
    return !('address' in requested && 'address' in fixed && requested.address === fixed.address);
  };
  const { desk, people, calls } = deskSession;
  const printing = async <T>(
    act: (service: PrintService) => Promise<Outcome<T>> | Outcome<T>,
  ): Promise<Outcome<T>> => {
    // Loaded before the phase is checked: a lock meanwhile counts.
    const service = await loadPrintService();
    const { phase } = desk.status();
    return phase === 'signedIn' ? act(service) : failed(phase);
  };
  return {
    status: () => done(desk.status()),
    signInToDemo: ({ subject }) => remember(signInToDemo(subject)),
    signOut: ({ staffId }) => done(desk.signOut('asked', staffId)),
    lock: () => done(desk.lock('asked')),
    signInInfo: ({ address }) =>
      isElsewhere(address) ? failed('fixedAddress') : people.signInInfo(address),
    enrolDesk: (request) =>
      isElsewhere(request.address) ? failed('fixedAddress') : remember(people.enrolDesk(request)),
    beginSignIn: () => remember(people.begin()),
    cancelSignIn: () => done(people.cancel()),
    setPin: ({ pin }) => people.setPin(pin),
    unlockSession: (request) => people.unlockSession(request),
    switchTo: ({ staffId }) => done(people.switchTo(staffId)),
    readBadge: ({ badge }) => people.readBadge(badge),
    noteOpen: ({ patient }) => {
      desk.noteOpen(patient);
      return done({});
    },
    takeReturn: () => {
      const patient = desk.takeReturn();
      return done({ ...(patient !== undefined && { patient }) });
    },
    me: () => calls.me(),
    askBreakGlass: (request) => people.askBreakGlass(request),
    endBreakGlass: () => people.endBreakGlass(),
    ...readHandlers(calls),
    cancel: ({ call }) => {
      calls.cancel(call);
      return done({});
    },
    ...auditHandlers(calls),
    preview: (document) => printing((service) => service.preview(document)),
    print: (request, senderId) => printing((service) => service.print(request, senderId)),
    printers: (_request, senderId) =>
      printing(async (service) => done(await service.printers(senderId))),
    reportFailure: ({ name, places }) => {
      onPageFailed({ error: name, at: places.join(' ') });
      return done({});
    },
    settings: () => done(settings.get()),
    saveSettings: (request) => {
      // Only an enrolment and a sign-in change it.
      const { address } = settings.get();
      const saved = settings.save({ ...request, address });
      onSettings(saved);
      return done(saved);
    },
    zoom: ({ step }) => done(onZoom(step)),
    policy: () => done(settings.policy()),
    about: () => done(about()),
    licences: () => done(licences()),
    update: () => done(updates.state()),
    checkForUpdate: async () => done(await updates.check()),
    serviceVersion: async () => {
      const version = await calls.serviceVersion();
      return done(version === undefined ? {} : { version });
    },
    copyText: async ({ text, from }) => {
      const request = clipboard.request();
      if (from !== undefined) {
        const problem = await deskRecorder.recordCopy(from);
        const { phase } = desk.status();
        if (problem !== undefined || phase !== 'signedIn') await clipboard.discard(request);
        if (problem !== undefined) return { ok: false, problem };
        // Locked while the record was awaited.
        if (phase !== 'signedIn') return failed(phase);
      }
      return (await clipboard.copy(text, request)) ? done({}) : failed('cancelled');
    },
  };
}
