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

const [what = 'deb', argument] = process.argv.slice(2);
const into = resolve(argument ?? join(root, 'dist'));
const desktop = { kind: 'development', into } as const;
const makers = {
  deb: () => makeDeb(into),
  image: () => makeImage(into),
  bundle: () => bundleService(into, getBuiltVersion()).then(() => into),
  desktop: async () =>
    process.platform === 'linux'
      ? makeDesktopDeb(desktop)
      : (await packDesktop(desktop)).join('\n'),
  version: () => setVersion(argument),
};

try {
  if (!Object.hasOwn(makers, what)) {
    throw new Error(`"${what}" is none of ${Object.keys(makers).join(', ')}.`);
  }
  console.log(await makers[what as keyof typeof makers]());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
