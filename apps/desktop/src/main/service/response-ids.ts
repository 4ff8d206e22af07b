import type { Transport } from '@caregate/api-client';

/** Ids from the headers of an answer. */
export interface ResponseIds {
  requestId?: string;
  auditId?: string;
}

/** The same transport, recording the ids in the headers of the answer to one call. */
export function recordingIds(transport: Transport, ids: ResponseIds): Transport {
  return {
    request: async (request) => {
      const response = await transport.request(request);
      const requestId = short(response.headers['x-request-id']);
      const auditId = short(response.headers['x-audit-record-id']);
      if (requestId !== undefined) ids.requestId = requestId;
      if (auditId !== undefined) ids.auditId = auditId;
      return response;
    },
  };
}

function short(header: string | undefined): string | undefined {
  return header === undefined || header === '' || header.length > 200 ? undefined : header;
}
