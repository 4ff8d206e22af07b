import { ipcMain } from 'electron';
import type { ChannelName } from '../../shared/channels.ts';
import { REQUESTS } from '../../shared/requests.ts';
import { isTrustedFrame } from '../window/sender.ts';
import { isMainWindow } from '../window/window.main.ts';
import { handleCall, type Handlers, type Refusal } from './handle-call.ts';

interface ChannelParts {
  readonly onCall: () => void;
  readonly onRefused: (refusal: Refusal) => void;
}

export function registerChannels(handlers: Handlers, { onCall, onRefused }: ChannelParts): void {
  for (const channel of Object.keys(REQUESTS) as ChannelName[]) {
    ipcMain.handle(`caregate:${channel}`, (event, request: unknown) => {
      onCall();
      const senderId = event.sender.id;
      const trusted = isMainWindow(senderId) && isTrustedFrame(event.senderFrame);
      return handleCall(channel, { trusted, senderId, request }, handlers, onRefused);
    });
  }
}
