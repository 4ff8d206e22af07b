import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { NestLog } from './nest-log.ts';

describe("Nest's log", () => {
  const lines: string[] = [];
  const log = new NestLog(
    pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) }),
  );
  const last = (): unknown => JSON.parse(lines.at(-1) ?? 'null');

  it('passes warnings on, and leaves out the words of a failure', () => {
    log.warn('Words', 'access');
    expect(last()).toEqual({ level: 40, component: 'access', msg: 'Words' });
    log.error(new Error('CANARY'), 'CANARY stack', 'ExceptionsHandler');
    expect(last()).toEqual({ level: 50, component: 'ExceptionsHandler', msg: 'internal error' });
    expect(lines.join('')).not.toContain('CANARY');
  });
});
