/** Measures two things as often as asked, one after the other; whoever goes second finds larger tables, so they go first in turns. */
export const inTurns = async (rounds, measureOne, measureOther) => {
  const one = [];
  const other = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) one.push(await measureOne());
    other.push(await measureOther());
    if (round % 2 === 1) one.push(await measureOne());
  }
  return [one, other];
};
