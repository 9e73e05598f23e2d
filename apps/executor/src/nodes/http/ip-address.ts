import { isIPv4, isIPv6 } from 'node:net';

/** An address as bytes, 4 or 16; an IPv4 address that is wrapped in an IPv6 one is taken out of it. */
export type IpAddress = readonly number[];

/** A range of addresses: those whose first `bits` bits are the same. */
export interface Network {
  readonly address: IpAddress;
  readonly bits: number;
}

/** Null for what is no address in its canonical notation. IPv6 may stand in brackets and carry a zone. */
export function parseAddress(text: string): IpAddress | null {
  if (isIPv4(text)) return text.split('.').map(Number);
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  return isIPv6(bare) ? unwrap(bytesOfIpv6(bare)) : null;
}

/** `10.0.0.0/8`, `fc00::/7`, or a single address. Null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [written, prefix, ...rest] = text.split('/');
  const address = parseAddress(written!);
  if (!address || rest.length > 0) return null;
  const most = address.length * 8;
  if (prefix === undefined) return { address, bits: most };
  const wrapped = address.length === 4 && written!.includes(':') ? 96 : 0;
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) - wrapped : NaN;
  return bits >= 0 && bits <= most ? { address, bits } : null;
}

export function isWithin(address: IpAddress, network: Network): boolean {
  if (address.length !== network.address.length) return false;
  const whole = network.bits >> 3;
  for (let i = 0; i < whole; i++) if (address[i] !== network.address[i]) return false;
  const shift = 8 - (network.bits & 7);
  return shift === 8 || address[whole]! >> shift === network.address[whole]! >> shift;
}

function bytesOfIpv6(text: string): number[] {
  const [head, tail] = text.split('::').map(bytesOfGroups);
  if (!tail) return head!;
  return [...head!, ...Array<number>(16 - head!.length - tail.length).fill(0), ...tail];
}

function bytesOfGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** IPv4-mapped (RFC 4291), translated (RFC 2765) and NAT64 (RFC 6052) addresses reach the IPv4 address in their last bytes. */
const wrappings: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
  [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0],
  [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
];

function unwrap(bytes: readonly number[]): IpAddress {
  const wraps = wrappings.some((prefix) => prefix.every((byte, i) => bytes[i] === byte));
  return wraps ? bytes.slice(12) : bytes;
}
