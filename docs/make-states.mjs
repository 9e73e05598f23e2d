// Writes docs/states.md from what the engine itself goes by: the transition tables, the decision about an execution, and
// the classes of answers. Run `npm run build` first, then `node docs/make-states.mjs`. With --check it writes nothing and
// exits 1 where the page is not what the code says.
import { readFileSync, writeFileSync } from 'node:fs';

const built = (path) => import(new URL(`../dist/libs/domain/src/${path}`, import.meta.url).href);
const { executionTransitions, taskTransitions, terminalExecutionStates } = await built('transition-table.js');
const { classifyStatus } = await built('failure/classify.js');
const { decideProgress } = await built('execution/progress.js');
const { parsePipeline } = await built('pipeline/parse-pipeline.js');
const { defaultRetryPolicy, nextAttemptDelay } = await built('retry/retry-policy.js');
const { maxSnoozes } = await built('task/attempt-end.js');

const page = new URL('states.md', import.meta.url);

const diagram = (transitions, start, ends) =>
  [
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${start}`,
    ...transitions.flatMap(({ move, from, to }) => from.map((state) => `  ${state} --> ${to} : ${move}`)),
    ...ends.map((state) => `  ${state} --> [*]`),
    '```',
  ].join('\n');

const moves = (transitions) =>
  table(
    ['move', 'from', 'to'],
    transitions.map(({ move, from, to }) => [`\`${move}\``, from.map((s) => `\`${s}\``).join(', '), `\`${to}\``]),
  );

/** As prettier writes it, so that the page is its own formatted form. */
function table(head, rows) {
  const widths = head.map((cell, i) => Math.max(3, cell.length, ...rows.map((row) => row[i].length)));
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}

/**
 * What the decision does with node `c` behind the edges a -> c and b -> c. The input that settles last is `b`, or, where an
 * input is skipped, a node `s` whose own edge into it is passed over.
 */
function decided(join, inputs) {
  const withSkipped = inputs.includes('skipped');
  const transform = (id) => ({ id, type: 'TRANSFORM', config: { output: 1 } });
  const nodes = [
    transform('a'),
    transform('b'),
    { id: 'c', type: 'HTTP', config: { method: 'GET', url: 'https://example.org' }, join },
    ...(withSkipped ? [transform('s')] : []),
  ];
  const edges = inputs.flatMap((input, i) => [
    { from: nodes[i].id, to: 'c', ...(input === 'passed over' ? { condition: '1 == 2' } : {}) },
    ...(input === 'skipped' ? [{ from: 's', to: nodes[i].id, condition: '1 == 2' }] : []),
  ]);
  const parsed = parsePipeline(JSON.stringify({ name: 'join', nodes, edges }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.defects));
  const last = withSkipped ? 's' : 'b';
  const tasks = nodes.flatMap(({ id }, node) => {
    const input = id === 's' ? 'taken' : inputs[node];
    return input === undefined || input === 'skipped' ? [] : [task(node, input, id === last)];
  });
  const snapshot = {
    id: '00000000-0000-7000-8000-000000000000',
    state: 'running',
    seq: 3,
    input: 'null',
    fanOutId: null,
    labels: null,
    tasks: new Map(tasks.map((t) => [t.node, t])),
    fanOuts: new Map(),
  };
  return toldBy(decideProgress(parsed.plan, snapshot, () => 0.5));
}

function task(node, input, settlesNow) {
  const state = { taken: 'succeeded', 'passed over': 'succeeded', broken: 'failed', open: 'waiting' }[input];
  return {
    node,
    state: settlesNow ? 'recorded' : state,
    outcome: settlesNow ? state : null,
    attempt: 1,
    charged: 1,
    snoozes: 0,
    losses: 0,
    snoozeMs: null,
    output: '1',
    error: state === 'failed' ? '{"class":"PERMANENT","code":"X.Y","message":"no"}' : null,
  };
}

function toldBy(decision) {
  const change = decision?.tasks.find((t) => t.node === 2);
  if (change?.to === 'pending') return 'runs';
  if (change?.to === 'skipped') return 'is skipped';
  if (decision && ['failed', 'succeeded'].includes(decision.to)) return 'never runs';
  return 'waits';
}

const kinds = ['taken', 'passed over', 'skipped', 'broken', 'open'];
const joins = ['ALL_SUCCEEDED', 'ALL_DONE', 'ANY_SUCCEEDED'];
const pairs = [];
for (let i = 0; i < kinds.length; i++)
  for (let j = 0; j < kinds.length; j++) {
    // the same two inputs in the other order have the same fate; the one that settles last must not be the open one
    if (j < i && kinds[i] !== 'open') continue;
    if (kinds[j] === 'open') continue;
    pairs.push([kinds[i], kinds[j]]);
  }
