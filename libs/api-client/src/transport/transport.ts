export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An HTTP request for a transport. `headers` contains the API key or session token, so never log or store it. */
export interface TransportRequest {
  readonly method: HttpMethod;
  /** Absolute URL, already percent-encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON body, whose type is in the headers; absent for reads. */
  readonly body?: string | undefined;
  /** Aborted on timeout or by the caller. It also applies while the body is read. */
  readonly signal: AbortSignal;
  /** Maximum size of the body in bytes after decompression. */
  readonly maxBodyBytes: number;
  /**
   * True if a kept-alive connection failed in this call. Others may be closed, too, so the transport should use a new
   * one.
   */
  readonly newConnection?: true | undefined;
}

/** A response of any status, with its complete body. */
export interface TransportResponse {
  readonly status: number;
  /** Headers with names in lower case. Repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A transport MUST resolve for every status, reject when the signal is aborted, and not follow redirects, which would
 * leak the API key. It rejects with a {@link BodyError} if the body exceeds `maxBodyBytes` or is not UTF-8. Any other
 * rejection counts as a network failure.
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

export function normalizeHeaders(headers: unknown): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(headers ?? {}) as [string, unknown][]) {
    if (typeof value === 'string') entries.push([name.toLowerCase(), value]);
    else if (Array.isArray(value)) entries.push([name.toLowerCase(), value.join(', ')]);
  }
  return Object.fromEntries(entries);
}
