// `npm run package [-- deb|image|bundle|desktop [FOLDER]]`, by default into `dist/`.
// `npm run package -- version [VERSION|patch|minor|major]` sets the next version.
import { join, resolve } from 'node:path';
import { bundleService } from './bundle.ts';
import { makeDeb } from './deb.ts';
import { makeDesktopDeb } from './desktop/deb.ts';
import { packDesktop } from './desktop/pack.ts';
import { makeImage } from './image.ts';
import { setVersion } from './version.ts';
import { getBuiltVersion, root } from './workspace.ts';

const resolveFolder = (folder = join(root, 'dist')): string => resolve(folder);

const makers = {
  deb: (into?: string) => makeDeb({ into: resolveFolder(into) }),
  image: (into?: string) => makeImage(resolveFolder(into)),
  bundle: async (into?: string) => {
    await bundleService(resolveFolder(into), getBuiltVersion());
    return resolveFolder(into);
  },
  desktop: async (into?: string) =>
    process.platform === 'linux'
      ? makeDesktopDeb({ kind: 'development', into: resolveFolder(into) })
      : (await packDesktop({ kind: 'development', into: resolveFolder(into) })).join('\n'),
  version: setVersion,
};

try {
  const [what = 'deb', argument] = process.argv.slice(2);
  if (!Object.hasOwn(makers, what)) {
    throw new Error(`"${what}" is none of ${Object.keys(makers).join(', ')}.`);
  }
  console.log(await makers[what as keyof typeof makers](argument));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
