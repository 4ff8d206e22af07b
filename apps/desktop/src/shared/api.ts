import type { ChannelName, EventName, EventOf, RequestOf, ResponseOf } from './channels.ts';
import type { Outcome } from './problem.ts';

type Calls = {
  readonly [C in ChannelName]: (request: RequestOf<C>) => Promise<Outcome<ResponseOf<C>>>;
};

type Listeners = {
  readonly [E in EventName as `on${Capitalize<E>}`]: (
    listener: (event: EventOf<E>) => void,
  ) => () => void;
};

/** All that the page sees of main, as `window.caregate`. */
export type CaregateBridge = Calls & Listeners;

export const CHANNEL_PREFIX = 'caregate:';
