import type { DesiredNode } from '@lodge/proto/fleet.ts'
import type { Db } from '../../db/database.ts'
import { findNodes } from './store.ts'

/** The desired states of these nodes themselves, in order; empty for a removed node. */
export async function desiredNodes(db: Db, ids: readonly string[]): Promise<DesiredNode[]> {
  const rows = new Map((await findNodes(db, ids)).map((row) => [row.id, row]))
  return ids.map((id) => ({
    sftpPort: rows.get(id)?.sftpPort ?? 0,
    transferPort: rows.get(id)?.transferPort ?? 0,
    openings: (rows.get(id)?.openNetworks ?? []).map(({ network, protocol, ports }) => ({
      network,
      protocol: protocol ?? '',
      fromPort: ports?.from ?? 0,
      toPort: ports?.to ?? 0,
    })),
  }))
}
