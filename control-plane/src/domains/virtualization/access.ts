import { hasPermission } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Resource } from '../../http/access.ts'
import { findMedium, findNetwork, findProfile } from './store.ts'
import type { MediumRow, NetworkRow, ProfileRow } from './tables.ts'

const catalogued = <Name extends string, Row>(
  name: Name,
  loads: (ctx: Ctx, id: string) => Promise<Row | undefined>,
): Resource<Name, Row, never> => ({
  name,
  loads,
  permits: (actor) => hasPermission(actor, 'virtualization.manage'),
})

export const medium = catalogued<'medium', MediumRow>('medium', ({ db }, id) => findMedium(db, id))
export const network = catalogued<'network', NetworkRow>('network', ({ db }, id) =>
  findNetwork(db, id),
)
export const profile = catalogued<'profile', ProfileRow>('profile', ({ db }, id) =>
  findProfile(db, id),
)
