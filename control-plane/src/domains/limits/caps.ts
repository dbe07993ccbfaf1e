import { effective } from '@lodge/shared/limits/effective.ts'
import type { NumberKey } from '@lodge/shared/limits/keys.ts'
import type { Db } from '../../db/database.ts'
import type { UserRow } from '../customers/index.ts'
import { standingOf } from './standing.ts'

/** Some caps of an owner; null where nothing limits them. */
export async function capsOf<Key extends NumberKey>(
  db: Db,
  owner: UserRow,
  keys: readonly Key[],
): Promise<Record<Key, number | null>> {
  const { settings, layers } = await standingOf(db, owner)
  const binds = settings.useLimits && owner.role !== 'admin'
  const capOf = (key: Key) => {
    const { value } = effective(key, layers)
    return binds && typeof value === 'number' ? value : null
  }
  return Object.fromEntries(keys.map((key) => [key, capOf(key)])) as Record<Key, number | null>
}
