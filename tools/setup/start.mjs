import { install, main, runOnPinnedNode } from './install.mjs';

await main(async () => {
  await install();
  const built = await runOnPinnedNode('node_modules/nx/dist/bin/nx.js', [
    'build',
    'service',
    '--output-style=stream-without-prefixes',
  ]);
  if (built !== 0) {
    return built;
  }
  return runOnPinnedNode('apps/service/bin/caregate.mjs', ['demo', ...process.argv.slice(2)]);
});
