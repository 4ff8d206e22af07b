import { BrowserWindow, ipcMain, webContents } from 'electron';
import { CHANNEL_PREFIX } from '../../bridge/api.ts';
import { CHANNELS, EVENTS } from '../../bridge/channels.ts';
import type { ChannelName, EventName, EventOf } from '../../bridge/channels.ts';
import { windowContents } from '../window/window.main.ts';
import { handleCall } from './handle-call.ts';
import type { Handlers, Refusal } from './handle-call.ts';
import { isTrustedSender } from '../window/sender.ts';

interface ChannelParts {
  readonly onCall: () => void;
  readonly onRefused: (refusal: Refusal) => void;
}

export function registerChannels(handlers: Handlers, { onCall, onRefused }: ChannelParts): void {
  for (const channel of Object.keys(CHANNELS) as ChannelName[]) {
    ipcMain.handle(CHANNEL_PREFIX + channel, (event, request: unknown) => {
      onCall();
      const senderId = event.sender.id;
      const trusted = isTrustedSender(senderId, event.senderFrame, windowContents);
      return handleCall(channel, { trusted, senderId, request }, handlers, onRefused);
    });
  }
}

export function broadcast<E extends EventName>(name: E, event: EventOf<E>): void {
  if (!EVENTS[name](event).ok) throw new TypeError(`The event ${name} has another shape.`);
  for (const id of windowContents) webContents.fromId(id)?.send(CHANNEL_PREFIX + name, event);
}

/** Sends an event to the focused window, or to the first. */
export function tell<E extends EventName>(name: E, event: EventOf<E>): void {
  if (!EVENTS[name](event).ok) throw new TypeError(`The event ${name} has another shape.`);
  const ours = BrowserWindow.getAllWindows().filter(({ webContents: { id } }) =>
    windowContents.has(id),
  );
  const window = ours.find((one) => one.isFocused()) ?? ours[0];
  window?.webContents.send(CHANNEL_PREFIX + name, event);
}
