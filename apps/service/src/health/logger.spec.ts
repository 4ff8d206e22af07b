import { describe, expect, it, jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { RequestLog } from '../http/request-log.ts';
import { createLogger } from './logger.ts';

describe('the log', () => {
  it('has the lines that waited when the process ended', () => {
    const file = new URL('logger.ts', import.meta.url).href;
    const program = `const { LineBuffer } = await import('${file}');
      new LineBuffer(process.stdout).write('the last line');
      process.exit(3);`;
    const ran = (): string =>
      execFileSync(
        process.execPath,
        ['--conditions=@caregate/source', '--input-type=module', '-e', program],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      );
    expect(ran).toThrow(expect.objectContaining({ status: 3, stdout: 'the last line' }));
  });

  it('drops the message of an error that gets there by mistake', () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const error = new TypeError('Amara was here');
    logger.error({ err: error }, 'failed');
    logger.error({ error }, 'failed');
    logger.debug('not at this level');
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toContain('Amara');
    const logged = { level: 'error', err: { name: 'TypeError' } };
    expect(JSON.parse(lines[0] ?? '')).toMatchObject(logged);
  });

  it('logs a lasting failure after 1, 2, 4, then every 8 s, and counts the others', () => {
    jest.useFakeTimers();
    try {
      const lines: { more: number; atMs: number }[] = [];
      const write = (text: string): void => {
        lines.push({ more: (JSON.parse(text) as { more: number }).more, atMs });
      };
      const requests = new RequestLog(createLogger('info', { write }));
      let atMs = 0;
      for (; atMs <= 30_000; atMs += 100) {
        requests.write({ level: 'error', facts: {}, message: 'request failed' }, 'one');
        jest.advanceTimersByTime(100);
      }
      expect(lines.map((line) => Math.ceil(line.atMs / 1000))).toEqual([0, 1, 3, 7, 15, 23]);
      requests.flush();
      expect(lines.reduce((sum, { more }) => sum + 1 + more, 0)).toBe(301);
    } finally {
      jest.useRealTimers();
    }
  });
});
