import { ipcMain, webContents } from 'electron';
import { CHANNEL_PREFIX, REST_CHANNEL } from '../../bridge/api.ts';
import { CHANNELS, EVENTS } from '../../bridge/channels.ts';
import type { ChannelName, EventName, EventOf } from '../../bridge/channels.ts';
import { ourContents } from '../window/window.main.ts';
import { answer } from './answer.ts';
import type { Handlers, Refusal } from './answer.ts';
import { isOurPage } from './sender.ts';

export interface ChannelParts {
  /** Before each call is dealt with. */
  readonly onCall: () => void;
  readonly onRefused: (refusal: Refusal) => void;
}

/** Listens on every channel of the map, and on no other. */
export function registerChannels(handlers: Handlers, { onCall, onRefused }: ChannelParts): void {
  for (const channel of Object.keys(CHANNELS) as ChannelName[]) {
    ipcMain.handle(CHANNEL_PREFIX + channel, (event, request: unknown) => {
      onCall();
      const senderId = event.sender.id;
      const trusted = isOurPage(senderId, event.senderFrame, ourContents);
      return answer(channel, { trusted, senderId, request }, handlers, onRefused);
    });
  }
}

/** Tells every window of ours. */
export function broadcast<E extends EventName>(name: E, event: EventOf<E>): void {
  if (!EVENTS[name](event).ok) throw new TypeError(`The event ${name} has another shape.`);
  for (const id of ourContents) webContents.fromId(id)?.send(CHANNEL_PREFIX + name, event);
}

/** Tells the preload of every window of ours that the desk rests. */
export function tellRest(): void {
  for (const id of ourContents) webContents.fromId(id)?.send(REST_CHANNEL);
}
