import { install, main, runOnPinnedNode } from './install.mjs';

// What is here runs on the machine's own Node; the rest on the one that comes as a package.
await main(async () => {
  const [first, ...others] = process.argv.slice(2);
  await install();
  return first === '--long'
    ? runOnPinnedNode('tools/setup/run-long.mjs', others)
    : runOnPinnedNode('tools/setup/run-tests.mjs', process.argv.slice(2));
});
