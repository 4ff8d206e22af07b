import { printable } from './printable.ts';

const QUICK_MS = 2000;
const EVERY_MS = 100;

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressLine {
  /** @param of total, to show the time left */
  readonly draw: (what: string, done: number, of?: number) => void;
  readonly clear: () => void;
}

/** For work longer than two seconds; nothing without a terminal. */
export function progressLine(
  terminal: Terminal,
  now = (): number => performance.now(),
): ProgressLine {
  const began = now();
  let drawn = -Infinity;
  let isShown = false;
  // Each step has its own pace.
  let step = { what: '', from: 0, at: began };
  let last = 0;
  return {
    draw: (what, done, of) => {
      const at = now();
      const isNew = what !== step.what;
      // Some work reads the same data twice.
      if (isNew || done < last) {
        step = { what, from: done, at };
      }
      last = done;
      const isEarly = at - began < QUICK_MS || (!isNew && at - drawn < EVERY_MS);
      if (terminal.isTTY !== true || isEarly) {
        return;
      }
      drawn = at;
      isShown = true;
      const whole =
        of === undefined ? '' : ` of ${of.toLocaleString('en-US')}${left(step, done, of, at)}`;
      const line = `${what}  ${done.toLocaleString('en-US')}${whole}`;
      // 0: unknown width.
      const { columns = 0 } = terminal;
      const width = columns > 0 ? columns : 80;
      terminal.write(`\r${printable(line).slice(0, Math.max(20, width - 1))}\u001B[K`);
    },
    clear: () => {
      if (isShown) {
        isShown = false;
        terminal.write('\r\u001B[K');
      }
    },
  };
}

function left(
  { from, at: began }: { readonly from: number; readonly at: number },
  done: number,
  of: number,
  at: number,
): string {
  if (done <= from || at <= began) {
    return '';
  }
  const seconds = Math.ceil(((of - done) * (at - began)) / (done - from) / 1000);
  return `  ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}
