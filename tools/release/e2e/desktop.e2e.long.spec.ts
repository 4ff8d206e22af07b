import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FuseState, getCurrentFuseWire } from '@electron/fuses';
import { readdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fusePlaces, getFuses } from '../src/desktop/kinds.ts';
import type { Kind } from '../src/desktop/kinds.ts';
import { getExecutablePath, packFolder } from '../src/desktop/pack.ts';
import { startDemoClinic } from './demo-clinic.testing.ts';
import { frontDeskRound } from './front-desk-round.testing.ts';
import { ended, openWindow, provideDisplay, start } from './window.testing.ts';

let folder: string;
let endDisplay: () => void;
const executables: Partial<Record<Kind, string>> = {};

beforeAll(async () => {
  endDisplay = await provideDisplay();
  folder = mkdtempSync(join(tmpdir(), 'caregate-desktop-package-'));
  for (const kind of ['development', 'test'] as const) {
    executables[kind] = getExecutablePath(
      await packFolder({ kind, into: join(folder, kind) }),
      kind,
    );
  }
});

afterAll(() => {
  endDisplay();
  rmSync(folder, { recursive: true, force: true });
});

async function fuseStates(kind: Kind): Promise<Record<string, boolean>> {
  const wire = await getCurrentFuseWire(executables[kind]!);
  const places = Object.entries(fusePlaces);
  return Object.fromEntries(places.map(([name, at]) => [name, wire[at] === FuseState.ENABLE]));
}

/** Runs a package with a new user-data folder until it ends. */
function run(
  kind: Kind,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof ended> {
  const userData = `--user-data-dir=${mkdtempSync(join(folder, 'data-'))}`;
  return ended(start([executables[kind]!, userData, ...words], env));
}

describe('a package of the desktop', () => {
  it('has the fuses of a release', async () => {
    expect(getFuses('development')).toEqual(getFuses('release'));
    expect(await fuseStates('development')).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('differs from that of the tests in the inspector alone', async () => {
    expect(await fuseStates('test')).toEqual({
      ...(await fuseStates('development')),
      enableNodeCliInspectArguments: true,
    });
  });

  it('has no app but ours, in an archive', () => {
    const resources = readdirSync(join(executables.development!, '../resources'));
    expect(resources).toEqual(['app-update.yml', 'app.asar']);
  });

  it('ends when it is started to be debugged from outside', async () => {
    for (const words of [
      ['--remote-debugging-port=0'],
      ['--remote-debugging-pipe'],
      // The fuse takes the inspector away, and with it the leave.
      ['--inspect=0', '--remote-debugging-port=0'],
    ]) {
      const { code, output } = await run('development', words);
      expect(code).toBe(1);
      expect(output).toContain('not started with switches for debugging');
      expect(output).not.toMatch(/(?:DevTools|Debugger) listening/u);
    }
  });

  it('is no Node, whatever the environment asks', async () => {
    const script = join(folder, 'script.cjs');
    writeFileSync(script, 'console.log("ran as Node"); process.exit(7);');
    const ends = ['--remote-debugging-port=0'];
    // The app refuses to start, so Electron never ran the script as Node.
    const asNode = await run('development', [script, ...ends], { ELECTRON_RUN_AS_NODE: '1' });
    expect(asNode).toMatchObject({ code: 1, output: expect.not.stringContaining('ran as Node') });
    const required = await run('development', ends, { NODE_OPTIONS: `--require=${script}` });
    expect(required).toMatchObject({ code: 1, output: expect.not.stringContaining('ran as Node') });
  });

  it('comes to the first screen, and knows neither a demo nor another policy', async () => {
    const demo = join(folder, 'ready.json');
    writeFileSync(
      demo,
      JSON.stringify({
        base_url: 'http://127.0.0.1:9',
        identity_provider: { people: [], enrolment_code: 'ABCDE23456' },
      }),
    );
    const policy = join(folder, 'policy.json');
    writeFileSync(policy, JSON.stringify({ address: 'https://wrong.example', language: 'es' }));
    const { page, close } = await openWindow([
      executables.test!,
      `--user-data-dir=${mkdtempSync(join(folder, 'data-'))}`,
      `--demo=${demo}`,
      `--policy=${policy}`,
    ]);
    await page.getByRole('heading', { name: 'Connect to your clinic' }).waitFor();
    expect(await page.getByLabel("Clinic's Caregate address").inputValue()).toBe('');
    expect(await page.getByText('-test').count()).toBe(1);
    expect(await page.getByRole('button', { name: /made-up|demo/iu }).count()).toBe(0);
    await close();
  });

  it('does what a front desk does, each part of the page loaded from its archive', async () => {
    const clinic = await startDemoClinic(folder, '--users', '30');
    const userData = `--user-data-dir=${mkdtempSync(join(folder, 'data-'))}`;
    const { page, close } = await openWindow([executables.test!, userData], clinic.env);
    await frontDeskRound(page, clinic.service);
    await close();
    await clinic.end();
  });
});
