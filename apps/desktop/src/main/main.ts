import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  Menu,
  nativeTheme,
  net,
  powerMonitor,
  safeStorage,
  session,
} from 'electron';
import type { Settings, Status, ZoomStep } from '../bridge/app-state.ts';
import { keepClipboard } from './clipboard/system-clipboard.main.ts';
import { ConnectionWatch } from './connection/connection-watch.ts';
import { handlersOf } from './ipc/handlers.main.ts';
import { broadcast, registerChannels } from './ipc/ipc.main.ts';
import { LockClock } from './lock/lock-clock.ts';
import { startLog } from './log/log.main.ts';
import { readDemo } from './session/demo.ts';
import { Desk } from './session/desk.ts';
import { KeyKeeper } from './session/key-keeper.ts';
import { PrintRoom } from './print/print-room.main.ts';
import { giveMemoryBack } from './rest/collect.main.ts';
import { RestClock } from './rest/rest-clock.ts';
import { policyPath, readPolicy } from './settings/policy-file.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { Witness } from './witness/witness.ts';
import { declareAppScheme, serveApp } from './window/app-protocol.main.ts';
import { guardAllContents, guardSession } from './window/guards.main.ts';
import { isAnyShown, openWindow, preloadFile, zoomWindows } from './window/window.main.ts';
import { zoomed } from './window/zoom.ts';

const folder = import.meta.dirname;

app.setName('Caregate');
if (app.requestSingleInstanceLock()) {
  // As root (tests in a container) Chromium is started without its sandbox, and this call would end it.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  declareAppScheme();
  // Not awaited here: Electron is ready only once this module has run.
  void app.whenReady().then(start);
} else {
  app.quit();
}

