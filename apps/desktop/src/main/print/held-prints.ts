import type { Size } from '../../bridge/print-kinds.ts';
import type { PrintDocument } from '../../bridge/print.ts';

const maxOfWindow = 4;

/** A PDF in memory, and what it is of. */
export interface Held {
  readonly kind: PrintDocument['kind'] | 'label';
  readonly size: Size;
  /** As CUPS names it. */
  readonly media: string;
  readonly pdf: Uint8Array<ArrayBuffer>;
  /** 0 where they can't be counted. */
  readonly pages: number;
  readonly recordIds: readonly string[];
  /** On its paper, and in the one record of its print. */
  readonly number: string;
  /** Whether its number is recorded, or about to be: the next print of the same is laid out with another. */
  isUsed: boolean;
  /** As many copies are recorded as printed, and not sent yet: the page has to lay its sheets out first. It stays so long. */
  recordedCopies: number | undefined;
}

/** Takes its number for the one record that it may have; false where it was taken before. */
export function claimNumber(held: Held): boolean {
  const isFree = !held.isUsed;
  held.isUsed = true;
  return isFree;
}

/** The contents of a window, as far as it matters here. */
interface Sender {
  readonly id: number;
  once(event: 'destroyed', listener: () => void): unknown;
}

/** The newest documents of each window: what one window makes takes nothing from another. */
export class HeldPrints {
  readonly #windows = new Map<number, Map<string, Held>>();
  /** How many prints of each are on their way. */
  readonly #printing = new WeakMap<Held, number>();
  #era = 0;

  /** Goes up when everything is forgotten: what began before is worth nothing after. */
  get era(): number {
    return this.#era;
  }

  /** Until the window is gone, or has made so many others; what is being printed stays meanwhile. */
  hold(sender: Sender, id: string, held: Held): void {
    this.#ofWindow(sender).set(id, held);
    this.#trim(sender.id);
  }

  /** Undefined where it was made by another window, or is held no more. */
  get(senderId: number, id: string): Held | undefined {
    return this.#windows.get(senderId)?.get(id);
  }

  /**
   * Prints one, which no newer one pushes out meanwhile. `isWanted` is false once it was cancelled, all were forgotten or
   * its window is gone. Undefined where it is held no more.
   */
  async printing<T>(
    senderId: number,
    id: string,
    print: (held: Held, isWanted: () => boolean) => Promise<T>,
  ): Promise<T | undefined> {
    const held = this.get(senderId, id);
    if (held === undefined) return undefined;
    this.#printing.set(held, (this.#printing.get(held) ?? 0) + 1);
    try {
      return await print(held, () => this.get(senderId, id) === held);
    } finally {
      this.#printing.set(held, (this.#printing.get(held) ?? 0) - 1);
      this.#trim(senderId);
    }
  }

  /** Forgets one that nobody wants printed any more. */
  cancel(senderId: number, id: string): void {
    this.#windows.get(senderId)?.delete(id);
  }

  /** Forgets the documents of every window. */
  clear(): void {
    this.#era += 1;
    // The windows stay known: each is listened to once.
    for (const ofWindow of this.#windows.values()) ofWindow.clear();
  }

  #trim(senderId: number): void {
    const ofWindow = this.#windows.get(senderId);
    if (ofWindow === undefined) return;
    const idle = [...ofWindow].filter(([, held]) => !this.#isPrinted(held));
    for (const [old] of idle.slice(0, -maxOfWindow)) ofWindow.delete(old);
  }

  #isPrinted(held: Held): boolean {
    return held.recordedCopies !== undefined || (this.#printing.get(held) ?? 0) > 0;
  }

  #ofWindow(sender: Sender): Map<string, Held> {
    const known = this.#windows.get(sender.id);
    if (known !== undefined) return known;
    const ofWindow = new Map<string, Held>();
    this.#windows.set(sender.id, ofWindow);
    sender.once('destroyed', () => this.#windows.delete(sender.id));
    return ofWindow;
  }
}
