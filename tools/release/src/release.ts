/** `npm run release -- desktop [FOLDER]` builds signed packages for this system, or prints why it can't. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeDesktopDeb } from './desktop/deb.ts';
import { packDesktop } from './desktop/pack.ts';
import { findPackageProblems } from './desktop/release-check.ts';
import { root } from './workspace.ts';

try {
  const [what, folder = join(root, 'dist')] = process.argv.slice(2);
  if (what !== 'desktop') throw new Error('Say what to release: desktop.');
  const into = resolve(folder);
  const files = await packDesktop({ kind: 'release', into });
  if (process.platform === 'linux') files.push(await makeDesktopDeb({ kind: 'release', into }));
  const problems = findPackageProblems(files);
  if (problems.length > 0) {
    // Remove it, so that nobody takes it for a release.
    for (const file of files) rmSync(file, { force: true });
    throw new Error(problems.join('\n'));
  }
  console.log(files.join('\n'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
