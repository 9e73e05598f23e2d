export * from './input-schema.js';
export * from './labels-with.js';
export * from './occurrences.js';
export * from './start-refused.js';
export * from './starter.js';
