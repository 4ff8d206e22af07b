import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.ts';
import { getFuses, getNames } from './kinds.ts';
import type { Kind } from './kinds.ts';

/** Systems identify the program by this ID, so it must never change. */
const appId = 'app.caregate.desktop';
const msiUpgradeCode = '6F0B7B0C-3C0E-4C55-9C37-2A6B6A1D7E41';

const resources = join(root, 'apps/desktop/build');

interface BuilderOptions {
  readonly kind: Kind;
  readonly electron: { readonly folder: string; readonly version: string };
  readonly output: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface AfterPackContext {
  readonly appOutDir: string;
  readonly packager: { getResourcesDir(appOutDir: string): string };
}

/** electron-builder reads certificates and accounts from its own variables. A release without them fails. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- electron-builder's schema judges it
export function createBuilderConfig({ kind, electron, output, env }: BuilderOptions) {
  const { product, program } = getNames(kind);
  const isRelease = kind === 'release';
  const azure = env['AZURE_SIGNING_ENDPOINT'];
  return {
    appId: isRelease ? appId : `${appId}.${kind}`,
    productName: product,
    executableName: program,
    artifactName: `${program}_\${version}_\${os}_\${arch}.\${ext}`,
    copyright: 'Copyright © Caregate contributors',
    directories: { output, buildResources: resources },
    electronDist: electron.folder,
    electronVersion: electron.version,
    // The page has three languages; Chromium's own texts (menus of fields, dialogs) need no more.
    electronLanguages: ['en-US', 'es', 'es-419', 'ar'],
    electronFuses: getFuses(kind),
    forceCodeSigning: isRelease,
    asar: true,
    npmRebuild: false,
    // Writes latest*.yml beside the packages, and whose signature counts into the Windows installer. The address is replaced
    // by the desk's own setting `updateAddress`.
    publish: { provider: 'generic', url: 'https://updates.invalid' },
    files: ['package.json', 'dist/**'],
    protocols: [{ name: 'Caregate', schemes: ['caregate'] }],
    afterPack: removeOtherApps,
    linux: {
      target: ['AppImage'],
      icon: join(resources, 'icons'),
      category: 'Office;MedicalSoftware',
      synopsis: 'Front desk of a clinic',
      mimeTypes: ['x-scheme-handler/caregate'],
    },
    win: {
      target: ['nsis', 'msi'],
      icon: join(resources, 'icons/256x256.png'),
      ...(azure !== undefined && {
        azureSignOptions: {
          endpoint: azure,
          codeSigningAccountName: env['AZURE_SIGNING_ACCOUNT'] ?? '',
          certificateProfileName: env['AZURE_SIGNING_PROFILE'] ?? '',
          publisherName: env['AZURE_SIGNING_PUBLISHER'] ?? '',
        },
      }),
    },
    // This installer is for one person without an administrator; the MSI is for many machines.
    nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: false },
    msi: { oneClick: false, perMachine: true, upgradeCode: msiUpgradeCode },
    mac: {
      // electron-updater installs the ZIP.
      target: ['dmg', 'zip', 'pkg'],
      icon: join(resources, 'icons/1024x1024.png'),
      category: 'public.app-category.medical',
      hardenedRuntime: true,
      gatekeeperAssess: false,
      notarize: isRelease,
      entitlements: join(resources, 'entitlements.mac.plist'),
      entitlementsInherit: join(resources, 'entitlements.mac.plist'),
      // A development build is signed for its own machine only.
      ...(!isRelease && { identity: '-' }),
    },
    dmg: { sign: isRelease },
    pkg: { isRelocatable: false, installLocation: '/Applications' },
  };
}

/** Removes the runtime's own app (Electron's welcome page, or the loader of the registry's copy). */
function removeOtherApps({ packager, appOutDir }: AfterPackContext): void {
  for (const other of ['app', 'default_app.asar']) {
    rmSync(join(packager.getResourcesDir(appOutDir), other), { recursive: true, force: true });
  }
}
