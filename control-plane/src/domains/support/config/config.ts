import type { DeskConfig } from '@lodge/shared/support/desk.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { readSettings } from '../../settings/index.ts'
import { listCategories } from '../categories/store.ts'
import { deskSettings } from '../desk/settings.ts'
import { tierOf } from '../tiers/store.ts'

/** What the caller needs to write a ticket: categories and their own tier. */
export async function configFor({ db, actor }: Ctx<User>): Promise<DeskConfig> {
  const { enabled, reopenDays } = await readSettings(db, deskSettings)
  const categories = (await listCategories(db)).filter(({ active }) => active)
  const tier = await tierOf(db, actor.id)
  return {
    ...{ enabled, reopenDays, tier: tier?.name ?? null },
    categories: categories.map((row) => ({
      ...{ id: row.id, name: row.name, description: row.description, fields: row.fields },
      ...{ requiresServer: row.requiresServer, defaultPriority: row.defaultPriority },
    })),
  }
}
