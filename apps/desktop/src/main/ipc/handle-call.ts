import { CHANNELS } from '../../shared/channels.ts';
import type { ChannelName, RequestOf, ResponseOf } from '../../shared/channels.ts';
import { outcome } from '../../shared/problem.ts';
import type { Outcome } from '../../shared/problem.ts';
import { loaded } from '../../shared/schema.ts';
import type { Later, Schema } from '../../shared/schema.ts';

export type Handlers = {
  readonly [C in ChannelName]: (
    request: RequestOf<C>,
    senderId: number,
  ) => Outcome<ResponseOf<C>> | Promise<Outcome<ResponseOf<C>>>;
};

export interface Refusal {
  readonly channel: ChannelName;
  readonly why: 'sender' | 'request' | 'response' | 'failed';
  /** The error's name; its message may quote data. */
  readonly error?: string;
}

export async function handleCall<C extends ChannelName>(
  channel: C,
  call: { trusted: boolean; senderId: number; request: unknown },
  handlers: Handlers,
  onRefused: (refusal: Refusal) => void,
): Promise<Outcome<ResponseOf<C>>> {
  const refuse = (why: Refusal['why'], error?: unknown): Outcome<never> => {
    onRefused({ channel, why, ...(error instanceof Error && { error: error.name }) });
    return { ok: false, problem: { kind: why === 'failed' ? 'serverBroken' : 'refused' } };
  };
  if (!call.trusted) return refuse('sender');
  const { request, response } = CHANNELS[channel];
  try {
    const takes = await loaded(request as Schema<RequestOf<C>> | Later<RequestOf<C>>);
    const checked = takes(call.request);
    if (!checked.ok) return refuse('request');
    const result = await handlers[channel](checked.value, call.senderId);
    const answer = await loaded(response as Schema<ResponseOf<C>> | Later<ResponseOf<C>>);
    return outcome(answer)(result).ok ? result : refuse('response');
  } catch (error) {
    return refuse('failed', error);
  }
}
