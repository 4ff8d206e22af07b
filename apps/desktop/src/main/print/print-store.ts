import type { Size } from '../../bridge/print-kinds.ts';
import type { PrintDocument } from '../../bridge/print.ts';

const maxOfWindow = 4;

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

interface Sender {
  readonly id: number;
  once(event: 'destroyed', listener: () => void): unknown;
}

/** The newest documents of each window, which other windows can't push out. */
export class PrintStore {
  readonly #windows = new Map<number, Map<string, StoredPrint>>();
  readonly #printing = new WeakMap<StoredPrint, number>();
  #era = 0;

  /** Increases when everything is discarded, to detect results from before. */
  get era(): number {
    return this.#era;
  }

  /** Keeps it until the window is gone or has made four newer ones; not while it is printed. */
  add(sender: Sender, id: string, stored: StoredPrint): void {
    this.#ofWindow(sender).set(id, stored);
    this.#trim(sender.id);
  }

  get(senderId: number, id: string): StoredPrint | undefined {
    return this.#windows.get(senderId)?.get(id);
  }

  /** Keeps the document meanwhile. `isWanted` turns false when it is discarded or its window is gone. */
  async printing<T>(
    senderId: number,
    id: string,
    print: (stored: StoredPrint, isWanted: () => boolean) => Promise<T>,
  ): Promise<T | undefined> {
    const stored = this.get(senderId, id);
    if (stored === undefined) return undefined;
    this.#printing.set(stored, (this.#printing.get(stored) ?? 0) + 1);
    try {
      return await print(stored, () => this.get(senderId, id) === stored);
    } finally {
      this.#printing.set(stored, (this.#printing.get(stored) ?? 0) - 1);
      this.#trim(senderId);
    }
  }

  cancel(senderId: number, id: string): void {
    this.#windows.get(senderId)?.delete(id);
  }

  clear(): void {
    this.#era += 1;
    // Keeps the windows, so that each is listened to once.
    for (const ofWindow of this.#windows.values()) ofWindow.clear();
  }

  #trim(senderId: number): void {
    const ofWindow = this.#windows.get(senderId);
    if (ofWindow === undefined) return;
    const idle = [...ofWindow].filter(([, stored]) => !this.#isPrinted(stored));
    for (const [old] of idle.slice(0, -maxOfWindow)) ofWindow.delete(old);
  }

  #isPrinted(stored: StoredPrint): boolean {
    return stored.recordedCopies !== undefined || (this.#printing.get(stored) ?? 0) > 0;
  }

  #ofWindow(sender: Sender): Map<string, StoredPrint> {
    const known = this.#windows.get(sender.id);
    if (known !== undefined) return known;
    const ofWindow = new Map<string, StoredPrint>();
    this.#windows.set(sender.id, ofWindow);
    sender.once('destroyed', () => this.#windows.delete(sender.id));
    return ofWindow;
  }
}
