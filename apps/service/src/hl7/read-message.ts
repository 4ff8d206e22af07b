import type { Header, LabReport, Refusal } from './report.ts';

export type ReadMessage =
  | { readonly ok: true; readonly header: Header; readonly report: LabReport }
  /** Without header, the bytes have none that can be read. */
  | { readonly ok: false; readonly header?: Header | undefined; readonly refusal: Refusal };

/** One message without its frame. Never throws. */
export function readMessage(_bytes: Uint8Array): ReadMessage {
  throw new Error('not built yet');
}
