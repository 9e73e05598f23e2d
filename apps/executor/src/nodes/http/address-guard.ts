import { isWithin, parseAddress, parseNetwork, type IpAddress, type Network } from './ip-address.js';

const networks = (...texts: string[]): Network[] => texts.map((text) => parseNetwork(text)!);

/** IPv4 blocks that are not globally reachable (IANA special-purpose registry), multicast and reserved ones. */
const refusedV4 = networks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
);
/** Global unicast; everything outside is loopback, private, link-local, multicast or not assigned. */
const globalV6 = networks('2000::/3');
/** Within it: protocol assignments with Teredo, documentation, and 6to4, which leads to any IPv4 address. */
const refusedV6 = networks('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/** True for addresses of the public internet. */
export function isPublic(address: IpAddress): boolean {
  if (address.length === 4) return !refusedV4.some((network) => isWithin(address, network));
  return (
    globalV6.some((network) => isWithin(address, network)) && !refusedV6.some((network) => isWithin(address, network))
  );
}

interface Rule {
  readonly network: Network | null;
  /** Lower case; `*.example.com` for all below; `*` for any. */
  readonly host: string | null;
  readonly port: number | null;
}

/**
 * Which addresses HTTP nodes may reach: public ones, and what the configuration allows by network, address or host name,
 * each with or without a port.
 */
export class AddressGuard {
  private readonly rules: readonly Rule[];

  constructor(allowed: readonly string[]) {
    this.rules = allowed.map(parseRule);
  }

  /** Whether this host may be reached at whatever address it has. */
  allowsHost(host: string, port: number): boolean {
    const name = host.toLowerCase().replace(/\.$/, '');
    return this.rules.some((rule) => rule.host !== null && portAgrees(rule, port) && hostAgrees(rule.host, name));
  }

  /** @param address in canonical notation; what is none is refused */
  allowsAddress(address: string, port: number): boolean {
    const parsed = parseAddress(address);
    if (!parsed) return false;
    if (isPublic(parsed)) return true;
    return this.rules.some((rule) => rule.network !== null && portAgrees(rule, port) && isWithin(parsed, rule.network));
  }
}

function parseRule(text: string): Rule {
  const plain = parseNetwork(text);
  if (plain) return { network: plain, host: null, port: null };
  const [, name, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) as unknown as [string, string, string | undefined];
  const network = parseNetwork(name);
  return {
    network,
    host: network ? null : name.toLowerCase().replace(/\.$/, ''),
    port: port === undefined ? null : Number(port),
  };
}

function portAgrees(rule: Rule, port: number): boolean {
  return rule.port === null || rule.port === port;
}

function hostAgrees(rule: string, name: string): boolean {
  if (rule === '*') return true;
  return rule.startsWith('*.') ? name.endsWith(rule.slice(1)) && name.length > rule.length - 1 : rule === name;
}
