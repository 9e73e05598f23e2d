export interface FanOutParts {
  /** Configuration of the spawner, over the default one. */
  readonly spawner?: object;
  readonly merge?: object;
  /** Configuration of the child's HTTP node. */
  readonly http?: object;
  /** Policies of the child's node: retry, errors, timeout, destinations … */
  readonly node?: object;
  /** Policies of the whole pipeline. */
  readonly pipeline?: object;
  readonly before?: readonly object[];
  readonly after?: readonly object[];
  readonly edges?: readonly object[];
}

/** `fan` posts every item of `input.items` to a URL, `join` gives the verdict. */
export const fanOut = (name: string, url: string, parts: FanOutParts = {}): object => ({
  name,
  ...parts.pipeline,
  nodes: [
    ...(parts.before ?? []),
    {
      id: 'fan',
      type: 'SPAWNER',
      config: {
        items: '${input.items}',
        node: { type: 'HTTP', config: { method: 'POST', url, body: '${item}', ...parts.http }, ...parts.node },
        ...parts.spawner,
      },
    },
    { id: 'join', type: 'MERGE', config: { ...parts.merge } },
    ...(parts.after ?? []),
  ],
  edges: [{ from: 'fan', to: 'join' }, ...(parts.edges ?? [])],
});

/** A node that posts to a URL, and its edge from the merge. */
export const reportTo = (url: string): Pick<FanOutParts, 'after' | 'edges'> => ({
  after: [{ id: 'report', type: 'HTTP', config: { method: 'POST', url, body: '${nodes.join.output}' } }],
  edges: [{ from: 'join', to: 'report' }],
});

/** Retries within a test's patience. */
export const quickRetry = (maxAttempts = 3): object => ({
  maxAttempts,
  initialDelay: '100ms',
  backoff: 1,
  jitter: 0,
});

export const numbers = (count: number): { n: number }[] => Array.from({ length: count }, (_, n) => ({ n }));
