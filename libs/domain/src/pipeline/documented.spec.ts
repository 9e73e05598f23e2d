import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePipeline } from './parse-pipeline.js';

it.each(['pipelines.md', 'notifications.md'])('every definition in docs/%s can be published', (page) => {
  const text = readFileSync(join(__dirname, '../../../../docs', page), 'utf8');
  const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json!);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    const parsed = parsePipeline(example);
    expect(parsed.ok ? [] : parsed.defects).toEqual([]);
  }
});
