export default async function globalTeardown() {
  await Promise.all((globalThis.fanfoldTestServers ?? []).map((server) => server.stop()));
}
