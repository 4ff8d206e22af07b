import { contextBridge, ipcRenderer } from 'electron';
import type { CaregateBridge } from '../shared/channels.ts';

/** The channel names of `shared/requests.ts`, inserted at build time. The page gets only these functions. */
declare const __CHANNELS__: readonly string[];

const calls = __CHANNELS__.map((channel) => [
  channel,
  (request: unknown) => ipcRenderer.invoke(`caregate:${channel}`, request),
]);

const onState: CaregateBridge['onState'] = (listener) => {
  // The event object gives access to Electron, so it isn't passed on.
  const handle = (_event: unknown, change: Parameters<typeof listener>[0]): void =>
    listener(change);
  ipcRenderer.on('caregate:state', handle);
  return () => ipcRenderer.off('caregate:state', handle);
};

contextBridge.exposeInMainWorld('caregate', { ...Object.fromEntries(calls), onState });
