import { text } from '../variable.js';

const apiKey = text()
  .regex(/^[\x21-\x7e]{1,512}$/, 'must be printable ASCII without spaces')
  .meta({
    description: 'Bootstrap administrator key of the api.',
    fallback: 'required by the api; generated once by standalone',
  });

export const requiredAccessVariables = { FANFOLD_API_KEY: apiKey };
export const accessVariables = { FANFOLD_API_KEY: apiKey.optional() };
