export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An HTTP request for a transport. `headers` contains the API key or session: never log or keep it. */
export interface TransportRequest {
  readonly method: HttpMethod;
  /** Absolute URL, already percent-encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; its type is in the headers. Absent for reads. */
  readonly body?: string | undefined;
  /** Aborted on time-out or by the caller; also applies while reading the body. */
  readonly signal: AbortSignal;
  /** Maximum size of the body in bytes, after decompression. */
  readonly maxBodyBytes: number;
  /** True if a kept-alive connection failed in this call: others may be closed, too, so use a new one if you can. */
  readonly newConnection?: true | undefined;
}

/** A response of any status, with its complete body. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Must resolve for every status, reject when the signal is aborted, and not follow redirects (which would leak the API key).
 * Rejects with a {@link BodyError} for a body over `maxBodyBytes` or not in UTF-8; other rejections count as network failures.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
}

export type BodyFault = 'too-large' | 'not-utf-8';

/** A body that the transport rejects. `status` is absent if unknown. */
export class BodyError extends Error {
  readonly fault: BodyFault;
  readonly status: number | undefined;

  constructor(fault: BodyFault, status?: number) {
    super(`response body is ${fault}`);
    this.fault = fault;
    this.status = status;
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 strictly. Throws {@link BodyError} for invalid bytes. */
export function decodeUtf8(bytes: Uint8Array, status: number): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new BodyError('not-utf-8', status);
  }
}

export function headersOf(headers: unknown): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(headers ?? {}) as [string, unknown][]) {
    if (typeof value === 'string') entries.push([name.toLowerCase(), value]);
    else if (Array.isArray(value)) entries.push([name.toLowerCase(), value.join(', ')]);
  }
  return Object.fromEntries(entries);
}
