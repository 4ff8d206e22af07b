import { FuseV1Options } from '@electron/fuses';

/** What a package of the desktop is for: a clinic, this workspace's own trials, or the end-to-end run. */
export type Kind = 'release' | 'development' | 'test';

/** Returns the state of each fuse. The kinds only differ in the inspector, which the end-to-end tests need. */
export function getFuses(kind: Kind): Readonly<Record<Fuse, boolean>> {
  return {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: kind === 'test',
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  };
}

export const fusePlaces = {
  runAsNode: FuseV1Options.RunAsNode,
  enableCookieEncryption: FuseV1Options.EnableCookieEncryption,
  enableNodeOptionsEnvironmentVariable: FuseV1Options.EnableNodeOptionsEnvironmentVariable,
  enableNodeCliInspectArguments: FuseV1Options.EnableNodeCliInspectArguments,
  enableEmbeddedAsarIntegrityValidation: FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  onlyLoadAppFromAsar: FuseV1Options.OnlyLoadAppFromAsar,
  loadBrowserProcessSpecificV8Snapshot: FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
  grantFileProtocolExtraPrivileges: FuseV1Options.GrantFileProtocolExtraPrivileges,
} as const;

type Fuse = keyof typeof fusePlaces;

export function getNames(kind: Kind): { readonly product: string; readonly program: string } {
  return kind === 'release'
    ? { product: 'Caregate', program: 'caregate-desktop' }
    : { product: `Caregate (${kind})`, program: `caregate-desktop-${kind}` };
}
