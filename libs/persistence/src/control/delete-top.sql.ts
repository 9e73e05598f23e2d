import type { Statement } from '../database/database.js';

/** $1 top-level execution. */
export const deleteTop: Statement = {
  name: 'delete-top',
  text: `
with tasks as (
  delete from task
  where execution_id = $1
), events as (
  delete from event
  where execution_id = $1
), logs as (
  delete from log_line
  where execution_id = $1
), marks as (
  delete from mark
  where root_id = $1
), timers as (
  delete from timer
  where execution_id = $1
), signals as (
  delete from signal
  where execution_id = $1
), uses as (
  delete from dataset_use
  where execution_id = $1
), rounds as (
  delete from notice_round
  where execution_id = $1
), notices as (
  delete from notice
  where execution_id = $1
), keys as (
  delete from open_key
  where execution_id = $1
)
delete from execution
where id = $1`,
};
