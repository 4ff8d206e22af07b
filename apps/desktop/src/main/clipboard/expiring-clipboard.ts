/** Of the system. Newer Electron answers with promises, older ones at once. */
interface SystemClipboard {
  readonly readText: () => string | Promise<string>;
  readonly writeText: (text: string) => void | Promise<void>;
  readonly clear: () => void;
  /** Linux keeps what was last selected too, for the middle button. */
  readonly clearSelection?: () => void;
}

interface ExpiringClipboardParts {
  readonly clipboard: SystemClipboard;
  /** Calls back after so many milliseconds. */
  readonly after: (milliseconds: number, callback: () => void) => void;
}

const clearAfterMs = 60_000;

/** What was copied from here, for a minute: never what was copied elsewhere since. */
export class ExpiringClipboard {
  readonly #parts: ExpiringClipboardParts;
  #copied: string | undefined;
  #copies = 0;

  constructor(parts: ExpiringClipboardParts) {
    this.#parts = parts;
  }

  async copy(text: string): Promise<void> {
    this.#copied = text;
    // Known by its number: a minute's wait doesn't keep the text of somebody who has left.
    const mine = (this.#copies += 1);
    await this.#parts.clipboard.writeText(text);
    this.#parts.after(clearAfterMs, () => {
      if (this.#copies === mine && this.#copied !== undefined) void this.clear();
    });
  }

  /** Clears the clipboard where it still holds what was copied last from here. */
  async clear(): Promise<void> {
    const { clipboard } = this.#parts;
    const mine = this.#copied;
    this.#copied = undefined;
    clipboard.clearSelection?.();
    if (mine !== undefined && (await clipboard.readText()) === mine) clipboard.clear();
  }
}
