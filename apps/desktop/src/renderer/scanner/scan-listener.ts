import type { Key, ScanDetector } from './scan-detector.ts';

/** The element that gets a key. */
export interface FocusTarget {
  /** Whether characters are typed into it, and can be taken out again. */
  readonly takesText: boolean;
  /** Saves what it holds; the function returned restores that. */
  readonly save: () => () => void;
}

export interface Scan {
  readonly code: string;
  /** Milliseconds, by the clock of the keys. */
  readonly at: number;
}

/**
 * Takes codes out of what is typed, wherever the focus is. Each key is given before anything else gets it; true means
 * that nothing else may get it. What a code left in a field on its way is restored.
 */
export function createScanListener(parts: {
  readonly detector: Pick<ScanDetector, 'add'>;
  readonly onScan: (scan: Scan) => void;
  readonly onBroken: () => void;
}): (key: Key, focus: FocusTarget) => boolean {
  const { detector, onScan, onBroken } = parts;
  let restore: (() => void) | undefined;
  const takeOut = (): void => {
    restore?.();
    restore = undefined;
  };
  return (key, focus) => {
    const detected = detector.add(key);
    switch (detected.kind) {
      case 'typed':
        if (detected.starts) restore = focus.save();
        // A button would be pressed by a space, a list would go to a letter, the shell would take Ctrl+L.
        return detected.fast && (key.chord || !focus.takesText);
      case 'scan':
        takeOut();
        onScan({ code: detected.code, at: key.at });
        return true;
      case 'broken':
        takeOut();
        onBroken();
        return true;
      case 'repeatedEnd':
        return true;
    }
  };
}

/** The same code twice within this is from one pass of the scanner: nobody scans twice so fast on purpose. */
const sameMomentMs = 500;

/** Whether a code is the one before, read twice. Any other replaces what is looked up: the last scan wins. */
export function isRepeated(
  { code, at }: Scan,
  before: Scan | undefined,
  pending: string | undefined,
): boolean {
  if (before?.code !== code) return false;
  return pending === code || Math.abs(at - before.at) <= sameMomentMs;
}
