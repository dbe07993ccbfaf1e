import type { NodeRow } from './tables.ts'

/** Whether a node has this shared storage now, according to its agent's last report. */
export const hasStorage = ({ hardware }: Pick<NodeRow, 'hardware'>, storageId: string): boolean =>
  hardware?.storages?.some(({ id }) => id === storageId) ?? false

/** The name of a shared storage on the nodes that have it now; undefined if none has. */
export const nameOfStorage = (
  nodes: readonly Pick<NodeRow, 'hardware'>[],
  storageId: string,
): string | undefined => {
  const all = nodes.flatMap(({ hardware }) => hardware?.storages ?? [])
  return all.find(({ id }) => id === storageId)?.name
}
