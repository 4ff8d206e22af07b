import { contextBridge, ipcRenderer } from 'electron';
import type { CaregateBridge } from '../shared/channels.ts';

/** Names in `shared/requests.ts`, at build time: only these functions reach the page. */
declare const __CHANNELS__: readonly string[];

const calls = __CHANNELS__.map((channel) => [
  channel,
  (request: unknown) => ipcRenderer.invoke(`caregate:${channel}`, request),
]);

const onState: CaregateBridge['onState'] = (listener) => {
  // The event object leads to Electron: don't pass it on.
  const handle = (_event: unknown, change: Parameters<typeof listener>[0]): void => {
    listener(change);
  };
  ipcRenderer.on('caregate:state', handle);
  return () => {
    ipcRenderer.off('caregate:state', handle);
  };
};

contextBridge.exposeInMainWorld('caregate', { ...Object.fromEntries(calls), onState });
