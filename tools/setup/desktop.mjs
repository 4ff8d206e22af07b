import { build, install, main, runOnPinnedNode } from './install.mjs';

await main(async () => {
  await install();
  const built = await build(['desktop']);
  const app = ['--', 'apps/desktop', ...process.argv.slice(2)];
  return built === 0 ? runOnPinnedNode('tools/electron-runtime/main.mjs', app) : built;
});
