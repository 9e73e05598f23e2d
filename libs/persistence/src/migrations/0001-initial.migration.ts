import { executionStates, executionTransitions, storedEvents, taskStates, taskTransitions } from '@app/domain';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  childBound,
  destinationsInForce,
  markedChildrenOf,
  markedLineage,
  markedTogether,
} from './0001-initial.functions.js';
import { executionTables } from './0001-execution.tables.js';
import { claimAtOnceFunction } from './0001-claim-at-once.functions.js';
import { settleAtOnceFunction } from './0001-settle-at-once.functions.js';
import { platformTables } from './0001-platform.tables.js';

/**
 * The first schema. It lives in the schema that the connection's `search_path` names, so that namespaces never meet.
 *
 * Two rules shape it. No index on `execution` or `task` names a column that moves, so every update there can stay
 * heap-only. What must be found by state therefore has a narrow table: `handout` (ready tasks), `claim_batch` (running
 * ones), `recorded_batch` (recorded ones), `comeback` (to be admitted again), each with one row per *batch* where it can.
 */
export class Initial1700000000001 implements MigrationInterface {
  name = 'Initial1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(enumeration('execution_state', executionStates));
    await runner.query(enumeration('task_state', taskStates));
    await runner.query(enumeration('event_kind', Object.keys(storedEvents)));
    await runner.query(
      enumeration('outcome_kind', ['succeeded', 'failed', 'snoozed', 'interrupted', 'cancelled', 'timed_out', 'lost']),
    );
    await runner.query(enumeration('merge_verdict', ['open', 'passed', 'failed']));
    await runner.query(enumeration('mark_kind', ['release', 'pause', 'cancel']));
    await runner.query(enumeration('stage_hold', ['stopped', 'approval', 'accepted']));
    await runner.query(
      enumeration('control_kind', [
        'redrive',
        'cancel',
        'fail_fast',
        'delete',
        'rollout_stop',
        'timeout',
        'cancel_waiting',
      ]),
    );
    for (const statement of (executionTables + platformTables).split(/;\s*\n/))
      if (statement.trim()) await runner.query(statement);
    await runner.query(markedLineage);
    await runner.query(markedChildrenOf);
    await runner.query(markedTogether);
    await runner.query(destinationsInForce);
    await runner.query(settleAtOnceFunction);
    await runner.query(claimAtOnceFunction);
    await runner.query(childBound('first', '00000000'));
    await runner.query(childBound('last', '7fffffff'));
    await runner.query('insert into state_transition(machine, move, from_state, to_state) values ' + transitionRows());
  }

  async down(): Promise<void> {
    throw new Error('the first migration cannot be undone: drop the schema instead');
  }
}

function enumeration(name: string, values: readonly string[]): string {
  return `create type ${name} as enum (${values.map((v) => `'${v}'`).join(', ')})`;
}

function transitionRows(): string {
  const rows = (machine: string, table: readonly { move: string; from: readonly string[]; to: string }[]) =>
    table.flatMap((t) => t.from.map((from) => `('${machine}', '${t.move}', '${from}', '${t.to}')`));
  return [...rows('execution', executionTransitions), ...rows('task', taskTransitions)].join(', ');
}
