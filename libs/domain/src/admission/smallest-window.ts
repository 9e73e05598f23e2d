/** A queue may always have this much handed out, if its bound is not lower. */
export const smallestWindow = 20;
