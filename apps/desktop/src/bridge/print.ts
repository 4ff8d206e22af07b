import { DESK_DOCUMENTS } from '@caregate/domain';
import { labelSize, PAPERS, PRINT_KINDS } from './print-kinds.ts';
import { array, boolean, bytes, integer, object, oneOf, optional, text } from './schema.ts';
import type { TypeOf } from './schema.ts';

/** Of the answers in a document, as the service named their records. */
const recordIdsSchema = array(text(1, 200), 200);

/** What something was copied from, and of which answers. */
export const copiedFromSchema = object({
  document: oneOf(DESK_DOCUMENTS),
  recordIds: recordIdsSchema,
});
export type CopiedFrom = TypeOf<typeof copiedFromSchema>;

/** As long as anything that a service may say in one field. */
const line = text(0, 100_000);
const fact = object({
  label: line,
  value: line,
  /** Ids and codes are read from left to right. */
  code: optional(boolean),
});

/** What is to be printed, all of it text in the language of the screen; main lays it out. */
export const printDocumentSchema = object({
  paper: oneOf(PAPERS),
  language: text(2, 35),
  direction: oneOf(['ltr', 'rtl']),
  /** Names the file too, so it mustn't name a patient. */
  kind: oneOf(PRINT_KINDS),
  title: text(1, 300),
  /** What this paper is not. */
  notice: text(1, 300),
  /** Begins each page: whose it is. Pages are parted from one another. */
  patient: object({ name: text(1, 100_000), facts: array(fact, 4) }),
  /** "page n of m" around its numbers, beside it. */
  page: array(line, 3),
  /** Read first. */
  main: array(fact, 20),
  sections: array(
    object({
      heading: line,
      /** To be read before everything else; it stands out. */
      warning: optional(boolean),
      facts: array(fact, 200),
      table: optional(
        object({
          columns: array(line, 12),
          /** In percent, one for each column. */
          widths: optional(array(integer(1, 100), 12)),
          /** As many cells as there are columns, the first naming the row; the strong ones stand out. */
          rows: array(object({ cells: array(line, 12), strong: optional(boolean) }), 5000),
        }),
      ),
    }),
    50,
  ),
  /** Under each page, a line each: by whom, when with the zone, the audit record. */
  footer: array(line, 4),
  /** Named to the service before it is printed or saved. */
  recordIds: optional(recordIdsSchema),
});
export type PrintDocument = TypeOf<typeof printDocumentSchema>;

/** A person's label: who it is in words, and the client id as a barcode and as text. */
export const labelSchema = object({
  size: labelSize,
  language: text(2, 35),
  direction: oneOf(['ltr', 'rtl']),
  /** As it came; empty where no name is known. */
  name: text(0, 10_000),
  /** The line of the birth date, its word in it; empty where none is known. */
  born: text(0, 300),
  clientUserId: text(1, 1024),
  /** Of the answers that it is made of, named to the service before it is printed. */
  recordIds: array(text(1, 200), 200),
});
export type Label = TypeOf<typeof labelSchema>;

/** Of a PDF that main holds. */
const id = text(1, 64);

export const madeSchema = object({
  id,
  bytes: integer(1, Number.MAX_SAFE_INTEGER),
  /** 0 where they can't be counted. */
  pages: integer(0, Number.MAX_SAFE_INTEGER),
});
export type Made = TypeOf<typeof madeSchema>;

export const printIdSchema = object({ id });
/** The very bytes that are printed and saved. */
export const readSchema = object({ pdf: bytes(1, Number.MAX_SAFE_INTEGER) });
export const savedSchema = object({ saved: boolean });
export const sendSchema = object({
  id,
  /** As `printers` names it; without one the system's own dialog asks. */
  printer: optional(text(1, 500)),
  copies: integer(1, 20),
  /** The page shows the sheets of this PDF to a printer, and nothing else. */
  pages: boolean,
});
export type SendRequest = TypeOf<typeof sendSchema>;

/** `pagesNeeded`: main can't print the bytes by themselves here; to be asked again, with `pages`. */
export const sentSchema = object({ result: oneOf(['sent', 'notSent', 'pagesNeeded']) });
export type Sent = TypeOf<typeof sentSchema>;
export const printersSchema = object({
  printers: array(object({ name: text(1, 500), label: text(1, 500) }), 500),
});
