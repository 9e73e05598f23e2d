import { executionStates, executionTransitions, storedEvents, taskStates, taskTransitions } from '@app/domain';
import { migrations } from '@app/persistence/migrations/index.js';
import { shipped } from './sources.js';

/** What the migrations would run, without a database. */
const statements = async (): Promise<string[]> => {
  const run: string[] = [];
  const runner = { query: async (text: string) => void run.push(text) };
  for (const Migration of migrations as (new () => { up(r: unknown): Promise<void> })[])
    await new Migration().up(runner);
  return run;
};

describe('the schema', () => {
  it('has exactly the moves of the domain’s transition tables (I2)', async () => {
    const insert = (await statements()).find((text) => text.startsWith('insert into state_transition'))!;
    const rows = [...insert.matchAll(/\('(\w+)', '(\w+)', '(\w+)', '(\w+)'\)/g)].map(([, ...row]) => row.join(' '));
    const expected = [
      ...executionTransitions.flatMap(({ move, from, to }) => from.map((state) => `execution ${move} ${state} ${to}`)),
      ...taskTransitions.flatMap(({ move, from, to }) => from.map((state) => `task ${move} ${state} ${to}`)),
    ];
    expect([...rows].sort()).toEqual([...expected].sort());
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('has the domain’s states and event kinds as its enumerations', async () => {
    const run = await statements();
    const values = (name: string) =>
      [...run.find((text) => text.startsWith(`create type ${name} `))!.matchAll(/'(\w+)'/g)].map((match) => match[1]);
    expect(values('execution_state')).toEqual([...executionStates]);
    expect(values('task_state')).toEqual([...taskStates]);
    expect(values('event_kind')).toEqual(expect.arrayContaining(Object.keys(storedEvents)));
  });

  it('has no index on executions or tasks that names a column that moves', async () => {
    const moving = [
      'state',
      'seq',
      'started_at',
      'finished_at',
      'available_at',
      'attempt',
      'fencing_token',
      'incarnation',
      'output',
      'error',
      'charged',
    ];
    const indexes = (await statements()).filter((text) =>
      /create (unique )?index \w+\s+on (execution|task)\b/.test(text),
    );
    for (const text of indexes) for (const column of moving) expect(text).not.toMatch(new RegExp(`\\b${column}\\b`));
  });

  it('is moved by named moves: no statement writes the state of an execution or a task as a word', () => {
    const wrong = shipped
      .filter(({ path }) => path.startsWith('libs/persistence/') && !path.includes('/migrations/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/update (execution|task)\b[^`]*?\bset[^`]*?\bstate = '(\w+)'[^`]*?\bwhere\b/g)]
          .filter(([found]) => /\bset\b(?:(?!\bwhere\b|\bfrom\b)[\s\S])*\bstate = '/.test(found))
          .map(([, table, state]) => `${path}: ${table} set to ${state}`),
      );
    expect(wrong).toEqual([]);
    const named = shipped.filter(
      ({ path, code }) => path.startsWith('libs/persistence/') && /\b(?:execution|task)To\(/.test(code),
    );
    expect(named.length).toBeGreaterThan(8);
  });
});
