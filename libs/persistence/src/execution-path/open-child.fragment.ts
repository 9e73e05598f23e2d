/**
 * Whether a child has a place of its fan-out's `maxConcurrency`: it has been handed out and has not settled. One that was
 * running when it was paused keeps its place; one that was ready gave it back.
 *
 * @param e where the child's `id` and `state` are read from
 */
export const hasPlace = (e: string): string =>
  `(${e}.state in ('ready', 'running')
       or (${e}.state = 'paused'
           and exists (select from mark where mark.execution_id = ${e}.id and mark.fan_out_id = 0 and mark.from_state = 'running')))`;
