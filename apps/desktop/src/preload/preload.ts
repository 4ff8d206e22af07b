import { contextBridge, ipcRenderer, webFrame } from 'electron';
import { CHANNEL_PREFIX, IDLE_CHANNEL } from '../bridge/api.ts';
import type { CaregateBridge, Calls } from '../bridge/api.ts';
import type { ChannelName, EventName, EventOf } from '../bridge/channels.ts';

function call<C extends ChannelName>(channel: C): Calls[C] {
  return ((request: unknown) => ipcRenderer.invoke(CHANNEL_PREFIX + channel, request)) as Calls[C];
}

function on<E extends EventName>(
  event: E,
): (listener: (payload: EventOf<E>) => void) => () => void {
  return (listener) => {
    // The event object itself, which leads to Electron, stays here.
    const handle = (_event: unknown, payload: EventOf<E>): void => {
      listener(payload);
    };
    ipcRenderer.on(CHANNEL_PREFIX + event, handle);
    return () => {
      ipcRenderer.off(CHANNEL_PREFIX + event, handle);
    };
  };
}

/** Each named by hand: a new channel reaches the page only by a line here. */
const bridge: CaregateBridge = {
  status: call('status'),
  signIn: call('signIn'),
  signInWithSavedKey: call('signInWithSavedKey'),
  signInToDemo: call('signInToDemo'),
  signOut: call('signOut'),
  lock: call('lock'),
  unlock: call('unlock'),
  forgetKey: call('forgetKey'),
  lookUpService: call('lookUpService'),
  enrolDesk: call('enrolDesk'),
  beginSignIn: call('beginSignIn'),
  cancelSignIn: call('cancelSignIn'),
  setPin: call('setPin'),
  unlockWithPin: call('unlockWithPin'),
  switchTo: call('switchTo'),
  scanBadge: call('scanBadge'),
  me: call('me'),
  emergencyAccess: call('emergencyAccess'),
  endEmergency: call('endEmergency'),
  resolveUser: call('resolveUser'),
  listUsers: call('listUsers'),
  labResult: call('labResult'),
  insurance: call('insurance'),
  mindfulnessPage: call('mindfulnessPage'),
  cancel: call('cancel'),
  auditEvents: call('auditEvents'),
  auditAlarms: call('auditAlarms'),
  grants: call('grants'),
  reviewGrant: call('reviewGrant'),
  logState: call('logState'),
  disclosures: call('disclosures'),
  exportAudit: call('exportAudit'),
  makePrint: call('makePrint'),
  readPrint: call('readPrint'),
  savePrint: call('savePrint'),
  sendPrint: call('sendPrint'),
  printers: call('printers'),
  settings: call('settings'),
  saveSettings: call('saveSettings'),
  zoom: call('zoom'),
  policy: call('policy'),
  about: call('about'),
  licences: call('licences'),
  witness: call('witness'),
  resetWitness: call('resetWitness'),
  serviceVersion: call('serviceVersion'),
  copyText: call('copyText'),
  openWindow: call('openWindow'),
  onStatusChanged: on('statusChanged'),
  onSettingsChanged: on('settingsChanged'),
  onLockCountdown: on('lockCountdown'),
  onWitnessChanged: on('witnessChanged'),
  onConnection: on('connection'),
  onSignOutSoon: on('signOutSoon'),
};

contextBridge.exposeInMainWorld('caregate', bridge);
// Collects what is no longer used, the texts of people who were shown before among it.
ipcRenderer.on(IDLE_CHANNEL, () => {
  webFrame.clearCache();
});
