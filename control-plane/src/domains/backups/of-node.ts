import type { NodeBackups } from '@lodge/shared/backups.ts'
import type { Ctx } from '../../context.ts'
import type { NodeRow } from '../nodes/index.ts'
import { readSettings } from '../settings/index.ts'
import { keptOnNode } from './orphan-store.ts'
import { exposedOnNode, hostsOnNode } from './protection-store.ts'
import { backupSettings } from './settings.ts'
import { storageNodeOf, whyNoStorage } from './storage-nodes.ts'

const SHOWN = 100

/** What the loss of a node would cost in backups, from the database alone. */
export async function backupsOfNode(
  { db }: Pick<Ctx, 'db'>,
  { id }: Pick<NodeRow, 'id'>,
): Promise<NodeBackups> {
  const settings = await readSettings(db, backupSettings)
  const { items, oldestAt, ...counts } = await exposedOnNode(db, id, SHOWN)
  const { protection } = settings
  const covers = protection && (protection.nodeIds?.includes(id) ?? true)
  const elsewhere = covers && protection.place === 'other-node'
  return {
    kept: await keptOnNode(db, id),
    servers: {
      ...counts,
      oldestAt: oldestAt?.toISOString() ?? null,
      items: items.map((one) => ({ ...one, safeAt: one.safeAt?.toISOString() ?? null })),
    },
    byHost: await hostsOnNode(db, id),
    protection: covers ? { everyHours: protection.everyHours, keep: protection.keep } : null,
    whyNot: elsewhere ? whyNoStorage(await storageNodeOf(db, settings, id)) : null,
  }
}
