import type { Layers } from '@lodge/shared/limits/effective.ts'
import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import type { Db } from '../../db/database.ts'
import type { UserRow } from '../customers/index.ts'
import { settingsOf } from '../settings/index.ts'
import { limitDefaults, limitSettings } from './areas.ts'
import { readStanding, type Stored, type Usage } from './usage-store.ts'

/** A customer's limits by layer, and usage. */
export interface Standing {
  readonly settings: LimitSettings
  readonly layers: Layers
  readonly usage: Usage
}

/** Settings, layers and usage of a customer, as of this transaction. */
export async function standingOf(db: Db, owner: Pick<UserRow, 'id' | 'quota'>): Promise<Standing> {
  return layered(owner, await readStanding(db, owner.id))
}

/** The same, from stored values. */
export const layered = (owner: Pick<UserRow, 'quota'>, stored: Stored): Standing => ({
  ...limitsOf(owner, stored),
  usage: stored.usage,
})

/** Settings and limits alone. */
export function limitsOf(
  owner: Pick<UserRow, 'quota'>,
  stored: Omit<Stored, 'usage'>,
): Omit<Standing, 'usage'> {
  const settings = settingsOf(limitSettings, stored.settings)
  const layers = {
    defaults: settingsOf(limitDefaults, stored.defaults),
    plans: stored.plans,
    customer: settings.allowOverrides ? owner.quota : {},
  }
  return { settings, layers }
}
