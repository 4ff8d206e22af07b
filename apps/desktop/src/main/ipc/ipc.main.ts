import { ipcMain } from 'electron';
import { CHANNEL_PREFIX } from '../../shared/api.ts';
import { CHANNELS, EVENTS } from '../../shared/channels.ts';
import type { ChannelName, EventName, EventOf } from '../../shared/channels.ts';
import { isMainWindow, sendToPage } from '../window/window.main.ts';
import { handleCall } from './handle-call.ts';
import type { Handlers, Refusal } from './handle-call.ts';
import { isTrustedFrame } from '../window/sender.ts';

interface ChannelParts {
  readonly onCall: () => void;
  readonly onRefused: (refusal: Refusal) => void;
}

export function registerChannels(handlers: Handlers, { onCall, onRefused }: ChannelParts): void {
  for (const channel of Object.keys(CHANNELS) as ChannelName[]) {
    ipcMain.handle(CHANNEL_PREFIX + channel, (event, request: unknown) => {
      onCall();
      const senderId = event.sender.id;
      const trusted = isMainWindow(senderId) && isTrustedFrame(event.senderFrame);
      return handleCall(channel, { trusted, senderId, request }, handlers, onRefused);
    });
  }
}

export function sendEvent<E extends EventName>(name: E, event: EventOf<E>): void {
  if (!EVENTS[name](event).ok) throw new TypeError(`The event ${name} has another shape.`);
  sendToPage(CHANNEL_PREFIX + name, event);
}
