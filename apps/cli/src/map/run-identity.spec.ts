import type { Target } from './map-options.js';
import { identityOf, type IdentityParts } from './run-identity.js';

const command = (...words: string[]): Target => ({ kind: 'command', words, env: [] });
const call: Target = { kind: 'call', method: 'POST', url: 'http://x', headers: [], body: undefined };
const identity = (more: Partial<IdentityParts>) =>
  identityOf({ name: undefined, target: call, path: '/a/rows.csv', contentHash: 'c', folder: '/a', ...more });

describe('a run', () => {
  it('is known by the words of its command and its file, whatever is in the file', () => {
    expect(identity({ contentHash: 'other' }).id).toBe(identity({}).id);
    expect(identity({ path: '/b/rows.csv' }).id).not.toBe(identity({}).id);
    expect(identity({ target: command('a', 'b') }).id).not.toBe(identity({ target: command('a b') }).id);
  });

  it('of a command is another one in another folder; that of a call is the same', () => {
    expect(identity({ target: command('make'), folder: '/b' }).id).not.toBe(identity({ target: command('make') }).id);
    expect(identity({ folder: '/b' }).id).toBe(identity({}).id);
  });

  it('is known by its name, where it has one, and by what came through standard input', () => {
    expect(identity({ name: 'nightly' }).id).toBe('map-nightly');
    expect(identity({ name: 'nightly', target: command('make') }).commandHash).not.toBe(identity({}).commandHash);
    expect(identity({ path: null, contentHash: 'd' }).id).not.toBe(identity({ path: null }).id);
  });
});
