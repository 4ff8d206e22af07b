import { createHash, generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultSettings } from '../../shared/app-state.ts';
import type { UpdateState } from '../../shared/update.ts';
import { folderForEach } from '../files/folder-for-each.testing.ts';
import { DeskUpdates } from './desk-updates.ts';
import type { UpdateParts } from './desk-updates.ts';
import { signManifest } from './update-manifest.ts';
import type { UpdateFile, UpdateManifest } from './update-manifest.ts';

const release = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const pin = release.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const hour = 60 * 60 * 1000;

const content = Buffer.from('the package');
const file: UpdateFile = {
  ...({
    packaging: 'AppImage',
    arch: 'x64',
    name: 'Caregate.AppImage',
    size: content.length,
  } as const),
  sha256: createHash('sha256').update(content).digest('hex'),
};
const manifest: UpdateManifest = {
  ...{ product: 'caregate-desktop', channel: 'stable', version: '1.1.0', staged: 100 },
  ...{ issued: 1000, expires: 9000 },
  files: [file],
};

let folder: string;
let server: Server;
type Served = Record<string, string | Buffer | undefined>;
let served: Served;
let asked: string[];
let address: string;

folderForEach((made) => (folder = made));
beforeEach(async () => {
  served = {};
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const found = served[request.url ?? ''];
    response.writeHead(found === undefined ? 404 : 200).end(found);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** What a static server has after a release. */
function offer(change: Partial<UpdateManifest> = {}, key = release.privateKey): void {
  const channel = change.channel === 'early' ? '-early' : '';
  served[`/desktop-updates${channel}.json`] = signManifest({ ...manifest, ...change }, key);
  served['/Caregate.AppImage'] = content;
}

interface Desk {
  readonly updates: DeskUpdates;
  readonly settings: Record<string, string>;
  readonly states: UpdateState[];
  readonly installed: unknown[];
  clock: number;
  signedOut: boolean;
}

function desk(change: Partial<UpdateParts> = {}): Desk {
  const here: Omit<Desk, 'updates'> = {
    settings: { updateAddress: address },
    ...{ states: [], installed: [], clock: 0, signedOut: true },
  };
  const updates = new DeskUpdates({
    ...{ now: () => 1500, elapsed: () => here.clock, random: () => 0.5, pinned: [pin] },
    ...{ version: '1.0.0', packaging: 'AppImage', arch: 'x64', canReplace: true },
    settings: () => ({ ...defaultSettings, ...here.settings }),
    ...{ fetch, memoryFile: join(folder, 'updates.json'), folder: join(folder, 'updates') },
    isSignedOut: () => here.signedOut,
    install: (path, version, isUnused) => {
      here.installed.push({
        content: readFileSync(path, 'utf8'),
        version,
        restart: isUnused !== undefined,
      });
      return Promise.resolve(true);
    },
    onState: (state) => {
      here.states.push(state);
    },
    ...change,
  });
  return Object.assign(here, { updates });
}

describe('updates of a desk', () => {
  it('are fetched, checked, and installed at the end of the program', async () => {
    offer();
    const one = desk();
    one.signedOut = false;
    expect(await one.updates.check()).toMatchObject({ kind: 'waiting', version: '1.1.0' });
    expect(one.states.map(({ kind }) => kind)).toEqual(['fetching', 'waiting']);
    await one.updates.atQuit();
    expect(one.installed).toEqual([{ content: 'the package', version: '1.1.0', restart: false }]);
  });

  it('that cannot be written have failed: nobody is told that the address did not answer', async () => {
    offer();
    symlinkSync(join(folder, 'nowhere'), join(folder, 'gone'));
    const one = desk({ folder: join(folder, 'gone', 'updates') });
    expect(await one.updates.check()).toMatchObject({ kind: 'failed' });
    expect(one.states.map(({ kind }) => kind)).toEqual(['fetching', 'failed']);
  });

  it('are not fetched anew beneath the one that is being installed', async () => {
    offer();
    let end: (isInstalled: boolean) => void = () => undefined;
    const one = desk({ install: () => new Promise((resolve) => (end = resolve)) });
    await one.updates.check();
    const installing = one.updates.atQuit();
    while (one.updates.state().kind !== 'installing') {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    offer({ version: '1.2.0' });
    const before = asked.length;
    expect(await one.updates.check()).toMatchObject({ kind: 'installing', version: '1.1.0' });
    expect(asked).toHaveLength(before);
    end(true);
    await installing;
  });

  it('are installed by themselves only where nobody is signed in, and nobody touched the desk for minutes', async () => {
    offer();
    const one = desk();
    one.signedOut = false;
    await one.updates.check();
    const after = async (ms: number): Promise<number> => {
      one.clock += ms;
      await one.updates.tick();
      return one.installed.length;
    };
    expect(await after(hour)).toBe(0);
    one.signedOut = true;
    one.updates.active();
    expect(await after(119_000)).toBe(0);
    expect(await after(1_000)).toBe(1);
    expect(one.installed).toMatchObject([{ restart: true }]);
    expect(await after(hour)).toBe(1);
  });

  it('wait on where somebody comes to the desk while all is prepared', async () => {
    offer();
    const unused: boolean[] = [];
    const one = desk({
      install: (_path, _version, isUnused) => {
        unused.push(isUnused!());
        one.updates.active();
        unused.push(isUnused!());
        return Promise.resolve(false);
      },
    });
    await one.updates.check();
    one.clock += hour;
    await one.updates.tick();
    expect(unused).toEqual([true, false]);
    expect(one.updates.state()).toMatchObject({ kind: 'waiting', version: '1.1.0' });
    one.clock += hour;
    await one.updates.tick();
    expect(unused).toEqual([true, false, true, false]);
  });

  it('are asked for at the start, every few hours, and when somebody says so; twenty desks not at once', async () => {
    offer({ version: '1.0.0' });
    const one = desk();
    const askedAfter = async (ms: number): Promise<number> => {
      one.clock += ms;
      asked = [];
      await one.updates.tick();
      return asked.length;
    };
    expect(await askedAfter(0)).toBe(1);
    expect(await askedAfter(1000)).toBe(0);
    expect(await askedAfter(3.4 * hour)).toBe(0);
    // In the middle of the hour over which desks are spread.
    expect(await askedAfter(0.1 * hour)).toBe(1);
    await one.updates.check();
    expect(asked).toHaveLength(2);
  });

  const manifestOf = (change: Partial<UpdateManifest>, key = release.privateKey): Served => ({
    '/desktop-updates.json': signManifest({ ...manifest, ...change }, key),
  });
  it.each<[what: string, kind: string, instead: Served]>([
    ['that are not there', 'unreachable', { '/desktop-updates.json': undefined }],
    ['of a stranger', 'unsigned', manifestOf({}, stranger.privateKey)],
    ['that are none', 'unsigned', { '/desktop-updates.json': '<html>' }],
    ['without an end', 'unreachable', { '/desktop-updates.json': ' '.repeat(300_000) }],
    ['that are older', 'older', manifestOf({ version: '0.9.0' })],
    ['of other bytes', 'wrongFile', { '/Caregate.AppImage': 'The package' }],
    ['of more bytes', 'wrongFile', { '/Caregate.AppImage': 'x'.repeat(200_000) }],
    ['of fewer bytes', 'wrongFile', { '/Caregate.AppImage': 'xyz' }],
    ['without a file', 'unreachable', { '/Caregate.AppImage': undefined }],
  ])('%s are refused as %s, and leave nothing', async (_what, kind, instead) => {
    offer();
    Object.assign(served, instead);
    const one = desk();
    expect(await one.updates.check()).toMatchObject({ kind });
    await one.updates.atQuit();
    expect(one.installed).toEqual([]);
    expect(existsSync(join(folder, 'updates'))).toBe(false);
  });

  it('past a hold are refused with both versions; from before the newest seen, on any later start', async () => {
    offer();
    const held = desk();
    held.settings['updateHold'] = '1.0.9';
    expect(await held.updates.check()).toMatchObject({
      ...{ kind: 'held', version: '1.1.0', hold: '1.0.9' },
    });
    offer({ issued: 1300, version: '1.0.0' });
    expect(await desk().updates.check()).toMatchObject({ kind: 'upToDate' });
    offer();
    expect(await desk().updates.check()).toMatchObject({ kind: 'replayed' });
  });

  it('are of the channel that the policy names, and of none where it is off', async () => {
    offer();
    offer({ channel: 'early', version: '1.2.0' });
    const one = desk();
    one.settings['updateChannel'] = 'early';
    expect(await one.updates.check()).toMatchObject({ kind: 'waiting', version: '1.2.0' });
    served['/desktop-updates-early.json'] = served['/desktop-updates.json'];
    expect((await one.updates.check()).kind).toBe('otherChannel');
    asked = [];
    const expected = [
      [{ updateChannel: 'off' }, 'off'],
      [{ updateAddress: '' }, 'noAddress'],
      [{ updateAddress: 'http://elsewhere.example' }, 'wrongAddress'],
    ] as const;
    for (const [settings, kind] of expected) {
      const other = desk();
      Object.assign(other.settings, settings);
      expect((await other.updates.check()).kind).toBe(kind);
    }
    expect((await desk({ pinned: [] }).updates.check()).kind).toBe('noKey');
    expect(asked).toEqual([]);
  });

  it('that were fetched are not installed once a policy is against it, or the file is another', async () => {
    offer();
    const one = desk();
    await one.updates.check();
    one.settings['updateHold'] = '1.0.0';
    await one.updates.atQuit();
    expect(one.updates.state().kind).toBe('held');
    delete one.settings['updateHold'];
    await one.updates.check();
    writeFileSync(join(folder, 'updates', readdirSync(join(folder, 'updates'))[0]!), 'THE PACKAGE');
    await one.updates.atQuit();
    expect(one.updates.state().kind).toBe('wrongFile');
    expect(one.installed).toEqual([]);
  });

  it('are named with their place where an administrator installs, and not fetched', async () => {
    offer();
    const one = desk({ canReplace: false });
    expect(await one.updates.check()).toMatchObject({
      ...{ kind: 'told', version: '1.1.0', file: `${address}/Caregate.AppImage` },
    });
    expect(asked).toEqual(['/desktop-updates.json']);
  });

  it('that fail leave the desk as it was, and are said', async () => {
    offer();
    const one = desk({ install: () => Promise.reject(new Error('disk full')) });
    await one.updates.check();
    await one.updates.atQuit();
    expect(one.updates.state().kind).toBe('failed');
    // The next question finds the package where it lies.
    asked = [];
    expect((await one.updates.check()).kind).toBe('waiting');
    expect(asked).toEqual(['/desktop-updates.json']);
  });

  it('of a development build stand where its release would, and say what they are', async () => {
    offer({ version: '1.0.0' });
    const one = desk({ version: '1.0.0-development+g1a2b3c4d' });
    expect(await one.updates.check()).toMatchObject({ kind: 'upToDate', isDevelopment: true });
    expect(desk().updates.state().isDevelopment).toBe(false);
  });
});
