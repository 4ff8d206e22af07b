/** Where it is told how far slow work is. */
export interface ToldWhere {
  readonly terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;
  /** Takes a line where there is no terminal; by default it is written there. */
  readonly line?: (text: string) => void;
  /** Milliseconds. */
  readonly now?: () => number;
}

export interface SlowWork {
  /** Called as often as one likes: the text is made where it is shown, of the seconds since the beginning. */
  readonly say: (text: (seconds: number) => string) => void;
  readonly end: () => void;
}

/** Most work is done before anybody wonders. */
const patienceMs = 2000;
const redrawMs = 100;
const lineMs = 10_000;

/** Tells of work once it has taken two seconds: on a terminal in one line, taken away at the end; else in a line every ten seconds. */
export function tellSlowWork({ terminal, ...where }: ToldWhere): SlowWork {
  const { now = () => performance.now() } = where;
  const { line = (text) => terminal.write(`${text}\n`) } = where;
  const began = now();
  let told: number | undefined;
  return {
    say: (textOf) => {
      const at = now();
      const pauseMs = terminal.isTTY ? redrawMs : lineMs;
      if (at - began < patienceMs || at - (told ?? -Infinity) < pauseMs) {
        return;
      }
      told = at;
      const text = textOf((at - began) / 1000);
      if (terminal.isTTY) {
        terminal.write(`\r${text.slice(0, Math.max(20, terminal.columns - 1))}\u001B[K`);
      } else {
        line(text);
      }
    },
    end: () => {
      if (told !== undefined && terminal.isTTY) {
        terminal.write('\r\u001B[K');
      }
    },
  };
}

/** Minutes and seconds, as `2:07`. */
export function clockOf(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
