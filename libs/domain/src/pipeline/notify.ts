/** `notify` of a pipeline: where the outcomes of its top-level executions are told. */
import type { Root } from '../expression/scope.js';
import { readHttpTarget } from './config/http.js';
import { Fields, readList, readOneOf, type Located } from './fields.js';
import type { Place } from './place.js';
import { noticeOutcomes, type HttpConfig, type NoticeOutcome, type NotifyHook } from './plan.js';

/** Names in scope of its templates, beside `secrets`. */
const hookRoots: readonly Root[] = ['input', 'execution', 'labels'];
const maxHooks = 16;

export function readNotify(pipeline: Fields): readonly NotifyHook[] {
  const value = pipeline.raw('notify');
  const list = value ? (readList(value, pipeline.place) ?? []) : [];
  if (list.length > maxHooks) pipeline.report('notify', `must have at most ${maxHooks} entries`);
  return list.flatMap((entry, index) => readHook(entry, index, pipeline.place) ?? []);
}

function readHook(entry: Located, index: number, around: Place): NotifyHook | null {
  const place: Place = { ...around, roots: hookRoots };
  const hook = Fields.read(entry, place);
  if (!hook) return null;
  const on = readOutcomes(hook);
  const { url, host, headers } = readHttpTarget(hook);
  hook.finish();
  if (!url || on.length === 0) return null;
  const config: HttpConfig = {
    type: 'HTTP',
    method: 'POST',
    url,
    host,
    headers,
    body: null,
    expect: [[200, 299]],
    redirects: 0,
  };
  return { index, on, config };
}

function readOutcomes(hook: Fields): NoticeOutcome[] {
  hook.required('on');
  const list = hook.list('on');
  if (list?.length === 0) hook.report('on', `must name at least one of ${noticeOutcomes.join(', ')}`);
  const on: NoticeOutcome[] = [];
  for (const entry of list ?? []) {
    const outcome = readOneOf(entry, noticeOutcomes, hook.place);
    if (outcome === null) continue;
    if (on.includes(outcome)) hook.place.report.add(entry.path, `${outcome} is given twice`);
    else on.push(outcome);
  }
  return on;
}
