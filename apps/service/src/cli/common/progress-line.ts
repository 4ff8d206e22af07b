import { sanitizeText } from './printable.ts';

const QUICK_MS = 2000;
const EVERY_MS = 100;

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressLine {
  readonly draw: (step: string, done: number, total?: number) => void;
  readonly clear: () => void;
}

/** Shows nothing within the first two seconds, and nothing without a terminal. */
export function createProgressLine(
  terminal: Terminal,
  now = (): number => performance.now(),
): ProgressLine {
  let nextMs = now() + QUICK_MS;
  let isShown = false;
  return {
    draw: (step, done, total) => {
      if (terminal.isTTY !== true || now() < nextMs) {
        return;
      }
      nextMs = now() + EVERY_MS;
      isShown = true;
      const suffix = total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`;
      const line = sanitizeText(`${step}  ${done.toLocaleString('en-US')}${suffix}`);
      terminal.write(`\r${line.slice(0, (terminal.columns || 80) - 1)}\u001B[K`);
    },
    clear: () => {
      if (isShown) {
        isShown = false;
        terminal.write('\r\u001B[K');
      }
    },
  };
}