const joinRows = pairs.map((inputs) => [inputs[0], inputs[1], ...joins.map((join) => decided(join, inputs))]);

const statuses = [];
for (const heard of [null, 5_000]) {
  const runs = [];
  for (let status = 100; status <= 599; status++) {
    if (status >= 200 && status <= 299) continue;
    const answer = classifyStatus(status, { retryAfterMs: heard });
    const last = runs.at(-1);
    if (last && last.answer === answer && (last.to === status - 1 || (last.to === 199 && status === 300)))
      last.to = status;
    else runs.push({ from: status, to: status, answer });
  }
  statuses.push(runs);
}
const asRanges = (runs, answer) =>
  runs
    .filter((run) => run.answer === answer)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
    .join(', ');
const statusRows = ['permanent', 'transient', 'snoozed'].map((answer) => [
  answer,
  asRanges(statuses[0], answer) || 'none',
  asRanges(statuses[1], answer) || 'none',
]);

const delays = [];
for (let charged = 1; ; charged++) {
  const delay = nextAttemptDelay(defaultRetryPolicy, charged, 0.5);
  if (delay === null) break;
  delays.push(`${delay / 1_000} s`);
}

const text = `# States, joins and answers

Written by \`docs/make-states.mjs\` from the code. Do not edit this page; change the code and run the script.

State names are lower case in SQL and TypeScript and upper case in JSON. A state moves only by a move named here (I2). The
tables live in [transition-table.ts](../libs/domain/src/transition-table.ts). The first migration writes them to the
table \`state_transition\`. A statement that moves a state asks for its own move, not for the pair of states: a late claim
must not start a paused execution because \`resume_started\` leads to the same state.

## Execution

${diagram(executionTransitions, 'pending', terminalExecutionStates)}

${moves(executionTransitions)}

\`pending\`: may be handed out. \`ready\`: handed out, waits for an executor. \`running\`: from its first started task to its
end, also while it waits between two attempts or has open children. \`paused\`: nothing new starts. Nothing leads out of
\`succeeded\`. Only a retry or a redrive leads out of \`failed\`, and only a redrive out of \`cancelled\`.

## Task

${diagram(taskTransitions, 'pending', ['succeeded', 'failed', 'cancelled', 'skipped'])}

${moves(taskTransitions)}

\`running\` always has a lease. \`recorded\`: the attempt has ended and the settler has not yet drawn the conclusion.
\`waiting\` is for what an orchestrator runs; it holds no slot. \`again\` is a retry: the task waits as \`pending\` until its
time. A task that succeeded is never run again.

## Joins

An edge is one of:

- **taken**: its upstream succeeded and the condition holds or there is none; or its upstream failed and a condition that
  reads \`nodes.<id>.state\` holds.
- **passed over**: the condition is false.
- **skipped**: its upstream was skipped. It counts as passed over.
- **broken**: its upstream failed without such a condition, was cancelled, or can never run.
- **open**: its upstream has not settled.

What becomes of a node with two inputs, by its \`join\`. The order of the inputs does not matter. Every cell is what the
decision in [progress.ts](../libs/domain/src/execution/progress.ts) answered when this page was written.

${table(['one input', 'the other', ...joins], joinRows)}

_never runs_: the node gets no task. It is shown as PENDING while the execution is open and as SKIPPED once it has settled.
Nodes behind it find a broken edge.

An execution ends when nothing in it is open. It fails if the failure of a node is left that nothing handled. A failure is
handled by a downstream node that ran and either joins with \`ALL_DONE\` or \`ANY_SUCCEEDED\`, or was reached by an edge whose
condition reads the state of the failed node.

## Answers of a destination

A status that the node expects (\`expect\`, by default 200-299) succeeds. Every other status is:

${table(['class', 'without a readable Retry-After', 'with Retry-After'], statusRows)}

- **permanent**: no further attempt.
- **transient**: another attempt while charged attempts are left. By default there are ${defaultRetryPolicy.maxAttempts} attempts; the pauses are ${delays.join(', ')},
  each spread by ${defaultRetryPolicy.jitter * 100} % both ways.
- **snoozed**: another attempt after the time the destination asked for. It is not charged, at most ${maxSnoozes} times a task, and the
  whole destination waits. A 429 without a readable Retry-After is snoozed too.

Retry-After is whole seconds or a date that lies ahead. An empty, negative, fractional or unreadable value and a past date
count as none. It is heeded on 429 and 503 only, and for one hour at most, or for the node's \`retry.maxDelay\` where that
is shorter. Network errors and time-outs are transient. A node's own \`errors\` rules come before this table.
`;

if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    process.stderr.write('docs/states.md is not what the code says: run node docs/make-states.mjs\n');
    process.exitCode = 1;
  }
} else writeFileSync(page, text);
