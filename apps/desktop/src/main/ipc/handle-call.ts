import * as v from 'valibot';
import type {
  ChannelName,
  ReadName,
  ChannelRequest,
  ChannelResponse,
} from '../../shared/channels.ts';
import type { Outcome } from '../../shared/problem.ts';
import { OTHER_READS, REQUESTS } from '../../shared/requests.ts';

export type Handlers = {
  readonly [C in ChannelName]: (
    request: ChannelRequest<C>,
    senderId: number,
  ) => Outcome<ChannelResponse<C>> | Promise<Outcome<ChannelResponse<C>>>;
};

export interface Refusal {
  readonly channel: ChannelName;
  readonly why: 'sender' | 'request' | 'failed';
  /** The name of the error. Its message isn't logged, since it may quote patient data. */
  readonly error?: string;
}

export async function handleCall<C extends ChannelName>(
  channel: C,
  call: { trusted: boolean; senderId: number; request: unknown },
  handlers: Handlers,
  onRefused: (refusal: Refusal) => void,
): Promise<Outcome<ChannelResponse<C>>> {
  const refuse = (why: Refusal['why'], error?: unknown): Outcome<never> => {
    onRefused({ channel, why, ...(error instanceof Error && { error: error.name }) });
    return { ok: false, problem: { kind: why === 'failed' ? 'serverBroken' : 'refused' } };
  };
  if (!call.trusted) return refuse('sender');
  try {
    const { request } = call;
    if (!v.is(REQUESTS[channel], request)) return refuse('request');
    if (channel === 'read') {
      const { operation, params } = request as ChannelRequest<'read'>;
      if (!v.is(await loadParamsSchema(operation), params)) return refuse('request');
    }
    return await handlers[channel](request, call.senderId);
  } catch (error) {
    return refuse('failed', error);
  }
}

async function loadParamsSchema(operation: ReadName): Promise<v.GenericSchema> {
  if (operation in OTHER_READS) return OTHER_READS[operation as keyof typeof OTHER_READS];
  // The schemas of the read operations are as large as the rest of main, so they are loaded at the first read.
  const { buildParamsSchema } = await import('../service/reads.ts');
  return buildParamsSchema(operation as Exclude<ReadName, keyof typeof OTHER_READS>);
}
