/** Of the system. Newer Electron answers with promises, older ones at once. */
export interface SystemClipboard {
  readonly readText: () => string | Promise<string>;
  readonly writeText: (text: string) => void | Promise<void>;
  readonly clear: () => void;
  /** Linux keeps what was last selected too, for the middle button. */
  readonly clearSelection?: () => void;
}

export interface KeptClipboardParts {
  readonly clipboard: SystemClipboard;
  /** Calls back after so many milliseconds. */
  readonly after: (milliseconds: number, callback: () => void) => void;
}

const clearAfterMs = 60_000;

/** What was copied from here, for a minute: never what was copied elsewhere since. */
export class KeptClipboard {
  readonly #parts: KeptClipboardParts;
  #copied: { readonly text: string } | undefined;

  constructor(parts: KeptClipboardParts) {
    this.#parts = parts;
  }

  async copy(text: string): Promise<void> {
    const mine = { text };
    this.#copied = mine;
    await this.#parts.clipboard.writeText(text);
    this.#parts.after(clearAfterMs, () => {
      if (this.#copied === mine) void this.clear();
    });
  }

  /** Clears the clipboard where it still holds what was copied last from here. */
  async clear(): Promise<void> {
    const { clipboard } = this.#parts;
    const mine = this.#copied;
    this.#copied = undefined;
    clipboard.clearSelection?.();
    if (mine !== undefined && (await clipboard.readText()) === mine.text) clipboard.clear();
  }
}
