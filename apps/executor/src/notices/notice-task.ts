import { defaultRetryPolicy, literalTemplate, type NotifyHook, type PlannedNode } from '@app/domain';
import type { ClaimedNotice, VersionedPlan } from '@app/persistence';
import type { ClaimedTask } from '../running/claimed-task.js';

/** Of one call that delivers a notice. */
export const deliveryTimeoutMs = 30_000;

/** The id of a notice: one for each outcome of an execution, whoever is told. */
export function noticeId({ executionId, round }: Pick<ClaimedNotice, 'executionId' | 'round'>): string {
  return `${executionId}-${round}`;
}

/** The body of a notice: the same text at each attempt. */
export function noticeBody(notice: ClaimedNotice, at: VersionedPlan): string {
  const fanOuts = JSON.parse(notice.fanOuts) as { node: number }[];
  const members: readonly (readonly [name: string, text: string])[] = [
    ['id', JSON.stringify(noticeId(notice))],
    ['execution', JSON.stringify(notice.executionId)],
    ['pipeline', JSON.stringify({ name: at.name, version: at.version })],
    ['outcome', JSON.stringify(notice.outcome)],
    ['round', String(notice.round)],
    ['at', JSON.stringify(notice.at)],
    // Exact text: a number in it never passes through a number of ours.
    ['error', notice.error ?? 'null'],
    [
      'fanOuts',
      JSON.stringify(fanOuts.map(({ node, ...counts }) => ({ nodeId: at.whole.nodes[node]?.id, ...counts }))),
    ],
  ];
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** A notice as the HTTP performer takes it: one call of a node that is in no graph and bound by no limit. */
export function taskOfNotice(notice: ClaimedNotice, at: VersionedPlan, hook: NotifyHook): ClaimedTask {
  return {
    executionId: notice.executionId,
    rootId: notice.executionId,
    parentId: null,
    fanOutId: null,
    at,
    node: nodeOf(hook, noticeBody(notice, at)),
    attempt: notice.attempt,
    fencingToken: notice.attempt,
    incarnation: 0,
    itemKey: null,
    scope: { input: notice.input, executionId: notice.executionId, parentId: null, labels: notice.labels },
    batchId: 0,
    holds: false,
    learns: false,
    startBy: null,
    units: [],
    refusal: null,
    suspect: false,
    callId: noticeId(notice),
  };
}

function nodeOf(hook: NotifyHook, body: string): PlannedNode {
  return {
    index: -1 - hook.index,
    id: 'notify',
    type: 'HTTP',
    config: { ...hook.config, body: literalTemplate(body) },
    retry: defaultRetryPolicy,
    errors: [],
    timeoutMs: deliveryTimeoutMs,
    maxConcurrency: null,
    queue: 'default',
    maxOutput: null,
    join: 'ALL_SUCCEEDED',
    destinations: [],
    incoming: [],
    outgoing: [],
    rank: 0,
    inDegree: 0,
    criticalPath: 1,
    reads: [],
    yields: false,
  };
}
