/** The system's clipboard. Newer versions of Electron return promises, older ones values. */
interface SystemClipboard {
  readonly readText: () => string | Promise<string>;
  readonly writeText: (text: string) => void | Promise<void>;
  readonly clear: () => void;
  /** Linux has a second clipboard with the selection, for the middle button. */
  readonly clearSelection?: () => void;
}

interface ExpiringClipboardParts {
  readonly clipboard: SystemClipboard;
  /** Calls back after so many milliseconds. */
  readonly after: (milliseconds: number, callback: () => void) => void;
}

const clearAfterMs = 60_000;

/** Clears what this program copied after a minute, but never what another program copied since. */
export class ExpiringClipboard {
  readonly #parts: ExpiringClipboardParts;
  #copied: string | undefined;
  #copies = 0;
  #asked = 0;
  /** Of what was asked for, the newest that was copied. */
  #written = 0;

  constructor(parts: ExpiringClipboardParts) {
    this.#parts = parts;
  }

  /** Begins a copy that is recorded first; one that is asked for later, and copied, takes its place. */
  ask(): number {
    this.#asked += 1;
    return this.#asked;
  }

  /** False where something asked for since was copied: nobody may paste the older in place of the newer. */
  async copy(text: string, asked = this.ask()): Promise<boolean> {
    if (asked < this.#written) return false;
    this.#written = asked;
    this.#copied = text;
    // By number: the timer must not keep the text itself in memory.
    const mine = (this.#copies += 1);
    await this.#parts.clipboard.writeText(text);
    this.#parts.after(clearAfterMs, () => {
      if (this.#copies === mine && this.#copied !== undefined) void this.clear();
    });
    return true;
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
