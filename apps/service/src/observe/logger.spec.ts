import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { createLogger, LinesOfATurn } from './logger.ts';

describe('the log', () => {
  it('is written once for all lines of a turn of the event loop', async () => {
    const writes: string[] = [];
    const logger = createLogger('info', new LinesOfATurn({ write: (text) => writes.push(text) }));
    logger.info('one');
    logger.info('two');
    await turn();
    logger.info('three');
    await turn();
    const messages = writes.map((text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { msg: string }).msg),
    );
    expect(messages).toEqual([['one', 'two'], ['three']]);
  });

  it('has the lines that waited when the process ended', () => {
    const file = new URL('logger.ts', import.meta.url).href;
    const program = `const { LinesOfATurn } = await import('${file}');
      new LinesOfATurn(process.stdout).write('the last line');
      process.exit(3);`;
    const ran = (): string =>
      execFileSync(
        process.execPath,
        ['--conditions=@caregate/source', '--input-type=module', '-e', program],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      );
    expect(ran).toThrow(expect.objectContaining({ status: 3, stdout: 'the last line' }));
  });
});
