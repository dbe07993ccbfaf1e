import type { MarkedServer } from '@lodge/shared/servers.ts'
import { useViewing } from '../../session/session.ts'
import { useLacking, useRights, useUnsupported } from '../servers/one/use-rights.ts'
import { t } from './words.ts'

/** Why this person cannot do something with the files, in words; undefined when they can. */
export interface Cannot {
  /** The node shows no files, or this person may not see them. */
  readonly read: string | undefined
  readonly write: string | undefined
  readonly delete: string | undefined
}

/** Holds that prevent changes; some apply to customers only, as in the API. */
const HELD: Readonly<Record<string, { readonly why: () => string; readonly customers?: true }>> = {
  suspension: { why: () => t.heldSuspended, customers: true },
  deletion: { why: () => t.heldDeletion, customers: true },
  installing: { why: () => t.heldInstalling },
  restoring: { why: () => t.heldRestoring },
  migrating: { why: () => t.heldMigrating },
  deleting: { why: () => t.heldDeleting },
  failover: { why: () => t.heldFailover },
}

export function useCan(server: MarkedServer): Cannot {
  const viewing = useViewing()
  const lacking = useLacking(server.id)
  const isHost = useRights(server.id)?.role === 'host'
  const unsupported = useUnsupported(server.id)('files')
  const holds = server.holds.map(({ kind }) => HELD[kind])
  const held = holds.find((hold) => hold && !(hold.customers && isHost))?.why()
  const offline = server.nodeOnline ? undefined : t.nodeOffline({ node: server.nodeName })
  const read = unsupported ?? lacking('GET /api/servers/{id}/files', 'files.read')
  const changes = read ?? (viewing ? t.viewing : undefined) ?? held ?? offline
  return {
    read,
    write: changes ?? lacking('POST /api/servers/{id}/files/mkdir', 'files.write'),
    delete: changes ?? lacking('POST /api/servers/{id}/files/delete', 'files.delete'),
  }
}
