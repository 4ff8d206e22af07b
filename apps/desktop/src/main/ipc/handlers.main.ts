import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { About, AppState, Settings, Status } from '../../shared/app-state.ts';
import type { ReadAnswer, ReadParams, ReadName } from '../../shared/channels.ts';
import { succeed, fail, type Outcome } from '../../shared/problem.ts';
import { AUDIT_READS, type SettingsChange } from '../../shared/requests.ts';
import type { AuditDesk } from '../audit/audit-desk.ts';
import type { DeskRecorder } from '../audit/desk-recorder.ts';
import type { ExpiringClipboard } from '../clipboard/expiring-clipboard.ts';
import type { PrintService } from '../print/print-service.main.ts';
import type { DeskCalls } from '../session/desk-calls.ts';
import type { DeskSession } from '../session/desk-session.ts';
import { parseServiceAddress } from '../service/service-address.ts';
import type { Handlers } from './handle-call.ts';

/** The Electron version in package.json, which the build inserts. */
declare const __PINNED_ELECTRON__: string;

interface HandlerParts {
  readonly desk: DeskSession;
  readonly calls: DeskCalls;
  readonly signInToDemo: (subject: string) => Promise<Outcome<Status>>;
  readonly state: () => AppState;
  readonly changeSettings: (change: SettingsChange | Pick<Settings, 'address'>) => Settings;
  readonly loadPrintService: () => Promise<PrintService>;
  readonly clipboard: ExpiringClipboard;
  readonly deskRecorder: DeskRecorder;
  readonly onPageFailed: (details: { readonly error: string; readonly at: string }) => void;
}

function readAbout(): About {
  const packages = new Map<string, About['packages'][number]>();
  for (const bundle of ['main', 'preload', 'renderer']) {
    const file = join(import.meta.dirname, '..', bundle, 'licences.json');
    for (const one of JSON.parse(readFileSync(file, 'utf8')) as About['packages']) {
      packages.set(`${one.name}@${one.version}`, one);
    }
  }
  const chromiumFile = join(dirname(process.execPath), 'LICENSES.chromium.html');
  const { electron, chrome, node } = process.versions;
  return {
    ...{ electron, chrome, node, pinned: __PINNED_ELECTRON__ },
    packages: [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...(existsSync(chromiumFile) && { chromiumFile }),
  };
}

/** The audit code is loaded at its first use, since most desks have no auditor. */
async function loadAuditDesk(calls: DeskCalls): Promise<AuditDesk> {
  const { AuditDesk } = await import('../audit/audit-desk.ts');
  return new AuditDesk(calls);
}

async function read<R extends ReadName>(
  calls: DeskCalls,
  { operation, call, params }: { operation: R; call: string; params: ReadParams<R> },
): Promise<Outcome<ReadAnswer<R>>> {
  const answer = await calls.runCancellable(call, async (signal): Promise<Outcome<unknown>> => {
    if (operation === 'me') return calls.getMe(signal);
    if (operation === 'serviceVersion') return calls.getServiceVersion(signal);
    if (isAuditRead(operation)) {
      const audit = await loadAuditDesk(calls);
      return audit[operation](params as never, signal);
    }
    return calls.read(operation, params, signal);
  });
  return answer as Outcome<ReadAnswer<R>>;
}

function isAuditRead(operation: ReadName): operation is keyof typeof AUDIT_READS {
  return operation in AUDIT_READS;
}

export function createHandlers(parts: HandlerParts): Handlers {
  const {
    desk,
    calls,
    signInToDemo,
    state,
    changeSettings,
    loadPrintService,
    clipboard,
    deskRecorder,
    onPageFailed,
  } = parts;
  const remember = async (signedIn: Promise<Outcome<Status>>): Promise<Outcome<Status>> => {
    const result = await signedIn;
    if (result.ok && result.value.address !== state().settings.address) {
      changeSettings({ address: result.value.address });
    }
    return result;
  };
  const isElsewhere = (address: string): boolean => {
    const { policy, settings } = state();
    if (!policy.fixed.includes('address')) return false;
    const [requested, fixed] = [
      parseServiceAddress(address),
      parseServiceAddress(settings.address),
    ];
    return !('address' in requested && 'address' in fixed && requested.address === fixed.address);
  };
  const callPrintService = async <T>(
    action: (service: PrintService) => Promise<Outcome<T>> | Outcome<T>,
  ): Promise<Outcome<T>> => {
    // The desk may be locked during the import, so check the phase after it.
    const service = await loadPrintService();
    const { phase } = desk.getStatus();
    return phase === 'signedIn' ? action(service) : fail(phase);
  };
  return {
    state: () => succeed(state()),
    signOut: ({ staffId }) => succeed(desk.signOut('manual', staffId)),
    lock: () => succeed(desk.lock('manual')),
    signInInfo: ({ address }) =>
      isElsewhere(address) ? fail('fixedAddress') : desk.fetchSignInInfo(address),
    enrolDesk: (request) =>
      isElsewhere(request.address) ? fail('fixedAddress') : remember(desk.enrolDesk(request)),
    beginSignIn: ({ subject }) =>
      remember(subject === undefined ? desk.beginSignIn() : signInToDemo(subject)),
    cancelSignIn: () => succeed(desk.cancelSignIn()),
    setPin: ({ pin }) => desk.setPin(pin),
    unlockSession: (request) => desk.unlockSession(request),
    switchTo: ({ staffId }) => succeed(desk.switchTo(staffId)),
    readBadge: ({ badge }) => desk.readBadge(badge),
    noteOpen: ({ patient }) => {
      desk.noteOpen(patient);
      return succeed({});
    },
    askBreakGlass: (request) => desk.askBreakGlass(request),
    endBreakGlass: () => desk.endBreakGlass(),
    read: (request) => read(calls, request as never),
    cancel: ({ call }) => {
      calls.cancel(call);
      return succeed({});
    },
    reviewBreakGlass: async (request) => (await loadAuditDesk(calls)).reviewBreakGlass(request),
    exportAuditEvents: async (request, senderId) => {
      const { saveFile } = await import('../audit/save-file.main.ts');
      const audit = await loadAuditDesk(calls);
      return audit.exportAuditEvents(request, (name, make) => saveFile(senderId, name, make));
    },
    preview: (document) => callPrintService((service) => service.preview(document)),
    print: (request, senderId) => callPrintService((service) => service.print(request, senderId)),
    printers: (_request, senderId) =>
      callPrintService(async (service) => succeed(await service.listPrinters(senderId))),
    changeSettings: (change) => succeed(changeSettings(change)),
    about: () => succeed(readAbout()),
    copyText: async ({ text, from }) => {
      const request = clipboard.request();
      if (from !== undefined) {
        const problem = await deskRecorder.recordCopy(from);
        const { phase } = desk.getStatus();
        if (problem !== undefined || phase !== 'signedIn') await clipboard.discard(request);
        if (problem !== undefined) return { ok: false, problem };
        // The desk may have been locked while the copy was recorded.
        if (phase !== 'signedIn') return fail(phase);
      }
      return (await clipboard.copy(text, request)) ? succeed({}) : fail('cancelled');
    },
    reportFailure: ({ name, places }) => {
      onPageFailed({ error: name, at: places.join(' ') });
      return succeed({});
    },
  };
}
