import { basename } from 'node:path';
import { getNames } from './kinds.ts';
import { isSigned } from './signatures.ts';

interface ReleaseState {
  readonly runtime: { readonly version: string; readonly isForTests: boolean };
  readonly pinned: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Sets of variables, one of which is needed to sign a system's packages or to notarize them. */
const azure = ['ENDPOINT', 'ACCOUNT', 'PROFILE', 'PUBLISHER'].map(
  (name) => `AZURE_SIGNING_${name}`,
);
const certificates: Partial<Record<NodeJS.Platform, readonly (readonly string[])[]>> = {
  darwin: [['CSC_LINK', 'CSC_KEY_PASSWORD'], ['CSC_NAME']],
  win32: [['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'], ['CSC_LINK', 'CSC_KEY_PASSWORD'], azure],
};
const notarisation = [
  ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
  ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'],
  ['APPLE_KEYCHAIN_PROFILE'],
];

export function findReleaseProblems({ runtime, pinned, platform, env }: ReleaseState): string[] {
  const findMissing = (what: string, sets: readonly (readonly string[])[]): string[] =>
    sets.some((names) => names.every((name) => env[name]))
      ? []
      : [`${what} by ${sets.map((names) => names.join(' and ')).join(', or by ')}.`];
  const signing = certificates[platform];
  return [
    ...(runtime.isForTests || runtime.version !== pinned
      ? [`A release comes with Electron ${pinned}; here is ${runtime.version}.`]
      : []),
    ...(signing === undefined ? [] : findMissing('Sign', signing)),
    ...(platform === 'darwin' ? findMissing('Notarise', notarisation) : []),
  ];
}

export function findPackageProblems(files: readonly string[]): string[] {
  const { program } = getNames('release');
  return files.flatMap((file) => {
    const name = basename(file);
    if (/^latest(?:-[a-z\d-]+)?\.yml$/u.test(name)) return [];
    if (!name.startsWith(`${program}_`) || /development|test/u.test(name)) {
      return [`${name} isn't named as a release.`];
    }
    return isSigned(file) === false ? [`${name} is not signed.`] : [];
  });
}
