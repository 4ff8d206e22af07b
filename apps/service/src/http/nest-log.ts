import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's logger. It doesn't log the messages of errors, which may contain data. */
export class NestLog implements LoggerService {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  log(): void {
    // Nest's startup messages are of no use to operators.
  }

  warn(message: unknown, context?: unknown): void {
    this.#logger.warn({ component: context }, String(message));
  }

  error(_message: unknown, ...more: unknown[]): void {
    const context = more.at(-1);
    this.#logger.error(
      { component: typeof context === 'string' ? context : 'nest' },
      'internal error',
    );
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.error(message, ...more);
  }
}
