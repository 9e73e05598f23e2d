/** Whether no mark holds the spawner of a fan-out. Where its root has none, that is one probe. @param f name of its row */
export const isFreeSpawner = (f: string): string => `(
    not exists (select from mark m where m.root_id = ${f}.root_id)
    or (
      not exists (select from mark m where m.execution_id = ${f}.parent_id and m.fan_out_id = ${f}.id)
      and marked_lineage(${f}.parent_id) is null
    )
  )`;
