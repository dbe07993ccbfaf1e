import type { Db } from '../../db/database.ts'
import { latestSetBack, nodesToCompare } from '../nodes/index.ts'
import { countFindings } from '../servers/index.ts'

/** What is left to do after the database was set back in time. */
export interface SetBackConcern {
  readonly title: string
  readonly detail: string
  readonly since: Date
  /** Null: about nodes that have not been heard since. */
  readonly nodeId: string | null
}

/**
 * One for each node whose servers wait for a decision, and one for all nodes that have not been
 * compared.
 */
export async function setBackConcerns(db: Db): Promise<SetBackConcern[]> {
  const latest = await latestSetBack(db)
  if (!latest) return []
  const waiting = await nodesToCompare(db)
  const differing = await countFindings(db)
  const concerns = differing.map(({ nodeId, nodeName, servers, names, since }) => ({
    nodeId,
    since,
    title: `${nodeName} knows more than the database, which was set back in time`,
    detail: `Nothing is started, stopped or deleted by itself: decide which state counts for ${listOf(names, servers)}.`,
  }))
  if (waiting.length === 0) return concerns
  return [
    ...concerns,
    {
      nodeId: null,
      since: latest.at,
      title: 'The database was set back in time',
      detail: `Nothing happens by itself on nodes that have not sent their inventory since: ${namesOf(waiting)}.`,
    },
  ]
}

const namesOf = (nodes: readonly { readonly name: string }[]): string =>
  nodes.map(({ name }) => name).join(', ')

/** Lists the known names, and mentions that there are more. */
const listOf = (names: readonly string[], servers: number): string =>
  [...names, ...(servers > names.length ? ['…'] : [])].join(', ')
