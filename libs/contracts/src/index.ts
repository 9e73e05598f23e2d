export * from './http/catalog.js';
export * from './http/execution.js';
export * from './http/page.js';
export * from './http/problem-document.js';
export * from './http/stream-frame.js';
export * from './messages/envelopes.js';
export * from './messages/queues.js';
