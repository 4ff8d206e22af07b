import { existsSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { join } from 'node:path';
import { app, Menu, nativeTheme, net, powerMonitor, safeStorage, session, shell } from 'electron';
import type { Session } from 'electron';
import logFile from 'electron-log/node';
import type { FetchFunction } from '@caregate/api-client';
import { choosePageLanguage } from './sign-in/callback-page.ts';
import { defaultSettings, type AppState, type Settings, type Status } from '../shared/app-state.ts';
import { fail, type Outcome } from '../shared/problem.ts';
import type { SettingsChange } from '../shared/requests.ts';
import { DeskRecorder } from './audit/desk-recorder.ts';
import { createSystemClipboard } from './clipboard/system-clipboard.main.ts';
import { ConnectionMonitor } from './connection/connection-monitor.ts';
import { createHandlers } from './ipc/handlers.main.ts';
import { registerChannels } from './ipc/ipc.main.ts';
import { SessionTimer } from './lock/session-timer.ts';
import { takeLinks } from './link/links.main.ts';
import { formatLogLine, type LogDetails, type LogEvent } from './log/log-line.ts';
import { enrolDemo, readDemo } from './session/demo.ts';
import { DeskCalls } from './session/desk-calls.ts';
import { DeskSession } from './session/desk-session.ts';
import { DeskStore } from './staff/desk-store.ts';
import { StaffSignIn } from './staff/staff-sign-in.ts';
import type { PrintService } from './print/print-service.main.ts';
import { getPolicyPath, readPolicy } from './settings/policy-file.ts';
import { applySettingsChange, choosePaper, SettingsFile } from './settings/settings-file.ts';
import { declareAppScheme, serveApp } from './window/app-protocol.main.ts';
import { guardAllContents, guardSession } from './window/guards.main.ts';
import { readStartSwitches, type StartSwitches } from './start/start-switches.ts';
import { DeskUpdates } from './update/desk-updates.ts';
import { loadUpdater } from './update/load-updater.main.ts';
import { isWindowVisible, openWindow, sendToPage, zoomWindow } from './window/window.main.ts';

const folder = import.meta.dirname;

app.setName('Caregate');
const switches = readStartSwitches({
  isPackaged: app.getAppPath().endsWith('.asar'),
  isInspected: inspectorUrl() !== undefined,
  hasSwitch: (name) => app.commandLine.hasSwitch(name),
  readSwitch: (name) => app.commandLine.getSwitchValue(name),
});
if (switches === undefined) {
  // This runs before `ready`, and so before Chromium opens the debugging port.
  console.error('Caregate is not started with switches for debugging.');
  app.exit(1);
  // In development, electron-vite starts the new process before the old one has ended.
} else if (import.meta.env?.DEV === true || app.requestSingleInstanceLock()) {
  // In a container Chromium runs as root without its sandbox, and `enableSandbox` would end the program.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  declareAppScheme();
  // Awaiting it here would block forever: Electron becomes ready only after this module has run.
  void app.whenReady().then(() => start(switches));
} else {
  app.quit();
}

function start(switches: StartSwitches): void {
  logFile.transports.console.level = false;
  const { file } = logFile.transports;
  file.level = 'info';
  file.maxSize = 512 * 1024;
  file.resolvePathFn = () => join(app.getPath('userData'), 'logs', 'desktop.log');
  const log = (event: LogEvent, details: LogDetails = {}): void =>
    logFile.info(formatLogLine(event, details));
  process.on('uncaughtException', (error) => log('failed', { error: error.name }));
  guardAllContents(log);
  Menu.setApplicationMenu(null);

  // These sessions are kept in memory, so that no page and no answer is written to disk.
  const pages = session.fromPartition('caregate-pages', { cache: false });
  const service = session.fromPartition('caregate-service', { cache: false });
  guardSession(pages, log);
  let printService: PrintService | undefined;
  const loadPrintService = async (): Promise<PrintService> => {
    const loaded = await import('./print/print-service.main.ts');
    const partition = session.fromPartition('caregate-print', { cache: false });
    return (printService ??= new loaded.PrintService(partition, (action) =>
      deskRecorder.record(action),
    ));
  };
  serveApp(pages, join(folder, '../renderer'));

  const userData = app.getPath('userData');
  // Tests set the switch. The computer's own policy file takes precedence over it.
  const systemPolicy = getPolicyPath(process.platform, process.env);
  const policy = existsSync(systemPolicy) ? systemPolicy : (switches.policy ?? systemPolicy);
  const settings = new SettingsFile(userData, readPolicy(policy), {
    ...defaultSettings,
    paper: choosePaper(app.getLocaleCountryCode(), app.getLocale()),
  });
  nativeTheme.themeSource = settings.get().theme;

  let pageState: Pick<AppState, 'online' | 'lockSeconds' | 'minutesLeft'> = {
    online: true,
    lockSeconds: undefined,
    minutesLeft: undefined,
  };
  const updatePage = (change: Partial<AppState>): void => {
    pageState = { ...pageState, ...change };
    sendToPage(change);
  };
  const state = (): AppState => ({
    ...pageState,
    version: app.getVersion(),
    status: desk.getStatus(),
    settings: settings.get(),
    policy: settings.getPolicy(),
    update: updates.getState(),
  });

  const clipboard = createSystemClipboard();
  const sessionTimer = new SessionTimer({
    now: Date.now,
    lockMinutes: () => settings.get().lockMinutes,
    onCountdown: (lockSeconds) => updatePage({ lockSeconds }),
    onLock: () => desk.lock('idle'),
    onSignOutSoon: (minutesLeft) => updatePage({ minutesLeft }),
    onSignOut: () => desk.signOut('limit'),
  });
  const demo = readDemo(switches.demo);
  let phase: Status['phase'] = 'signedOut';
  const fetchFrom =
    (partition: Session): FetchFunction =>
    (url, init) =>
      partition.fetch(url, { ...init, bypassCustomProtocolHandlers: true });
  const provider = session.fromPartition('caregate-provider', { cache: false });
  const staff = new StaffSignIn({
    fetch: fetchFrom(service),
    store: new DeskStore(safeStorage, userData),
    browser: {
      fetch: fetchFrom(provider),
      openBrowser: (url) => shell.openExternal(url),
      language: () => choosePageLanguage(settings.get().language, app.getLocale()),
    },
  });
  const desk = new DeskSession({
    staff,
    demo,
    now: Date.now,
    // The desk of a demo is enrolled while the window opens, so the demo's address is used from the start.
    address: demo?.address ?? settings.get().address,
    onConnection: (state) => monitor.report(state),
    onStatus: (status) => {
      if (status.phase !== phase) {
        onPhaseChanged(phase, status);
        phase = status.phase;
      }
      updatePage({ status });
    },
  });
  const calls = new DeskCalls(desk);
  /** Signs in one of the demo's users. The demo's provider accepts a `login_hint` without showing a page. */
  const signInToDemo = async (subject: string): Promise<Outcome<Status>> => {
    if (demo === undefined) return fail('invalid');
    // The cookies of the provider would sign in the previous user.
    await provider.clearStorageData({ storages: ['cookies'] });
    const openBrowser = (url: string): Promise<void> => {
      const urlWithHint = new URL(url);
      urlWithHint.searchParams.set('login_hint', subject);
      // The provider answers only after the desk has redeemed the code, so the answer isn't awaited.
      provider.fetch(urlWithHint.href, { credentials: 'include' }).catch(() => undefined);
      return Promise.resolve();
    };
    return desk.beginSignIn({ address: demo.address, openBrowser });
  };

  const deskRecorder = new DeskRecorder(calls);

  const monitor = new ConnectionMonitor({
    // This clock never goes back.
    now: () => performance.now(),
    isWatched: () => phase === 'signedIn' && isWindowVisible(),
    ask: () => calls.checkReadiness(),
    onState: (state) => updatePage({ online: state === 'online' }),
    random: Math.random,
  });

  const updates = new DeskUpdates({
    now: () => performance.now(),
    settings: () => settings.get(),
    // A restart would interrupt a sign-in in the browser.
    isSignedOut: () => phase === 'signedOut' && !desk.getStatus().signingIn,
    loadUpdater,
    // The new version starts before this process has ended.
    onRestart: () => app.releaseSingleInstanceLock(),
    onState: (state, error) => {
      log('update', { kind: state.kind, ...(error && { error: error.message }) });
      updatePage({ update: state });
    },
  });

  function onPhaseChanged(from: Status['phase'], { phase: to, reason = 'manual' }: Status): void {
    if (to !== 'signedIn') {
      void clipboard.clear();
      printService?.clear();
    }
    switch (to) {
      case 'locked':
        sessionTimer.lock();
        log('locked', { reason });
        break;
      case 'signedOut':
        sessionTimer.endSession();
        log('signed-out', { reason });
        break;
      case 'signedIn':
        if (desk.person !== undefined) sessionTimer.startSession(desk.person.endsAt);
        log(from === 'locked' ? 'unlocked' : 'signed-in');
        break;
    }
  }

  powerMonitor.on('suspend', () => desk.lock('suspend'));
  powerMonitor.on('lock-screen', () => desk.lock('systemLock'));
  powerMonitor.on('resume', () => {
    sessionTimer.tick();
    monitor.checkSoon();
  });
  app.on('browser-window-focus', () => monitor.checkSoon());
  let network = net.isOnline();
  setInterval(() => {
    sessionTimer.tick();
    desk.tick(Date.now());
    monitor.tick();
    void updates.tick();
    // Electron's main process has no event for a change of the network.
    if (net.isOnline() !== network) {
      network = !network;
      monitor.checkSoon();
    }
  }, 1000);

  const changeSettings = (change: SettingsChange | Pick<Settings, 'address'>): Settings => {
    const saved = settings.change(
      'address' in change ? change : applySettingsChange(change, settings.get()),
    );
    nativeTheme.themeSource = saved.theme;
    zoomWindow(saved.zoom);
    updatePage({ settings: saved });
    return saved;
  };
  /** Locks the desk first if the lock is overdue, since the computer may have been asleep. */
  const end = (): void => {
    sessionTimer.tick();
    desk.end();
  };
  const open = (): void => {
    openWindow({
      session: pages,
      preload: join(folder, '../preload/preload.cjs'),
      zoom: settings.get().zoom,
      contentProtection: settings.get().contentProtection,
      onZoom: (zoom) => changeSettings({ zoom }),
      onActive: () => {
        sessionTimer.noteActivity();
        updates.noteActivity();
      },
      onGone: () => log('page-crashed'),
      onSessionEnd: end,
    });
  };
  registerChannels(
    createHandlers({
      desk,
      calls,
      signInToDemo,
      state,
      changeSettings,
      loadPrintService,
      clipboard,
      deskRecorder,
      onPageFailed: (details) => log('page-failed', details),
    }),
    {
      onCall: () => sessionTimer.tick(),
      onRefused: ({ channel, why, error }) => {
        log(why === 'failed' ? 'call-failed' : 'call-refused', {
          channel,
          why,
          ...(error && { error }),
        });
      },
    },
  );
  const links = takeLinks({ phase: () => phase, log });
  app.on('second-instance', (_event, args) => links.onSecondStart(args));
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    // A quit can't be resumed after an asynchronous step, so the program exits once the clipboard is cleared.
    event.preventDefault();
    end();
    void clipboard.clear().finally(() => {
      setImmediate(() => app.exit());
    });
  });
  open();
  if (demo !== undefined) {
    const { address, enrolmentCode: code } = demo;
    void enrolDemo(
      () => desk.enrolDesk({ address, code, name: 'Demo' }),
      (why) => log('demo-not-enrolled', { why }),
    );
  }
  log('started', { electron: process.versions.electron });
}
