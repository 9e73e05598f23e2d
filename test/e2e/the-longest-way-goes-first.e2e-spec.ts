import { eventually } from '../support/eventually.js';
import { inModes } from '../support/in-every-mode.js';

const lengths = [2, 7, 1, 5, 8, 3, 6, 4];
const longestFirst = (of: readonly number[]) => [...of].sort((a, b) => b - a).map((length) => `b${length}_0`);

/** Branches of so many nodes each, named by how many they are and their position; behind `root`, if there is one. */
const branches = (url: string, of: readonly number[], root: 'root' | null) => {
  const call = (id: string) => ({ id, type: 'HTTP', config: { method: 'POST', url: `${url}/${id}` } });
  const ways = of.map((length) => [
    ...(root === null ? [] : [root]),
    ...Array.from({ length }, (_, n) => `b${length}_${n}`),
  ]);
  return {
    nodes: [...new Set(ways.flat())].map((id) =>
      id === 'root' ? { id, type: 'TRANSFORM', config: { output: '1' } } : call(id),
    ),
    edges: ways.flatMap((way) => way.slice(1).map((to, n) => ({ from: way[n], to }))),
  };
};

inModes(
  ['services without a broker'],
  'among the ready nodes of an execution',
  (stage) => {
    it.each<[string, number[], 'root' | null]>([
      ['a few, admitted where they become ready', [1, 3, 2], 'root'],
      ['many, admitted in a turn', lengths, null],
    ])('those with the longest way to an end are handed out first: %s', async (_, of, root) => {
      const { api } = stage.engine;
      const name = stage.name();
      await api.publish({ name, ...branches(stage.sink.url, of, root) });
      const { id } = await api.start(name, {});
      const handouts = await eventually(async () => {
        const rows = await stage.engine.query<{ node: number }>(
          'select node from handout where root_id = $1 order by id',
          [id],
        );
        expect(rows).toHaveLength(of.length);
        return rows;
      });
      const { nodes } = branches('', of, root);
      expect(handouts.map(({ node }) => nodes[node]!.id)).toEqual(longestFirst(of));
      await api.act(id, 'cancel');
    });
  },
  () => Promise.resolve({ executors: 0 }),
);

inModes(
  ['services without a broker'],
  'with one slot and one task handed out at a time',
  (stage) => {
    it('the branches of an execution are called by how long they are', async () => {
      const { api } = stage.engine;
      const name = stage.name();
      await api.publish({ name, ...branches(stage.sink.url, lengths, 'root') });
      expect((await api.run(name, {})).state).toBe('SUCCEEDED');
      const called = stage.sink.calls.map(({ path }) => path.slice(1));
      expect(called.filter((id) => id.endsWith('_0'))).toEqual(longestFirst(lengths));
      expect(called).toHaveLength(lengths.reduce((a, b) => a + b, 0));
    });
  },
  () => Promise.resolve({ executors: 1, env: { ADMISSION_WINDOW: '1', EXECUTOR_SLOTS: '1' } }),
);
