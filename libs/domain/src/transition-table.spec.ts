import {
  executionAfter,
  executionStates,
  executionTransitions,
  isTerminal,
  taskAfter,
  taskStates,
  taskTransitions,
} from './transition-table.js';

describe('the transition tables', () => {
  it('name each move once, between known states, and never back to where it began', () => {
    for (const [table, states] of [
      [executionTransitions, executionStates],
      [taskTransitions, taskStates],
    ] as const) {
      const moves = table.map(({ move }) => move);
      expect(new Set(moves).size).toBe(moves.length);
      for (const { from, to } of table) {
        expect(states).toContain(to);
        for (const state of from) expect(states).toContain(state);
        expect(from).not.toContain(to);
      }
    }
  });

  it('let nothing reopen what has succeeded but a retry from a node, and only a retry or redrive what failed or was cancelled', () => {
    const leaving = (state: string) =>
      executionTransitions.filter((t) => (t.from as readonly string[]).includes(state)).map((t) => t.move);
    expect(leaving('succeeded')).toEqual([]);
    expect(leaving('failed')).toEqual(['retry', 'redrive']);
    expect(leaving('cancelled')).toEqual(['redrive']);
    const leavingTask = (state: string) =>
      taskTransitions.filter((t) => (t.from as readonly string[]).includes(state)).map((t) => t.move);
    expect(leavingTask('succeeded')).toEqual(['rerun']);
    expect(executionStates.filter(isTerminal)).toEqual(['succeeded', 'failed', 'cancelled']);
  });

  it('go by the move: a late claim does not start a paused execution, though resume makes the same pair', () => {
    expect(executionAfter('paused', 'claim')).toBeNull();
    expect(executionAfter('paused', 'resume_started')).toBe('running');
    expect(executionAfter('ready', 'claim')).toBe('running');
    expect(taskAfter('cancelled', 'record')).toBeNull();
    expect(taskAfter('running', 'fence_out')).toBe('recorded');
  });
});
