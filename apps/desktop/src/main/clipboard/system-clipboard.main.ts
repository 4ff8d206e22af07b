import { clipboard } from 'electron';
import { KeptClipboard } from './kept-clipboard.ts';

/** The computer's own clipboard, by the ways of newer and of older Electron. */
export function keepClipboard(): KeptClipboard {
  return new KeptClipboard({
    clipboard: {
      readText: () => clipboard.readText(),
      writeText: (text) => clipboard.writeText(text),
      clear: () => {
        clipboard.clear();
      },
      ...(process.platform === 'linux' && { clearSelection }),
    },
    after: (milliseconds, callback) => {
      setTimeout(callback, milliseconds).unref();
    },
  });
}

function clearSelection(): void {
  const { selection } = clipboard as { selection?: typeof clipboard };
  if (selection !== undefined) selection.clear();
  else (clipboard.clear as (which: string) => void)('selection');
}
