export default function tearDown() {
  globalThis.endDisplay?.();
}
