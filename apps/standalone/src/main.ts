#!/usr/bin/env node
import 'reflect-metadata';
import { loadConfig } from '@app/runtime';
import { startEngine } from './engine.js';

try {
  const engine = await startEngine(loadConfig('standalone'));
  const signIn = engine.apiKeyFile ? `the API key in ${engine.apiKeyFile}` : 'the API key of FANFOLD_API_KEY';
  process.stdout.write(
    `\nFanfold is running at ${engine.url}\nSign in with ${signIn}; the API is described at ${engine.url}/docs\n\n`,
  );
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  if (code !== 'DATA_FOLDER.IN_USE' && code !== 'EADDRINUSE') throw error;
  process.stderr.write(`fanfold: ${message}\n`);
  process.exit(1);
}
