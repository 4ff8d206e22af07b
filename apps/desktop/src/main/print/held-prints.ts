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
  /** As many copies are recorded as printed, and not sent yet: the page has to lay its sheets out first. */
  recordedCopies: number | undefined;
}

/** The contents of a window, as far as it matters here. */
interface Sender {
  readonly id: number;
  once(event: 'destroyed', listener: () => void): unknown;
}

/** The newest documents of each window: what one window makes takes nothing from another. */
export class HeldPrints {
  readonly #windows = new Map<number, Map<string, Held>>();
  #era = 0;

  /** Goes up when everything is forgotten: what began before is worth nothing after. */
  get era(): number {
    return this.#era;
  }

  /** Until the window is gone, or has made so many others. */
  hold(sender: Sender, id: string, held: Held): void {
    const ofWindow = this.#ofWindow(sender);
    ofWindow.set(id, held);
    for (const old of ofWindow.keys()) {
      if (ofWindow.size <= maxOfWindow) return;
      ofWindow.delete(old);
    }
  }

  /** Undefined where it was made by another window, or is held no more. */
  get(senderId: number, id: string): Held | undefined {
    return this.#windows.get(senderId)?.get(id);
  }

  /** Forgets the documents of every window. */
  clear(): void {
    this.#era += 1;
    // The windows stay known: each is listened to once.
    for (const ofWindow of this.#windows.values()) ofWindow.clear();
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
