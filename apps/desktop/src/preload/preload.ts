import { contextBridge, ipcRenderer } from 'electron';
import { CHANNEL_PREFIX } from '../shared/api.ts';
import type { CaregateBridge } from '../shared/api.ts';

/** Names in `bridge/channels.ts`, at build time: only these functions reach the page. */
declare const __CHANNELS__: readonly string[];
declare const __EVENTS__: readonly string[];

const calls = __CHANNELS__.map((channel) => [
  channel,
  (request: unknown) => ipcRenderer.invoke(CHANNEL_PREFIX + channel, request),
]);
const events = __EVENTS__.map((event) => [
  `on${event.slice(0, 1).toUpperCase()}${event.slice(1)}`,
  (listener: (payload: unknown) => void) => {
    // The event object leads to Electron: don't pass it on.
    const handle = (_event: unknown, payload: unknown): void => {
      listener(payload);
    };
    ipcRenderer.on(CHANNEL_PREFIX + event, handle);
    return () => {
      ipcRenderer.off(CHANNEL_PREFIX + event, handle);
    };
  },
]);

const bridge = Object.fromEntries([...calls, ...events]) as unknown as CaregateBridge;
contextBridge.exposeInMainWorld('caregate', bridge);
