import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseChangelog, releaseVersion } from 'nx/release/index.js';
import { root } from './workspace.ts';

/** Where the client says its version to a service, which must not read a package.json in a browser. */
const USER_AGENT = 'libs/api-client/src/transport/user-agent.ts';

/**
 * Gives every package of the workspace its next version: in each package.json and the lockfile, in what the client says of
 * itself, in CHANGELOG.md, and in docs/changes.md with every commit since the last release. Commits and tags nothing: look
 * at it, commit it, and tag it `v` and the version.
 *
 * @param specifier a version, or `patch`, `minor`, `major`; without one what the commits ask for, a patch at least
 * @returns the version
 */
export async function setVersion(specifier: string | undefined): Promise<string> {
  // Nothing is committed: that is for a person.
  const git = { gitCommit: false, gitTag: false, stageChanges: false };
  const { workspaceVersion, projectsVersionData } = await releaseVersion({
    ...git,
    ...(specifier !== undefined && { specifier }),
    firstRelease: true,
  });
  if (typeof workspaceVersion !== 'string') {
    throw new Error('Nothing has changed since the last release.');
  }
  change(USER_AGENT, /(?<=VERSION = ')[^']+/u, workspaceVersion);
  const today = new Date().toISOString().slice(0, 10);
  const heading = `## Unreleased\n\n## ${workspaceVersion} (${today})`;
  change('CHANGELOG.md', /^## Unreleased$/mu, heading);
  await releaseChangelog({
    ...git,
    version: workspaceVersion,
    versionData: projectsVersionData,
    firstRelease: true,
    createRelease: false,
  });
  return workspaceVersion;
}

/** @throws Error where the file has no such place */
function change(name: string, place: RegExp, by: string): void {
  const file = join(root, name);
  const text = readFileSync(file, 'utf8');
  if (!place.test(text)) {
    throw new Error(`${name} has no ${String(place)}.`);
  }
  writeFileSync(
    file,
    text.replace(place, () => by),
  );
}
