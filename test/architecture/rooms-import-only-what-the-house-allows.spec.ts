import { roomOf, shipped, sources } from './sources.js';

/** Arrows between rooms. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'libs/domain': [],
  'libs/runtime': [],
  'libs/contracts': ['libs/domain'],
  'libs/persistence': ['libs/domain', 'libs/contracts', 'libs/runtime'],
  'libs/messaging': ['libs/contracts', 'libs/runtime'],
  'libs/starting': ['libs/domain', 'libs/persistence', 'libs/runtime'],
  'libs/sdk': ['libs/contracts', 'libs/domain'],
};
const libs = Object.keys(allowed);

/** What standalone composes: the root module of each app, or the composition beside it, and nothing else. */
const composed = [
  'apps/api/src/api.module.ts',
  'apps/api/src/configure-api.ts',
  'apps/api/src/executions/engine-control.ts',
  'apps/orchestrator/src/orchestrator.ts',
  'apps/orchestrator/src/orchestrator.module.ts',
];

/** Folders of an app that its phases share, and why they are no phase. */
const shared: Readonly<Record<string, readonly string[]>> = {
  // How every controller reads, answers and describes itself; what stands around all of them; their way out to the engine;
  // and the views of executions and pipelines, which streaming and datasets show too.
  'apps/api': ['request', 'problem', 'json', 'docs', 'access', 'idempotency', 'hints', 'executions', 'pipelines'],
  // The one path from a decision to its commit, which every phase ends in.
  'apps/orchestrator': ['deciding'],
  // The attempt that claim makes, nodes perform and the lease compares; and the gate in front of every call.
  'apps/executor': ['running', 'destinations'],
  'apps/standalone': ['embedded', 'demo'],
  // The way to a running engine, and what is shown of it, which every command has.
  'apps/cli': ['engine', 'terminal'],
};

/** Single arrows between phases, each with its reason. */
const arrows: readonly string[] = [
  // What was claimed is begun in the same call, so that no claim is ever without its attempt.
  'apps/executor/src/running/running.service.ts → apps/executor/src/claim/claim.service.ts',
  // Failed items come back in the dataset's own format.
  'apps/api/src/executions/failed-items.ts → apps/api/src/datasets/upload/csv-export-marks.ts',
  // `?wait=` is a watch that ends with the first news.
  'apps/api/src/executions/settlement-waits.ts → apps/api/src/streaming/stream-hub.ts',
  // Uploads whose process died are swept by the one loop that the api has.
  'apps/api/src/housekeeping/housekeeping.ts → apps/api/src/datasets/datasets.service.ts',
];

describe('the dependency rule', () => {
  it('lets a library import only the libraries it may', () => {
    const wrong = shipped.flatMap(({ path, files }) =>
      files
        .filter(
          (to) =>
            roomOf(path) in allowed && roomOf(to) !== roomOf(path) && !allowed[roomOf(path)]!.includes(roomOf(to)),
        )
        // The Postgres strategy stands on the store that persistence keeps for it.
        .filter(
          (to) => !(path.startsWith('libs/messaging/src/postgres/') && to.startsWith('libs/persistence/src/bus/')),
        )
        .map((to) => `${path} → ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('lets an app import libraries, and standalone the root of the apps it is made of', () => {
    const wrong = shipped.flatMap(({ path, files }) =>
      files
        .filter((to) => path.startsWith('apps/') && roomOf(to) !== roomOf(path) && !libs.includes(roomOf(to)))
        .filter((to) => !(path.startsWith('apps/standalone/') && composed.includes(to)))
        .map((to) => `${path} → ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the phases of an app apart', () => {
    const phaseOf = (path: string) => {
      const parts = path.split('/');
      return parts.length > 4 ? parts[3]! : undefined;
    };
    const wrong = shipped.flatMap(({ path, files }) =>
      files
        .filter((to) => roomOf(to) === roomOf(path) && roomOf(path) in shared)
        .filter((to) => {
          const [from, into] = [phaseOf(path), phaseOf(to)];
          return from !== undefined && into !== undefined && from !== into && !shared[roomOf(path)]!.includes(into);
        })
        .map((to) => `${path} → ${to}`)
        .filter((arrow) => !arrows.includes(arrow)),
    );
    expect(wrong).toEqual([]);
  });

  it('has no cycle among files', () => {
    const graph = new Map(shipped.map(({ path, files }) => [path, files]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path)) return void cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      if (done.has(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it('keeps the domain pure: nothing of ours, no framework, nothing of node, and one parser of expressions', () => {
    const domain = shipped.filter(({ path }) => path.startsWith('libs/domain/'));
    const foreign = domain.flatMap(({ path, imports }) =>
      imports
        .filter((name) => !name.startsWith('.') && name !== '@marcbachmann/cel-js')
        .map((name) => `${path} → ${name}`),
    );
    expect(foreign).toEqual([]);
    const ambient = domain.filter(({ code }) =>
      /\b(process|setTimeout|setInterval|fetch|console|Buffer|crypto)\s*[.(]/.test(code),
    );
    expect(ambient.map(({ path }) => path)).toEqual([]);
  });

  it('is followed by imports that exist', () => {
    const known = new Set(sources.map(({ path }) => path));
    const dangling = sources.flatMap(({ path, imports, files }) => {
      const ours = imports.filter((name) => name.startsWith('.') || name.startsWith('@app/'));
      return ours.length === files.length ? [] : [`${path}: ${ours.length - files.length} of ${ours.join(', ')}`];
    });
    expect(known.size).toBeGreaterThan(100);
    expect(dangling).toEqual([]);
  });
});
