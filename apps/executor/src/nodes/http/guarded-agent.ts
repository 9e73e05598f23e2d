import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.js';

const connectTimeoutMs = 10_000;

/** The connection was not tried, as the address is none that HTTP nodes may reach. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Names to addresses, all of them. */
export type Resolve = (hostname: string, answer: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const resolveBySystem: Resolve = (hostname, answer) => systemLookup(hostname, { all: true, verbatim: true }, answer);

/**
 * One pool of kept-alive HTTP/1.1 connections for all calls. Names are resolved here and the very addresses that are
 * connected to are checked, so a name that changes its address between check and connection gains nothing.
 */
export function guardedAgent(guard: AddressGuard, connections: number, resolve: Resolve = resolveBySystem): Agent {
  const connectors = new Map<number, buildConnector.connector>();
  return new Agent({
    connections,
    pipelining: 1,
    // The attempt has a time-out of its own, which may be hours.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
      if (isIP(host) && !guard.allowsAddress(host, port) && !guard.allowsHost(host, port))
        return callback(new AddressRefused(`address ${host} is not one that HTTP nodes may reach`), null);
      let connector = connectors.get(port);
      if (!connector) {
        const lookup = guardedLookup(guard, port, resolve);
        connector = buildConnector({
          allowH2: false,
          timeout: connectTimeoutMs,
          autoSelectFamily: true,
          lookup,
        } as buildConnector.BuildOptions);
        if (connectors.size < 64) connectors.set(port, connector);
      }
      connector(options, callback);
    },
  });
}

/** A look-up that gives only addresses that may be reached, and fails when there is none. */
export function guardedLookup(guard: AddressGuard, port: number, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, (error, found) => {
      if (error) return callback(error, []);
      const all = guard.allowsHost(hostname, port);
      const allowed = found.filter(({ address }) => all || guard.allowsAddress(address, port));
      const wanted =
        options.family === 4 || options.family === 6 ? allowed.filter((a) => a.family === options.family) : allowed;
      const [first] = wanted;
      if (!first) return callback(new AddressRefused(`host ${hostname} has no address that HTTP nodes may reach`), []);
      if (options.all) callback(null, wanted);
      else callback(null, first.address, first.family);
    });
}
