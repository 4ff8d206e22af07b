/** One HTTP request as the client hands it to a transport. `headers` holds the API key: never log or keep it. */
export interface TransportRequest {
  readonly method: 'GET';
  /** Absolute, with every path part and query value already percent-encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the deadline passes or the caller gives up; covers the reading of the body too. */
  readonly signal: AbortSignal;
  /** Most bytes of body to read, counted after decompression. */
  readonly maxBodyBytes: number;
  /**
   * True where a kept connection lost an earlier request of the call: the others that are kept may have ended as well. A
   * transport that can, sends over a new one.
   */
  readonly newConnection?: true | undefined;
}

/** An answer of any status, its body read to the end. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * How the client reaches the network. An implementation answers every status without throwing, follows no redirect
 * (the API key would go along), and rejects when the signal is aborted. A body longer than `maxBodyBytes` or not in
 * UTF-8 rejects with a {@link BodyError}; everything else that it rejects with counts as a network failure.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
}

export type BodyFault = 'too-large' | 'not-utf-8';

/** A body that a transport refuses to hand on. `status` is absent when the transport did not learn it. */
export class BodyError extends Error {
  readonly fault: BodyFault;
  readonly status: number | undefined;

  constructor(fault: BodyFault, status?: number) {
    super(`response body is ${fault}`);
    this.fault = fault;
    this.status = status;
  }
}

/** Decodes UTF-8 without letting a replacement character stand for broken bytes. Throws {@link BodyError}. */
export function decodeUtf8(bytes: Uint8Array, status: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BodyError('not-utf-8', status);
  }
}

/** Headers as HTTP libraries of Node give them, with names in lower case and lists joined. */
export function headersOf(headers: unknown): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(headers ?? {}) as [string, unknown][]) {
    if (typeof value === 'string') entries.push([name.toLowerCase(), value]);
    else if (Array.isArray(value)) entries.push([name.toLowerCase(), value.join(', ')]);
  }
  return Object.fromEntries(entries);
}
