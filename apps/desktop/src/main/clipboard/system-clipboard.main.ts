import { clipboard } from 'electron';
import { ExpiringClipboard } from './expiring-clipboard.ts';

export function createSystemClipboard(): ExpiringClipboard {
  return new ExpiringClipboard({
    clipboard: {
      readText: () => clipboard.readText(),
      writeText: (text) => clipboard.writeText(text),
      clear: () => clipboard.clear(),
      ...(process.platform === 'linux' && { clearSelection }),
    },
    after: (milliseconds, callback) => setTimeout(callback, milliseconds).unref(),
  });
}

function clearSelection(): void {
  const { selection } = clipboard as { selection?: typeof clipboard };
  if (selection !== undefined) selection.clear();
  else (clipboard.clear as (which: string) => void)('selection');
}
