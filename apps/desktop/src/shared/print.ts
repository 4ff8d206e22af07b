import { DESK_DOCUMENTS } from '@caregate/domain';
import { labelSize, PAPERS, PRINT_KINDS } from './print-kinds.ts';
import { array, boolean, bytes, integer, object, oneOf, optional, text } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';

/** Audit records of the answers that something comes from, a page of a long read each. */
const recordIdsSchema = array(text(1, 200), 10_000);

export const copiedFromSchema = object({
  document: oneOf(DESK_DOCUMENTS),
  recordIds: recordIdsSchema,
});
export type CopiedFrom = TypeOf<typeof copiedFromSchema>;

const line = text(0, 100_000);
const fact = object({
  label: line,
  value: line,
  /** Shown left to right. */
  code: optional(boolean),
});

export const printDocumentSchema = object({
  paper: oneOf(PAPERS),
  language: text(2, 35),
  direction: oneOf(['ltr', 'rtl']),
  kind: oneOf(PRINT_KINDS),
  clinic: text(1, 200),
  title: text(1, 300),
  heading: text(1, 100_000),
  /** What this paper is not. */
  notice: text(1, 300),
  patient: object({ name: text(1, 100_000), facts: array(fact, 4) }),
  /** The text around the numbers of "page n of m". */
  page: array(line, 3),
  main: array(fact, 20),
  sections: array(
    object({
      heading: line,
      /** Beside the heading. */
      note: optional(line),
      warning: optional(boolean),
      facts: array(fact, 200),
      table: optional(
        object({
          columns: array(line, 12),
          widths: optional(array(integer(1, 100), 12)),
          /** Index of the column whose cells end at its edge, beside their units. */
          numberColumn: optional(integer(0, 11)),
          /** As many cells as columns; the first names the row. */
          rows: array(object({ cells: array(line, 12), strong: optional(boolean) }), 5000),
        }),
      ),
    }),
    50,
  ),
  footer: array(line, 4),
  recordIds: optional(recordIdsSchema),
});
export type PrintDocument = TypeOf<typeof printDocumentSchema>;

export const labelSchema = object({
  kind: oneOf(['label']),
  size: labelSize,
  language: text(2, 35),
  direction: oneOf(['ltr', 'rtl']),
  name: text(0, 10_000),
  /** Empty where no birth date is known. */
  born: text(0, 300),
  clientUserId: text(1, 1024),
  recordIds: recordIdsSchema,
});
export type Label = TypeOf<typeof labelSchema>;

export type Printable = PrintDocument | Label;
export const printableSchema: Schema<Printable> = (value) =>
  (value as Partial<Label> | null | undefined)?.kind === 'label'
    ? labelSchema(value)
    : printDocumentSchema(value);

export const previewSchema = object({
  pdf: bytes(1, Number.MAX_SAFE_INTEGER),
  pages: integer(1, Number.MAX_SAFE_INTEGER),
});
export type Preview = TypeOf<typeof previewSchema>;

export const printRequestSchema = object({
  document: printableSchema,
  to: oneOf(['printer', 'dialog', 'file']),
  printer: optional(text(1, 500)),
  copies: integer(1, 20),
});
export type PrintRequest = TypeOf<typeof printRequestSchema>;

export const printedSchema = object({
  /** `notDone`: the printer refused it, or the user closed the dialog. */
  result: oneOf(['done', 'notDone', 'printerGone']),
  /** Of all copies. */
  pages: optional(integer(1, Number.MAX_SAFE_INTEGER)),
  /** Name to show. */
  printer: optional(text(1, 500)),
});
export type Printed = TypeOf<typeof printedSchema>;

export const printersSchema = array(object({ name: text(1, 500), label: text(1, 500) }), 500);
export type Printers = TypeOf<typeof printersSchema>;
