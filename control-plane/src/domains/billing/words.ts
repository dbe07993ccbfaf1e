import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What staff are told. */
export const t = catalogue(
  {
    refundFailed: 'The refund of {number} to {email} did not succeed',
    notProvisioned: 'The server of {email} ({plan}) could not be created',
  },
  { de: () => import('./words.de.ts') },
)
