import { provideRuntime } from './runtime.mjs';

export default async function setUp() {
  globalThis.endDisplay = await provideRuntime();
}
