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
    // The event object leads to Electron: don't pass it on.
    const handle = (_event: unknown, payload: EventOf<E>): void => {
      listener(payload);
    };
    ipcRenderer.on(CHANNEL_PREFIX + event, handle);
    return () => {
      ipcRenderer.off(CHANNEL_PREFIX + event, handle);
    };
  };
}

/** Each named by hand: a channel reaches the page only by a line here. */
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
  proposeService: call('proposeService'),
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
  labOrderResult: call('labOrderResult'),
  latestInsurance: call('latestInsurance'),
  mindfulnessMinutes: call('mindfulnessMinutes'),
  userInfo: call('userInfo'),
  searchPeople: call('searchPeople'),
  listOrders: call('listOrders'),
  orderHistory: call('orderHistory'),
  cancel: call('cancel'),
  auditEvents: call('auditEvents'),
  auditAlarms: call('auditAlarms'),
  grants: call('grants'),
  reviewGrant: call('reviewGrant'),
  logState: call('logState'),
  disclosures: call('disclosures'),
  exportAudit: call('exportAudit'),
  makePrint: call('makePrint'),
  makeLabel: call('makeLabel'),
  readPrint: call('readPrint'),
  savePrint: call('savePrint'),
  sendPrint: call('sendPrint'),
  cancelPrint: call('cancelPrint'),
  printers: call('printers'),
  saveTable: call('saveTable'),
  settings: call('settings'),
  saveSettings: call('saveSettings'),
  zoom: call('zoom'),
  policy: call('policy'),
  about: call('about'),
  licences: call('licences'),
  witness: call('witness'),
  resetWitness: call('resetWitness'),
  update: call('update'),
  checkForUpdate: call('checkForUpdate'),
  serviceVersion: call('serviceVersion'),
  copyText: call('copyText'),
  today: call('today'),
  changeToday: call('changeToday'),
  openWindow: call('openWindow'),
  onStatusChanged: on('statusChanged'),
  onSettingsChanged: on('settingsChanged'),
  onLockCountdown: on('lockCountdown'),
  onWitnessChanged: on('witnessChanged'),
  onUpdateChanged: on('updateChanged'),
  onTodayChanged: on('todayChanged'),
  onConnection: on('connection'),
  onSignOutSoon: on('signOutSoon'),
  onLinkAsked: on('linkAsked'),
  onLinkRefused: on('linkRefused'),
};

contextBridge.exposeInMainWorld('caregate', bridge);
// Frees memory, with texts of people shown before.
ipcRenderer.on(IDLE_CHANNEL, () => {
  webFrame.clearCache();
});
