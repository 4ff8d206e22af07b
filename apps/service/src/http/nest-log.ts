import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/**
 * Where Nest's own `Logger` writes: warnings and errors only. Of a failure of Nest itself the words are left out, since
 * they may hold what was read or sent; what fails a request is logged by the problem filter.
 */
export class NestLog implements LoggerService {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  log(): void {
    // What Nest has to say of its start is of no use to an operator.
  }

  /** @param message an object with its facts and a `message`, or fixed words */
  warn(message: unknown, context?: unknown): void {
    const component = typeof context === 'string' ? { component: context } : {};
    if (typeof message === 'object' && message !== null && 'message' in message) {
      const { message: words, ...facts } = message;
      this.#logger.warn({ ...component, ...facts }, String(words));
      return;
    }
    this.#logger.warn(component, String(message));
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
