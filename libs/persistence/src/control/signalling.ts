import { isTerminal, type Plan } from '@app/domain';
import type { Tx } from '../database/database.js';
import { keepSignal } from '../execution-path/signals/keep-signal.sql.js';
import { acceptStages } from './accept-stages.sql.js';
import { addFacts } from './add-facts.sql.js';
import { ancestorCancelled, illegal, invalid, unknownSignal, type ControlAnswer } from './control-answer.js';
import { cancelledAbove, type LineageLevel } from './lineage.js';
import { lockSpawned } from './lock-spawned.sql.js';
import type { Place } from './reopening.js';

/** Signals that an execution of a pipeline may be sent: those its SIGNAL nodes wait for, and the approvals of its rollouts. */
function signalNames({ nodes }: Plan): string[] {
  const names = nodes.flatMap(({ id, config }) => {
    if (config.type === 'SIGNAL') return [config.name.literalPrefix!];
    return config.type === 'SPAWNER' && config.rollout?.some(({ approval }) => approval) ? [id] : [];
  });
  return [...new Set(names)];
}

/** What the output of a node in a child may be (api.md). */
const maxChildBytes = 262_144;

/**
 * A signal to one execution, with the gate of its root held alone. One that has the name of a spawner whose rollout asks for
 * approval is that approval; any other is kept until a SIGNAL node takes it. The fact it leaves moves the event
 * sequence, so that a decision in flight, which has not seen it, is made again.
 */
export async function receiveSignal(
  tx: Tx,
  levels: readonly LineageLevel[],
  place: Place,
  signal: { name: string; body: string },
): Promise<ControlAnswer> {
  const self = levels[0]!;
  const cancelled = cancelledAbove(levels);
  if (cancelled !== null) return ancestorCancelled(cancelled);
  if (isTerminal(self.state)) return illegal('signalled', self.state);
  if (self.fanOut && Buffer.byteLength(signal.body) > maxChildBytes)
    return invalid('SIGNAL.TOO_LARGE', `a signal to a child may have ${maxChildBytes} bytes`);
  const known = signalNames(place.at.plan);
  if (!known.includes(signal.name)) return unknownSignal(signal.name, known);
  await tx.query(addFacts, [[self.id], ['signal_received'], [null], [JSON.stringify({ name: signal.name })]]);
  const spawner = place.at.plan.nodes.find((n) => n.type === 'SPAWNER' && n.id === signal.name);
  if (spawner) {
    await tx.query(lockSpawned, [self.id, spawner.index]);
    const approved = await tx.query(acceptStages, [self.id, 'approval', spawner.index]);
    if (approved.rows.length > 0) return { ok: true };
  }
  await tx.query(keepSignal, [self.id, signal.name, signal.body]);
  return { ok: true };
}
