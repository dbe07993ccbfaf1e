import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'
import { joinedNodes } from './store.ts'
import type { NodeRow } from './tables.ts'

/** How many servers of a node lie on each shared storage, by its id. The domain of servers answers. */
export const serversOnStorage = new Question<
  (db: Db, nodeId: string) => Promise<Record<string, number>>
>('how many servers of a node lie on each shared storage')

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

/** Ids of the nodes that have a shared storage now. */
export const havingStorage = async (db: Db, storageId: string): Promise<string[]> =>
  (await joinedNodes(db)).filter((node) => hasStorage(node, storageId)).map(({ id }) => id)
