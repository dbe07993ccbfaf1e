import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to operators say about evacuations. */
export const t = catalogue(
  {
    over: '{stayed, select, true {Not all servers of {node} moved} other {{node} is evacuated}}',
    results:
      '{moved, plural, =0 {No server} one {One server} other {# servers}} moved{stayed, plural, =0 {.} one {, one stayed. The page of the evacuation says why.} other {, # stayed. The page of the evacuation says why.}}',
  },
  { de: () => import('./words.de.ts') },
)
