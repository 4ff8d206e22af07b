import type { Progress } from './import-types.ts';

const width = 24;

/** A progress bar, redrawn at most ten times a second; `undefined` without a terminal. */
export function progressBar(
  terminal: NodeJS.WriteStream,
  name: string,
): { draw: (progress: Progress) => void; clear: () => void } | undefined {
  if (!terminal.isTTY) {
    return undefined;
  }
  const began = performance.now();
  let drawn = 0;
  return {
    draw: (progress) => {
      const now = performance.now();
      if (now - drawn < 100) {
        return;
      }
      drawn = now;
      const line = progressLine(name, progress, (now - began) / 1000);
      terminal.write(`\r${line.slice(0, Math.max(20, terminal.columns - 1))}\u001B[K`);
    },
    clear: () => {
      terminal.write('\r\u001B[K');
    },
  };
}

/** Text of the bar: percentage by bytes, rate and remaining time; for a pipe of unknown length only the rate. */
function progressLine(name: string, progress: Progress, seconds: number): string {
  const { bytesRead, bytesTotal, lines } = progress;
  const rate = `${(bytesRead / 1e6 / Math.max(seconds, 0.001)).toFixed(1)} MB/s`;
  const count = `${lines.toLocaleString('en-US')} lines`;
  if (bytesTotal === undefined || bytesTotal === 0) {
    return `${name}  ${(bytesRead / 1e6).toFixed(1)} MB  ${rate}  ${count}`;
  }
  const share = Math.min(1, bytesRead / bytesTotal);
  const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░');
  const left = Math.ceil((seconds * (1 - share)) / Math.max(share, 0.001));
  const eta = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`;
  return `${name}  ${bar} ${Math.floor(share * 100)} %  ${rate}  ${count}  ${eta}`;
}
