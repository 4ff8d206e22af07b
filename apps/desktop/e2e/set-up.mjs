import { providePoppler } from './poppler.mjs';
import { provideRuntime } from './runtime.mjs';

export default async function setUp() {
  providePoppler();
  globalThis.endDisplay = await provideRuntime();
}
