import { admitAtOnce } from '../execution-path/admission/admit-at-once.sql.js';
import { tryGates } from '../execution-path/admission/try-gates.sql.js';
import { applyChanges } from '../execution-path/settlement/apply-changes.sql.js';
import { closeExecutions } from '../execution-path/settlement/close-executions.sql.js';
import { comeBack } from '../execution-path/settlement/come-back.sql.js';
import { moveExecutions } from '../execution-path/settlement/move-executions.sql.js';
import { setRetention } from '../execution-path/settlement/set-retention.sql.js';
import { behind } from './behind.js';

/**
 * Settles recorded batches of one top-level execution: all that a transaction of settlement does with a decision about it, in one
 * round trip. Each statement has its own snapshot, so the look at marks is one after the gate was passed.
 *
 * Parameters: $1 batches; $2-$11 those of `move-executions`, for one execution; $12-$27 of `apply-changes`; $28-$41 of `come-back`;
 * $42 the queue whose new tasks are to be admitted at once (null: none), $43 the execution, $44 the smallest window, $45 how many tasks there are;
 * $46 the execution, where it ends, $47 and $48 where and how long it is kept; $49 whether it is taken off intake, to be laid out.
 * Guard: the batches are there, of this execution alone, and nobody else settles them; event sequence and state are those that were loaded. Null: one
 * of it is not so, and nothing has changed. Else the hand-outs of what was admitted.
 */
export const settleAtOnceFunction = `
create function settle_at_once(
  bigint[],
  uuid[], integer[], execution_state[], execution_state[], integer[], boolean[], text[], text[], smallint[], bytea[],
  uuid[], smallint[], task_state[], task_state[], bigint[], smallint[], smallint[], smallint[], text[], text[],
  uuid[], integer[], event_kind[], smallint[], integer[], text[],
  uuid[], smallint[], text[], uuid[], uuid[], bigint[], integer[], text[], smallint[], boolean[], boolean[], text[], bigint[], smallint[],
  text, uuid[], integer, integer,
  uuid[], uuid[], bigint[],
  boolean
)
returns json
language plpgsql volatile
as $$
#variable_conflict use_column
declare
  found_batches integer;
  found_intake integer;
  has_moved boolean := false;
  is_open boolean := false;
  handed json[] := '{}';
  r record;
begin
  select count(*) into found_batches
  from (select from recorded_batch where id = any ($1) and ids <@ $43 for update skip locked) b;
  if found_batches < cardinality($1) then
    return null;
  end if;
  if $49 then
    for r in ${behind(42, tryGates)} loop
      is_open := r.open;
    end loop;
    if not is_open then
      return null;
    end if;
    select count(*) into found_intake
    from (
      select from intake
      where execution_id = any ($43) and nodes is null and marked_lineage(execution_id) is null
      for update skip locked
    ) i;
    if found_intake = 0 then
      return null;
    end if;
  end if;
  for r in ${behind(1, moveExecutions)} loop
    has_moved := true;
  end loop;
  if not has_moved then
    return null;
  end if;
  delete from recorded_batch where id = any ($1);
  if $49 then
    delete from intake where execution_id = any ($43);
  end if;
  for r in ${behind(11, applyChanges)} loop
    if r.changed <> cardinality($12) then
      raise exception '% tasks were to move, % did', cardinality($12), r.changed;
    end if;
  end loop;
  if cardinality($28) > 0 then
    ${behind(27, comeBack)};
  end if;
  if $42 is not null then
    if not is_open then
      for r in ${behind(42, tryGates)} loop
        is_open := r.open;
      end loop;
    end if;
    if is_open then
      for r in ${behind(41, admitAtOnce)} loop
        handed := handed || row_to_json(r);
      end loop;
    end if;
  end if;
  if cardinality($46) > 0 then
    ${behind(45, closeExecutions)};
    ${behind(46, setRetention)};
  end if;
  return to_json(handed);
end
$$
`;
