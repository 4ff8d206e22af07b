import { install, main, runOnPinnedNode } from './install.mjs';

// Runs on the machine's Node; everything else on the pinned one.
await main(async () => {
  await install();
  return runOnPinnedNode('tools/setup/run-tests.mjs', process.argv.slice(2));
});
