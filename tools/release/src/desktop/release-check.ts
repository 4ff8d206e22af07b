import { basename } from 'node:path';
import { getNames } from './kinds.ts';
import { isSigned } from './signatures.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface ReleaseState {
  readonly runtime: { readonly version: string; readonly isForTests: boolean };
  readonly pinned: string;
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
}

/** Sets of variables, one of which is needed to sign a system's packages or to notarize them. */
const certificates: Readonly<Partial<Record<NodeJS.Platform, readonly (readonly string[])[]>>> = {
  darwin: [['CSC_LINK', 'CSC_KEY_PASSWORD'], ['CSC_NAME']],
  win32: [
    ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
    ['CSC_LINK', 'CSC_KEY_PASSWORD'],
    [
      'AZURE_SIGNING_ENDPOINT',
      'AZURE_SIGNING_ACCOUNT',
      'AZURE_SIGNING_PROFILE',
      'AZURE_SIGNING_PUBLISHER',
    ],
  ],
};
const notarisation = [
  ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
  ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'],
  ['APPLE_KEYCHAIN_PROFILE'],
];

export function findReleaseProblems({ runtime, pinned, platform, env }: ReleaseState): string[] {
  const problems: string[] = [];
  if (runtime.isForTests || runtime.version !== pinned) {
    problems.push(`A release comes with Electron ${pinned}; here is ${runtime.version}.`);
  }
  const signing = certificates[platform];
  if (signing !== undefined && !hasOne(signing, env))
    problems.push(formatRequirement('Sign', signing));
  if (platform === 'darwin' && !hasOne(notarisation, env)) {
    problems.push(formatRequirement('Notarise', notarisation));
  }
  return problems;
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

function hasOne(sets: readonly (readonly string[])[], env: Environment): boolean {
  return sets.some((names) => names.every((name) => (env[name] ?? '') !== ''));
}

function formatRequirement(what: string, sets: readonly (readonly string[])[]): string {
  return `${what} by ${sets.map((names) => names.join(' and ')).join(', or by ')}.`;
}
