import { chart } from './desktop-chart.ts';
import { buildDesktop, buildShell, provideElectron } from './desktop-runtime.ts';
import { screens } from './desktop-screens.ts';
import { sizes } from './desktop-sizes.ts';
import { startAndIdle } from './desktop-start.ts';
import type { Section } from './measure.ts';
import { workFolder } from './service.ts';

async function noDisplay(): Promise<string | undefined> {
  const tool = new URL('../../electron-runtime/libraries.mjs', import.meta.url).href;
  const { displayState } = (await import(tool)) as { displayState: () => string };
  return displayState() === 'none' ? 'there is neither a display nor Xvfb' : undefined;
}

export const desktop: Section = {
  name: 'desktop',
  title: 'The desktop in a real Electron, beside a bare shell of Electron and React',
  leftOut: noDisplay,
  async run() {
    const { executable, version, end } = await provideElectron();
    const folder = workFolder();
    try {
      console.log(`Electron ${version}\n`);
      const shell = await buildShell(folder.path);
      const ours = buildDesktop(folder.path);
      return [
        ...(await startAndIdle(executable, ours, shell)),
        ...sizes(ours),
        ...(await screens(executable, ours)),
        ...(await chart(executable, ours)),
      ];
    } finally {
      end();
      folder.remove();
    }
  },
};
