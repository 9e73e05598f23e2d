import { AddressGuard, isPublic } from './address-guard.js';
import { guardedLookup, type Resolve } from './guarded-agent.js';
import { parseAddress } from './ip-address.js';

const isPublicText = (text: string) => isPublic(parseAddress(text)!);

describe('an address', () => {
  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '[2a00:1450:4001:80b::200e]',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is public', (text) => expect(isPublicText(text)).toBe(true));

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.255.255',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '[::1]',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:7f00:1',
    '0:0:0:0:0:ffff:c0a8:0101',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fdff:ffff::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('%s is not', (text) => expect(isPublicText(text)).toBe(false));

  it.each(['', 'localhost', '127.1', '1.2.3.4.5', '256.0.0.1', '2130706433', '0x7f.0.0.1', '1::2::3', '[::1', 'fe80'])(
    '%j is none in its canonical notation, and is refused',
    (text) => {
      expect(parseAddress(text)).toBeNull();
      expect(new AddressGuard(['0.0.0.0/0', '::/0']).allowsAddress(text, 80)).toBe(false);
    },
  );
});

describe('what the configuration allows', () => {
  it('may be a network, in either way of writing an IPv4 address', () => {
    const guard = new AddressGuard(['10.1.0.0/16', 'fd00::/8', '::ffff:192.168.1.0/120']);
    for (const yes of ['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3', 'fd12::1', '192.168.1.77', '8.8.8.8'])
      expect(guard.allowsAddress(yes, 80)).toBe(true);
    for (const no of ['10.2.0.0', '10.0.255.255', 'fc00::1', '192.168.2.1', '127.0.0.1'])
      expect(guard.allowsAddress(no, 80)).toBe(false);
  });

  it('may be one port of it', () => {
    const guard = new AddressGuard(['127.0.0.1:8080', '[::1]:8080', '10.0.0.0/8:443', 'db.internal:5432']);
    expect([guard.allowsAddress('127.0.0.1', 8080), guard.allowsAddress('127.0.0.1', 5432)]).toEqual([true, false]);
    expect([guard.allowsAddress('::1', 8080), guard.allowsAddress('::1', 80)]).toEqual([true, false]);
    expect([guard.allowsAddress('10.9.9.9', 443), guard.allowsAddress('10.9.9.9', 80)]).toEqual([true, false]);
    expect([guard.allowsHost('db.internal', 5432), guard.allowsHost('db.internal', 80)]).toEqual([true, false]);
  });

  it('may be a host, or all hosts below one', () => {
    const guard = new AddressGuard(['ops.internal', '*.Example.com']);
    for (const yes of ['ops.internal', 'OPS.internal.', 'a.example.com', 'a.b.example.com'])
      expect(guard.allowsHost(yes, 443)).toBe(true);
    for (const no of ['example.com', 'evilexample.com', '.example.com', 'ops.internal.evil.com', 'xops.internal'])
      expect(guard.allowsHost(no, 443)).toBe(false);
  });

  it('is nothing but public addresses where a network cannot be read', () => {
    for (const text of ['10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/-1', '10.0.0.0/8/8', '/8'])
      expect(new AddressGuard([text]).allowsAddress('10.0.0.1', 80)).toBe(false);
  });
});

describe('looking a name up', () => {
  const resolve: Resolve = (_name, answer) =>
    answer(null, [
      { address: '10.0.0.1', family: 4 },
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
  const look = (guard: AddressGuard, options: object) =>
    new Promise((done) => guardedLookup(guard, 80, resolve)('mixed.example', options, (...answer) => done(answer)));

  it('gives only the addresses that may be reached', async () => {
    const public_ = [
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ];
    expect(await look(new AddressGuard([]), { all: true })).toEqual([null, public_]);
    expect(await look(new AddressGuard([]), {})).toEqual([null, '93.184.216.34', 4]);
    expect(await look(new AddressGuard([]), { family: 6 })).toEqual([null, '2606:4700::1', 6]);
  });

  it('gives all where the name itself is allowed', async () => {
    expect(await look(new AddressGuard(['mixed.example']), {})).toEqual([null, '10.0.0.1', 4]);
  });

  it('fails where none is left', async () => {
    const inner: Resolve = (_name, answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]);
    const [error] = await new Promise<unknown[]>((done) =>
      guardedLookup(new AddressGuard([]), 80, inner)('rebind.example', { all: true }, (...answer) => done(answer)),
    );
    expect(error).toMatchObject({
      name: 'AddressRefused',
      message: 'host rebind.example has no address that HTTP nodes may reach',
    });
  });
});
