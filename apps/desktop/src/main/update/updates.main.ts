import { join } from 'node:path';
import { app, session } from 'electron';
import type { Settings } from '../../shared/app-state.ts';
import type { UpdateState } from '../../shared/update.ts';
import { DeskUpdates } from './desk-updates.ts';
import { canReplace, packagingOf, pinnedKeys } from './packaging.ts';

interface Parts {
  readonly settings: () => Settings;
  readonly isSignedOut: () => boolean;
  readonly onState: (state: UpdateState) => void;
}

export function updatesHere(parts: Parts): DeskUpdates {
  const userData = app.getPath('userData');
  const { platform, env, execPath: executable } = process;
  const packaging = packagingOf({ platform, env, executable });
  const network = session.fromPartition('caregate-updates', { cache: false });
  return new DeskUpdates({
    ...parts,
    ...{ now: Date.now, elapsed: () => performance.now(), random: Math.random },
    ...{ pinned: pinnedKeys(app.getAppPath()), version: app.getVersion(), packaging },
    arch: process.arch === 'arm64' ? 'arm64' : 'x64',
    fetch: (url, init) => network.fetch(url, { ...init, bypassCustomProtocolHandlers: true }),
    memoryFile: join(userData, 'updates.json'),
    folder: join(userData, 'updates'),
    canReplace: canReplace(packaging, { env }),
    install: async (path, version, isUnused) => {
      // Half a megabyte, rarely needed.
      const { installUpdate } = await import('./install-update.main.ts');
      return installUpdate(path, version, isUnused);
    },
  });
}
