/** Electron's clipboard: newer versions return promises, older ones plain values. */
interface SystemClipboard {
  readonly readText: () => string | Promise<string>;
  readonly writeText: (text: string) => void | Promise<void>;
  readonly clear: () => void;
  /** Linux only: clears the selection, which the middle mouse button pastes. */
  readonly clearSelection?: () => void;
}

interface ExpiringClipboardParts {
  readonly clipboard: SystemClipboard;
  readonly after: (milliseconds: number, callback: () => void) => void;
}

const clearAfterMs = 60_000;

/** Clears a copied text after a minute, but never a text that another program has copied since. */
export class ExpiringClipboard {
  readonly #parts: ExpiringClipboardParts;
  #copied: string | undefined;
  #copies = 0;
  #requests = 0;
  #written = 0;

  constructor(parts: ExpiringClipboardParts) {
    this.#parts = parts;
  }

  request(): number {
    this.#requests += 1;
    return this.#requests;
  }

  /** Returns false if a later request has already been copied. */
  async copy(text: string, request = this.request()): Promise<boolean> {
    if (request < this.#written) return false;
    this.#written = request;
    this.#copied = text;
    // The timer holds a number and not the text, so that the text doesn't stay in memory.
    const copyNumber = (this.#copies += 1);
    await this.#parts.clipboard.writeText(text);
    this.#parts.after(clearAfterMs, () => {
      if (this.#copies === copyNumber && this.#copied !== undefined) void this.clear();
    });
    return true;
  }

  /** Call this after a failed copy, so that nobody pastes the data of an earlier patient. A later copy stays. */
  async discard(request: number): Promise<void> {
    if (request >= this.#written) await this.clear();
  }

  async clear(): Promise<void> {
    const { clipboard } = this.#parts;
    const copied = this.#copied;
    this.#copied = undefined;
    clipboard.clearSelection?.();
    if (copied !== undefined && (await clipboard.readText()) === copied) clipboard.clear();
  }
}