function start(): void {
  const log = startLog();
  process.on('uncaughtException', (error) => {
    log('failed', { error: error.name });
  });
  guardAllContents(log);
  Menu.setApplicationMenu(null);

  // In memory both: nothing that a page or an answer holds is written to the disk.
  const pages = session.fromPartition('caregate-pages', { cache: false });
  const service = session.fromPartition('caregate-service', { cache: false });
  guardSession(pages, log);
  const prints = new PrintRoom(session.fromPartition('caregate-print', { cache: false }));
  serveApp(pages, join(folder, '../renderer'));

  const userData = app.getPath('userData');
  // Another file by switch is for tests: it counts only where the computer has no policy of its own.
  const own = policyPath(process.platform, process.env);
  const policy = existsSync(own) ? own : app.commandLine.getSwitchValue('policy') || own;
  const settings = new SettingsFile(userData, readPolicy(policy));
  nativeTheme.themeSource = settings.get().theme;

  const witness = new Witness({ folder: userData, now: () => new Date().toISOString() });
  const kept = keepClipboard();
  const clock = new LockClock({
    now: Date.now,
    lockMinutes: () => settings.get().lockMinutes,
    onCountdown: (seconds) => {
      broadcast('lockCountdown', seconds === undefined ? {} : { seconds });
    },
    onLock: () => desk.lock('idle'),
    onSignOutSoon: (minutes) => {
      broadcast('signOutSoon', { minutes });
    },
    onSignOut: (reason) => desk.signOut(reason),
  });
  const rest = new RestClock({ now: Date.now, onRest: giveMemoryBack });
  const demo = readDemo(app.commandLine.getSwitchValue('demo') || undefined);
  let phase: Status['phase'] = 'signedOut';
  let connection: 'online' | 'offline' = 'online';
  const desk = new Desk({
    fetch: (url, init) => service.fetch(url, { ...init, bypassCustomProtocolHandlers: true }),
    keeper: new KeyKeeper(safeStorage, userData),
    demo,
    address: settings.get().address,
    onConnection: (state) => {
      watch.heard(state);
    },
    onStatus: (status) => {
      if (status.phase !== phase) {
        follow(phase, status);
        phase = status.phase;
      }
      broadcast('statusChanged', status);
    },
  });

  const watch = new ConnectionWatch({
    // Not the wall clock, which somebody may set.
    now: () => performance.now(),
    isWatched: () => phase === 'signedIn' && isAnyShown(),
    ask: () => desk.ready(),
    onState: (state) => {
      if (state === 'online' && connection === 'offline') askForProof();
      connection = state;
      broadcast('connection', { state });
    },
    random: Math.random,
  });

  /** At the sign-in and when the service is back: did its audit log only grow since it was last seen? */
  function askForProof(): void {
    const { address } = desk.status();
    // The demo's log is a new one every time.
    if (address === demo?.address) {
      broadcast('witnessChanged', { kind: 'nothing' });
      return;
    }
    void witness
      .check(address, (path) => desk.fetchText(path))
      .then((state) => {
        if (state.kind === 'broken') log('witness-broken', { why: state.why ?? '' });
        broadcast('witnessChanged', state);
      });
  }

  function follow(from: Status['phase'], { phase: to, reason = 'asked' }: Status): void {
    if (to !== 'signedIn') {
      void kept.clear();
      prints.clear();
      rest.left();
    }
    switch (to) {
      case 'locked':
        clock.locked();
        log('locked', { reason });
        break;
      case 'signedOut':
        clock.signedOut();
        log('signed-out', { reason });
        break;
      case 'signedIn':
        if (from === 'locked') clock.unlocked();
        else {
          clock.signedIn();
          askForProof();
        }
        log(from === 'locked' ? 'unlocked' : 'signed-in');
        break;
    }
  }

  powerMonitor.on('suspend', () => desk.lock('suspend'));
  powerMonitor.on('lock-screen', () => desk.lock('systemLock'));
  powerMonitor.on('resume', () => {
    clock.tick();
    watch.soon();
  });
  app.on('browser-window-focus', () => {
    watch.soon();
  });
  let network = net.isOnline();
  setInterval(() => {
    clock.tick();
    rest.tick();
    watch.tick();
    // Electron tells main of no change: asking the system each second costs nothing.
    if (net.isOnline() !== network) {
      network = !network;
      watch.soon();
    }
  }, 1000);

  const hold = (saved: Settings): void => {
    nativeTheme.themeSource = saved.theme;
    zoomWindows(saved.zoom);
    broadcast('settingsChanged', saved);
  };
  const zoom = (step: ZoomStep): Settings => {
    const before = settings.get();
    const saved = settings.save({ ...before, zoom: zoomed(before.zoom, step) });
    hold(saved);
    return saved;
  };
  /** What is overdue comes first: a lock that a pause of the whole program held up isn't passed by its end. */
  const end = (): void => {
    clock.tick();
    desk.end();
  };
  const open = (): void => {
    openWindow({
      session: pages,
      preload: preloadFile(folder),
      zoom: settings.get().zoom,
      onZoom: zoom,
      onActive: () => {
        clock.active();
        rest.active();
      },
      onGone: () => {
        log('page-crashed');
      },
      onSessionEnd: end,
    });
  };
  registerChannels(
    handlersOf({
      desk,
      settings,
      prints,
      witness,
      onWitnessAnew: askForProof,
      kept,
      openWindow: open,
      onSettings: hold,
      onZoom: zoom,
    }),
    {
      onCall: () => {
        clock.tick();
      },
      onRefused: ({ channel, why, error }) => {
        log(why === 'failed' ? 'call-failed' : 'call-refused', {
          channel,
          why,
          ...(error && { error }),
        });
      },
    },
  );
  app.on('second-instance', () => {
    const [first] = BrowserWindow.getAllWindows();
    if (first === undefined) return;
    if (first.isMinimized()) first.restore();
    first.focus();
  });
  app.on('window-all-closed', () => {
    app.quit();
  });
  app.on('will-quit', (event) => {
    // The minute would end after the program: the clipboard is cleared before. A quit can't be resumed, so it's an exit.
    event.preventDefault();
    end();
    void kept.clear().finally(() => {
      setImmediate(() => {
        app.exit();
      });
    });
  });
  open();
  log('started', { electron: process.versions.electron });
}
