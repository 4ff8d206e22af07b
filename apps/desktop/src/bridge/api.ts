import type { ChannelName, EventName, EventOf, RequestOf, ResponseOf } from './channels.ts';
import type { Outcome } from './problem.ts';

/** One function for each channel. */
export type Calls = {
  readonly [C in ChannelName]: (request: RequestOf<C>) => Promise<Outcome<ResponseOf<C>>>;
};

/** One function for each event; the function returned unsubscribes. */
type Listeners = {
  readonly [E in EventName as `on${Capitalize<E>}`]: (
    listener: (event: EventOf<E>) => void,
  ) => () => void;
};

/** What the page sees as `window.caregate`, and all it sees. */
export type CaregateBridge = Calls & Listeners;

/** Names as ipcMain and ipcRenderer know them. */
export const CHANNEL_PREFIX = 'caregate:';
/** From main to the preload alone: nobody works just now, so memory may be freed. */
export const IDLE_CHANNEL = `${CHANNEL_PREFIX}idle`;

/** The channels of an auditor's desk. */
export type AuditChannel =
  | 'auditEvents'
  | 'auditAlarms'
  | 'grants'
  | 'reviewGrant'
  | 'logState'
  | 'disclosures'
  | 'exportAudit';
