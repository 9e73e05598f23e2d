import globalTeardown from './global-teardown.mjs';

export default async function globalTeardownE2e() {
  globalThis.fanfoldEndEngines?.();
  await globalTeardown();
}
