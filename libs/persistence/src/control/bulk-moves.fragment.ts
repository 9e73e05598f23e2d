export const filtered = `
  and (e.state = any ($3::execution_state[]))
  and ($4::text is null or e.fingerprint = $4)
  and ($5::text is null or e.error like '%"class":"' || $5 || '"%')
  and ($6::uuid[] is null or e.id = any ($6::uuid[]))
  and ($7::text is null or (e.error is not null and e.error like $7))`;
