import { install, main, runOnPinnedNode } from './install.mjs';

// Runs on the machine's Node. Everything else runs on the pinned version.
await main(async () => {
  await install();
  return runOnPinnedNode('tools/setup/run-tests.mjs', process.argv.slice(2));
});
