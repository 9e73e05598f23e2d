/** How many calls hold a destination. @param id of the destination */
export const placesHeld = (id: string): string =>
  `(select coalesce(sum(cardinality(x.ids)), 0)::integer from destination_holder x where x.destination_id = ${id})`;

/** What is left of a row of holders, `h`, without some of them. @param ids an array */
export const idsWithout = (ids: string): string =>
  `array(select i from unnest(h.ids) with ordinality k (i, n) where i <> all (${ids}) order by n)`;
