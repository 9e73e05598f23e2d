import type { PlannedNode } from '@app/domain';
import { targetOfName, targetOfUrl } from './target.js';

const node = { destinations: [{ name: 'llm', cost: null }] } as unknown as PlannedNode;

describe('the names of a destination', () => {
  it('are the host as the definition has it, with and without a port, and those the node lists', () => {
    const target = targetOfUrl(node, new URL('https://api.example/x'), 'api.example:443');
    expect(target.implicit).toBe('host:api.example:443');
    expect(target.names).toEqual(['llm', 'host:api.example:443']);
    expect(new Set(target.hosts)).toEqual(new Set(['api.example', 'api.example:443']));
  });
  it('are those of the URL where a template decides it', () => {
    const target = targetOfUrl(node, new URL('http://[::1]:8080/'), null);
    expect(target.implicit).toBe('host:[::1]:8080');
    expect(new Set(target.hosts)).toEqual(new Set(['[::1]', '[::1]:8080']));
  });
  it('that a handler gives cannot be those of limits of the engine', () => {
    expect(targetOfName('llm')?.implicit).toBe('llm');
    for (const name of ['node:other/0', 'pipeline:other', 'host:api.example', '', 'UPPER', 'x'.repeat(200)])
      expect(targetOfName(name)).toBeNull();
  });
});
