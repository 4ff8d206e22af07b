import { request } from 'node:https';
import type { FetchFunction } from '@caregate/api-client';

export function fetchWithCa(ca: string): FetchFunction {
  return (url, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          ca,
          agent: false,
          method,
          headers: Object.fromEntries(new Headers(headers)),
          ...(signal && { signal }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject).on('end', () => {
            const { statusCode: status = 0, headers: given } = response;
            const named = Object.entries(given).map(([name, value]) => [name, String(value)]);
            resolve(
              new Response(Buffer.concat(chunks), {
                status,
                headers: Object.fromEntries(named) as Record<string, string>,
              }),
            );
          });
        },
      );
      const text = body instanceof URLSearchParams || typeof body === 'string' ? body : '';
      sent.on('error', reject).end(text.toString());
    });
}
