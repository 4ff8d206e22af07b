import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

/** JSON lines. Of a request only route pattern, method and outcome may be logged; no setting enables URLs, headers or bodies. */
export function createLogger(
  level: 'info' | 'warn',
  destination: DestinationStream = process.stdout,
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Errors are logged without message (`errorForLog`); this catches those logged by mistake.
      serializers: { err: nameOnly, error: nameOnly },
    },
    destination,
  );
}

function nameOnly(error: unknown): unknown {
  return error instanceof Error ? { name: error.name } : error;
}

/** Writes the lines of one turn of the event loop at once: a write costs more than making a line. */
export class LinesOfATurn implements DestinationStream {
  readonly #to: DestinationStream;
  #lines = '';

  constructor(to: DestinationStream) {
    this.#to = to;
    process.once('exit', () => {
      this.#flush();
    });
  }

  write(line: string): void {
    if (this.#lines === '') {
      setImmediate(() => {
        this.#flush();
      });
    }
    this.#lines += line;
  }

  #flush(): void {
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') {
      this.#to.write(lines);
    }
  }
}
