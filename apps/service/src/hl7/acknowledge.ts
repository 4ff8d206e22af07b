import type { Header, Refusal } from './report.ts';

/** What MSA-1 of the acknowledgement says. */
export function ackCode(header: Header | undefined, refusal?: Refusal): string {
  return `${header?.enhanced === true ? 'C' : 'A'}${refusal?.ack[1] ?? 'A'}`;
}

/** The acknowledgement, without frame. Without refusal the message is taken or put aside. */
export function acknowledge(_header: Header | undefined, _refusal?: Refusal): Buffer {
  throw new Error('not built yet');
}
