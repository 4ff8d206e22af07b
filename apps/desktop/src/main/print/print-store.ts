import type { Size } from '../../shared/print-kinds.ts';
import type { PrintDocument } from '../../shared/print.ts';

/** How many documents are kept besides those being printed. */
const most = 4;

export interface StoredPrint {
  readonly kind: PrintDocument['kind'] | 'label';
  readonly size: Size;
  /** CUPS media name. */
  readonly media: string;
  readonly pdf: Uint8Array<ArrayBuffer>;
  /** 0 if unknown. */
  readonly pages: number;
  readonly recordIds: readonly string[];
  readonly number: string;
  /** Whether the number was recorded: the next print is laid out with another. */
  isUsed: boolean;
  /** Copies that are recorded as printed and wait for the page's sheets; keeps the document. */
  recordedCopies: number | undefined;
}

/** Takes the number for its one record; false if it was taken before. */
export function claimNumber(stored: StoredPrint): boolean {
  const isFree = !stored.isUsed;
  stored.isUsed = true;
  return isFree;
}

/** The newest documents that were laid out. */
export class PrintStore {
  readonly #documents = new Map<string, StoredPrint>();
  readonly #printing = new WeakMap<StoredPrint, number>();
  #era = 0;

  /** Increases when everything is discarded, to detect results from before. */
  get era(): number {
    return this.#era;
  }

  /** Keeps the document until there are four newer ones; a document that is being printed stays longer. */
  add(id: string, stored: StoredPrint): void {
    this.#documents.set(id, stored);
    this.#trim();
  }

  get(id: string): StoredPrint | undefined {
    return this.#documents.get(id);
  }

  /** Keeps the document meanwhile. `isWanted` turns false when it is discarded. */
  async printing<T>(
    id: string,
    print: (stored: StoredPrint, isWanted: () => boolean) => Promise<T>,
  ): Promise<T | undefined> {
    const stored = this.get(id);
    if (stored === undefined) return undefined;
    this.#printing.set(stored, (this.#printing.get(stored) ?? 0) + 1);
    try {
      return await print(stored, () => this.get(id) === stored);
    } finally {
      this.#printing.set(stored, (this.#printing.get(stored) ?? 0) - 1);
      this.#trim();
    }
  }

  cancel(id: string): void {
    this.#documents.delete(id);
  }

  clear(): void {
    this.#era += 1;
    this.#documents.clear();
  }

  #trim(): void {
    const idle = [...this.#documents].filter(([, stored]) => !this.#isPrinted(stored));
    for (const [old] of idle.slice(0, -most)) this.#documents.delete(old);
  }

  #isPrinted(stored: StoredPrint): boolean {
    return stored.recordedCopies !== undefined || (this.#printing.get(stored) ?? 0) > 0;
  }
}
