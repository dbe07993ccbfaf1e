import type { Db } from '../../db/database.ts'
import { latestSetBack, nodesToCompare } from '../nodes/index.ts'
import { countFindings } from '../servers/index.ts'

/** What is to be said of a database that was set back in time, as long as something is left to do. */
export interface SetBackConcern {
  readonly title: string
  readonly detail: string
  readonly since: Date
  /** Null: nodes that have not been heard of since. */
  readonly nodeId: string | null
}

/** One per node whose servers wait for a decision, and one for those that have not been compared. */
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

/** The names that are known, and that there are more. */
const listOf = (names: readonly string[], servers: number): string =>
  [...names, ...(servers > names.length ? ['…'] : [])].join(', ')
