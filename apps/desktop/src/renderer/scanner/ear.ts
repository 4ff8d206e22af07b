import type { Key, Recogniser } from './recogniser.ts';

/** What a key goes to. */
export interface Focus {
  /** Whether characters go into it, from which they can be taken again. */
  readonly takesText: boolean;
  /** Remembers what it holds; the answer puts that back. */
  readonly remember: () => () => void;
}

export interface EarParts {
  readonly recogniser: Pick<Recogniser, 'hear'>;
  readonly onScan: (code: string, at: number) => void;
  readonly onBroken: () => void;
}

/**
 * Takes codes out of what is typed, wherever the focus is. Each key is given before anything else gets it; true means
 * that nothing else may get it. What a code left behind on its way is put back.
 */
export function createEar({
  recogniser,
  onScan,
  onBroken,
}: EarParts): (key: Key, focus: Focus) => boolean {
  let putBack: (() => void) | undefined;
  const takeOut = (): void => {
    putBack?.();
    putBack = undefined;
  };
  return (key, focus) => {
    const heard = recogniser.hear(key);
    switch (heard.kind) {
      case 'typed':
        if (heard.starts) putBack = focus.remember();
        // A button would be pressed by a space, a list would go to a letter, the shell would take Ctrl+L.
        return heard.fast && (key.chord || !focus.takesText);
      case 'scan':
        takeOut();
        onScan(heard.code, key.at);
        return true;
      case 'broken':
        takeOut();
        onBroken();
        return true;
      case 'echo':
        return true;
    }
  };
}
