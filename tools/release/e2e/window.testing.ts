import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';

/** Starts Xvfb if there is no display, and installs missing libraries. Returns a function that stops it. */
export async function provideDisplay(): Promise<() => void> {
  const tests = new URL('../../../apps/desktop/e2e/runtime.mjs', import.meta.url).href;
  const { provideRuntime } = (await import(tests)) as { provideRuntime: () => Promise<() => void> };
  return provideRuntime();
}

/** Starts a program. As root, Chromium needs to run without its sandbox. */
export function start(
  [command = '', ...words]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return spawn(command, [...words, ...root], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Returns the exit code and the output of a process. */
export async function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  const add = (text: Buffer): void => {
    output += text.toString();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/**
 * Starts a test package and gives its first page. Not by Playwright's own way for Electron, which must hold back `ready` by
 * a file that a package doesn't load.
 */
export async function openWindow(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ page: Page; child: ChildProcess; close: () => Promise<void> }> {
  const words = [...command, '--inspect=0', '--remote-debugging-port=0', '--lang=en-US'];
  const child = start(words, env);
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (text: Buffer) => {
      output += text.toString();
      const found = /DevTools listening on (ws:\S+)/u.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => {
      reject(new Error(`It ended with ${String(code)}: ${output}`));
    });
  });
  await untilWindow(new URL('/json/list', address.replace('ws:', 'http:')));
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('There is no window.');
  // A start may take long on a busy machine.
  context.setDefaultTimeout(300_000);
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  return {
    page,
    child,
    close: async () => {
      await browser.close();
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
}

/** Waits for a window with a title. The debugger might never see a window that opens while it connects. */
async function untilWindow(list: URL): Promise<void> {
  for (;;) {
    const targets = (await (await fetch(list)).json()) as { type: string; title: string }[];
    if (targets.some(({ type, title }) => type === 'page' && title.startsWith('Caregate'))) return;
    await sleep(50);
  }
}
