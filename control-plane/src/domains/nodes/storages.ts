import type { NodeRow } from './tables.ts'

/** Whether a node has this shared storage now, as its agent last said. */
export const hasStorage = ({ hardware }: Pick<NodeRow, 'hardware'>, storageId: string): boolean =>
  hardware?.storages?.some(({ id }) => id === storageId) ?? false

/** What nodes call a shared storage; undefined if none of them has it now. */
export const nameOfStorage = (
  nodes: readonly Pick<NodeRow, 'hardware'>[],
  storageId: string,
): string | undefined => {
  const all = nodes.flatMap(({ hardware }) => hardware?.storages ?? [])
  return all.find(({ id }) => id === storageId)?.name
}
