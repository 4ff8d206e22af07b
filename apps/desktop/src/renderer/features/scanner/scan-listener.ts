import type { Key, ScanDetector } from './scan-detector.ts';

export interface FocusTarget {
  readonly takesText: boolean;
  readonly save: () => () => void;
}

export interface Scan {
  readonly code: string;
  /** The same keys on a US keyboard; most often the same text. */
  readonly usCode: string;
  readonly at: number;
}

/** Returns whether the key was consumed. Restores the field that a code was typed into. */
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
        // A space would press a button, a letter move a list, Ctrl+L lock.
        return detected.fast && (key.chord || !focus.takesText);
      case 'scan':
        takeOut();
        onScan({ code: detected.code, usCode: detected.usCode, at: key.at });
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

/** Nobody scans the same code twice this fast on purpose. */
const sameMomentMs = 500;

export function isRepeated(
  { code, at }: Pick<Scan, 'code' | 'at'>,
  before: Pick<Scan, 'code' | 'at'> | undefined,
  pending: string | undefined,
): boolean {
  if (before?.code !== code) return false;
  return pending === code || Math.abs(at - before.at) <= sameMomentMs;
}
