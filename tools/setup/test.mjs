import { install, main, runOnPinnedNode } from './install.mjs';

// Runs on the system's Node; everything else on the pinned one.
await main(async () => {
  const [first, ...others] = process.argv.slice(2);
  await install();
  return first === '--long'
    ? runOnPinnedNode('tools/setup/run-long.mjs', others)
    : runOnPinnedNode('tools/setup/run-tests.mjs', process.argv.slice(2));
});
