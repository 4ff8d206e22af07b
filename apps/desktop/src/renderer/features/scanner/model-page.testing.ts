import { createScanListener, ScanDetector } from './scan-detector.ts';
import type { FocusTarget, Key } from './scan-detector.ts';

/** A model of a page in which a text field, a button, a list or nothing has the focus. */
export class ModelPage {
  /** The text in the field. */
  text = '';
  /** The texts that were submitted with Enter. */
  readonly submitted: string[] = [];
  /** How often the button was pressed, and how often Tab or a letter moved the focus. */
  pressed = 0;
  tabbed = 0;
  jumped = 0;
  readonly scanned: string[] = [];
  readonly scannedAsUs: string[] = [];
  broken = 0;
  readonly #listen: ReturnType<typeof createScanListener>;

  constructor(prefixes: readonly string[] = []) {
    this.#listen = createScanListener({
      detector: new ScanDetector(prefixes),
      onScan: ({ code, usCode }) => {
        this.scanned.push(code);
        this.scannedAsUs.push(usCode);
      },
      onBroken: () => (this.broken += 1),
    });
  }

  press(given: Partial<Key> & Pick<Key, 'key' | 'at'>, focus: FocusKind): void {
    const key = { repeat: false, chord: false, usKey: given.key, ...given };
    if (this.#listen(key, this.#focusOf(focus)) || key.chord) return;
    if (key.key === 'Tab') this.tabbed += 1;
    else if (focus === 'field') this.#type(key.key);
    else if (focus === 'button' && /^(?: |Enter)$/u.test(key.key)) this.pressed += 1;
    else if (focus === 'list' && /^[A-Z]$/u.test(key.key)) this.jumped += 1;
  }

  #type(key: string): void {
    if (key === 'Enter') this.submitted.push(this.text);
    else if (key.length === 1) this.text += key;
  }

  #focusOf(kind: FocusKind): FocusTarget {
    return {
      takesText: kind === 'field',
      save: () => {
        const { text } = this;
        return () => {
          this.text = text;
        };
      },
    };
  }
}

export const FOCUS_KINDS = ['field', 'button', 'list', 'nothing'] as const;
export type FocusKind = (typeof FOCUS_KINDS)[number];
