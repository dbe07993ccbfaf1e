import type { Db } from '../../db/database.ts'
import type { DirectWay } from '../../fleet/handlers.ts'
import type { StepTools } from '../../jobs/sagas/saga.ts'
import { isOnline } from './describe.ts'
import { findNodes } from './store.ts'
import { describeTransfers } from './transfers.ts'

/**
 * How one node reaches another directly. The serving node expects the connection and the other one
 * always dials, so the dialling node alone can choose the route.
 */
export async function directWay(
  db: Db,
  hostId: string,
  guestId: string,
): Promise<DirectWay | undefined> {
  const rows = await findNodes(db, [hostId, guestId])
  const host = rows.find(({ id }) => id === hostId)
  const guest = rows.find(({ id }) => id === guestId)
  if (!host?.transfers || !guest?.transfers || host === guest || !isOnline(host)) return undefined
  const { port, open } = describeTransfers(host)
  const address = host.address ?? host.remoteAddress
  if (port === null || !open || address === null) return undefined
  return {
    address: `${address.includes(':') ? `[${address}]` : address}:${port}`,
    hostFingerprint: host.transfers.fingerprint,
    guestFingerprint: guest.transfers.fingerprint,
  }
}

/**
 * Shows in the step of a job which route the bytes took from one node to another.
 * @returns the text
 */
export async function tellWay(
  { ctx, progress }: Pick<StepTools, 'ctx' | 'progress'>,
  { direct }: { readonly direct?: boolean | undefined },
  { fromId, toId }: { readonly fromId: string; readonly toId: string },
): Promise<string> {
  const rows = await findNodes(ctx.db, [fromId, toId])
  const [from, to] = [fromId, toId].map((id) => rows.find((row) => row.id === id)?.name)
  const isKnown = from !== undefined && to !== undefined
  const words =
    direct && isKnown
      ? `The data went directly from ${from} to ${to}`
      : 'The data went through the control plane'
  await progress(100, words)
  return words
}
