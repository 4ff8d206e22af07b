import { DESK_DOCUMENTS } from '@caregate/domain';
import * as v from 'valibot';
import { parseLabelSize, PAPERS, PRINT_KINDS } from './print-kinds.ts';
import { integer, list, text } from './schema.ts';

export const labelSize = v.pipe(
  v.string(),
  v.check((size) => parseLabelSize(size) !== undefined),
);

/** The audit records of the answers that a document comes from. A paged read has one for each page. */
const recordIdsSchema = list(text(1, 200), 10_000);

export const copiedFromSchema = v.strictObject({
  document: v.picklist(DESK_DOCUMENTS),
  recordIds: recordIdsSchema,
});
export type CopiedFrom = v.InferOutput<typeof copiedFromSchema>;

const line = text(0, 100_000);
const fact = v.strictObject({
  label: line,
  value: line,
  /** Whether the value is always shown left to right. */
  code: v.optional(v.boolean()),
});

export const printDocumentSchema = v.strictObject({
  paper: v.picklist(PAPERS),
  language: text(2, 35),
  direction: v.picklist(['ltr', 'rtl']),
  kind: v.picklist(PRINT_KINDS),
  clinic: text(1, 200),
  title: text(1, 300),
  heading: text(1, 100_000),
  /** A disclaimer, such as "not proof of coverage". */
  notice: text(1, 300),
  patient: v.strictObject({ name: text(1, 100_000), facts: list(fact, 4) }),
  /** The texts before, between and after the two numbers of "page n of m". */
  page: list(line, 3),
  main: list(fact, 20),
  sections: list(
    v.strictObject({
      heading: line,
      /** Shown beside the heading. */
      note: v.optional(line),
      warning: v.optional(v.boolean()),
      text: v.optional(line),
      facts: list(fact, 200),
      table: v.optional(
        v.strictObject({
          columns: list(line, 12),
          widths: v.optional(list(integer(1, 100), 12)),
          /** Indexes of columns with numbers, from 0. Their cells are aligned at the end. */
          numberColumns: v.optional(list(integer(0, 11), 12)),
          /**
           * The first cell is the row's heading, and the last one spans the remaining columns. Cells with an index in
           * `strong` are bold.
           */
          rows: list(
            v.strictObject({
              cells: list(line, 12),
              strong: v.optional(list(integer(0, 11), 12)),
            }),
            5000,
          ),
        }),
      ),
    }),
    50,
  ),
  footer: list(line, 4),
  recordIds: v.optional(recordIdsSchema),
});
export type PrintDocument = v.InferOutput<typeof printDocumentSchema>;

export const labelSchema = v.strictObject({
  kind: v.literal('label'),
  size: labelSize,
  language: text(2, 35),
  direction: v.picklist(['ltr', 'rtl']),
  name: text(0, 10_000),
  /** Empty if no birth date is known. */
  born: text(0, 300),
  clientUserId: text(1, 1024),
  recordIds: recordIdsSchema,
});
export type Label = v.InferOutput<typeof labelSchema>;

export type Printable = PrintDocument | Label;
export const printableSchema = v.variant('kind', [printDocumentSchema, labelSchema]);

export interface Preview {
  readonly pdf: Uint8Array<ArrayBuffer>;
  readonly pages: number;
}

export const printRequestSchema = v.strictObject({
  document: printableSchema,
  to: v.picklist(['printer', 'file']),
  printer: v.optional(text(1, 500)),
  copies: integer(1, 20),
});
export type PrintRequest = v.InferOutput<typeof printRequestSchema>;

export interface PrintResult {
  /** `notDone` means that the printer refused the job or the user chose no file. */
  readonly result: 'done' | 'notDone' | 'printerGone';
}

export type Printers = readonly { readonly name: string; readonly label: string }[];
