import type { PlannedNode } from '@app/domain';

/** Where a call goes, under all the names that a destination may have for it. */
export interface Target {
  /** Names of destinations: what the node lists, and the implicit one of its host. */
  readonly names: readonly string[];
  /** Hosts, with and without a port. */
  readonly hosts: readonly string[];
  /** Name of the implicit destination where no host is registered; null: nothing but `names` can be slowed. */
  readonly implicit: string | null;
}

const destinationName = /^[a-z0-9][a-z0-9._-]{0,127}$/;

/** Of a node that calls no host, or none that is known yet. */
export function targetOfNode(node: PlannedNode): Target {
  return { names: node.destinations.map((d) => d.name), hosts: [], implicit: null };
}

/**
 * Of an HTTP call. `written` is the host as the definition has it, which is the name that claims look for; without it the
 * URL's own is taken.
 */
export function targetOfUrl(node: PlannedNode, url: URL, written: string | null): Target {
  const host = written ?? url.host;
  const hosts = [...new Set([host, host.replace(/:\d+$/, ''), url.host, url.hostname, hostAndPort(url)])];
  const implicit = `host:${host}`;
  return { names: [...node.destinations.map((d) => d.name), implicit], hosts, implicit };
}

/** With the port of the scheme where the URL has none. */
export function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
}

/** Of a destination that a handler names; null: no destination can have that name. */
export function targetOfName(name: string): Target | null {
  return destinationName.test(name) ? { names: [name], hosts: [], implicit: name } : null;
}
