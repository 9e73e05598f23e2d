export * from './handlers/handler.js';
export * from './handlers/handler-error.js';
export * from './handlers/exact-json.js';
