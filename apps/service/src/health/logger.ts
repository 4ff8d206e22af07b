import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

/**
 * Logs JSON lines. Only route pattern, method and outcome of a request may be logged. No setting enables URLs,
 * headers or bodies.
 */
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
      // Errors are logged without message (`describeErrorForLog`). This removes the message of those logged by mistake.
      serializers: { err: serializeErrorName, error: serializeErrorName },
    },
    destination,
  );
}

function serializeErrorName(error: unknown): unknown {
  return error instanceof Error ? { name: error.name } : error;
}

/**
 * Collects the lines of one event loop turn and writes them together, since a write takes longer than formatting a
 * line.
 */
export class LineBuffer implements DestinationStream {
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
