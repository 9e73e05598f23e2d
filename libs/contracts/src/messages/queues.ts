/** Names of queues and topics, each spelled once. The bus adds the namespace. */
export const INTAKE_QUEUE = 'execution_intake';
export const RECORDED_QUEUE = 'task_recorded';

/** Where hand-outs of a task queue go. */
export const taskQueue = (queue: string): string => `task_ready__${queue}`;

/** Where hand-outs go of executions that run less than their share: executors have places for them that others do not get. */
export const lightTaskQueue = (queue: string): string => `task_light__${queue}`;

/** Executions that settled: watchers look again. */
export const SETTLED_TOPIC = 'execution_settled';
/** Tasks whose calls are to be aborted. */
export const ABORT_TOPIC = 'task_abort';
/** Something was freed or asked for: admission looks again. */
export const ADMISSION_TOPIC = 'admission_due';
/** A command was written: control looks again. */
export const CONTROL_TOPIC = 'control_due';
