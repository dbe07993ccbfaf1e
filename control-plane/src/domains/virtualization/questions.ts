import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'

export type CatalogueThing = 'medium' | 'network' | 'profile'

/** The machines that use a catalogue entry, by name. */
export const machinesWith = new Question<
  (db: Db, what: CatalogueThing, id: string) => Promise<{ id: string; name: string }[]>
>('machines with a thing of the catalogue')

/** Leased addresses per network. */
export const leaseCounts = new Question<(db: Db) => Promise<ReadonlyMap<string, number>>>(
  'leases of networks',
)
