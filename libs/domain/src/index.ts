export * from './transition-table.js';
export * from './execution/child-id.js';
export * from './task/outcome.js';
export * from './failure/failure-detail.js';
export * from './pipeline/plan.js';
export * from './retry/retry-policy.js';
export type { Template } from './expression/template.js';
export type { Condition } from './expression/condition.js';
export * from './event/stored-event.js';
