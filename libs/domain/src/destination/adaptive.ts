/** Where the search for a destination's limit begins. */
export const firstAdaptiveLimit = 4;
