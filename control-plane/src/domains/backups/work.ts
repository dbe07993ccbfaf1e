import type { BackupWork, StorageAccess } from '@lodge/shared/backup-work.ts'
import type { z } from 'zod'
import { TaskFailure } from '../../fleet/tasks.ts'
import { runOnNode } from '../../jobs/sagas/run-on-node.ts'
import { Permanent, type StepTools } from '../../jobs/sagas/saga.ts'
import { Problem } from '../../problem.ts'
import { tellWay } from '../nodes/index.ts'
import { taskOf } from '../servers/index.ts'
import { openRepository } from './repositories.ts'
import { findRepository } from './store.ts'

type Sealed<W> = W extends { repository: unknown } ? Omit<W, 'repository'> : W
/** Work without the repository's credentials, which are added when it is sent. */
export type WorkOf = Sealed<BackupWork>

interface OnNode {
  readonly nodeId: string
  readonly serverId: string
  /** The repository, for work that needs one. */
  readonly repositoryId?: string
  readonly name: string
  readonly work: WorkOf
  readonly always?: boolean
  readonly timeoutMs?: number
  /** How long the node may be away; without it there is no limit. */
  readonly backWithinMs?: number
}

/** The result of work on a node. */
interface Worked {
  readonly document: string
  /** A text saying which route the bytes took, if they went to or from another node. */
  readonly way?: string
}

/** Runs the work of a saga's step on a node. */
export async function backupOnNode(
  tools: StepTools,
  { repositoryId, work, ...task }: OnNode,
): Promise<Worked> {
  const done = await runOnNode(tools, {
    ...task,
    // Opened anew for each attempt, so that no journal contains credentials.
    work: async () => {
      if (repositoryId === undefined) return taskOf(work as BackupWork)
      const given = { nodeId: task.nodeId, access: accessOf(work.do) }
      const repository = await asFailure(() => openRepository(tools.ctx, repositoryId, given))
      return taskOf({ ...work, repository } as BackupWork)
    },
  })
  const { db } = tools.ctx
  const repository = repositoryId === undefined ? undefined : await findRepository(db, repositoryId)
  const keeperId = repository?.storageNodeId ?? task.nodeId
  const document = done.output?.$case === 'backupResult' ? done.output.value.document : ''
  if (keeperId === task.nodeId || (work.do !== 'create' && work.do !== 'stage')) return { document }
  const ends = [task.nodeId, keeperId] as const
  const [fromId, toId] = work.do === 'create' ? ends : ([ends[1], ends[0]] as const)
  return { document, way: await tellWay(tools, done, { fromId, toId }) }
}

/** @throws {Permanent} if the node returned something else */
export function resultOf<T>(schema: z.ZodType<T>, text: string): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Permanent('node_protocol_error', 'The node told nothing usable of what it did')
}

/** The access that work needs to a repository on another node. */
const accessOf = (work: BackupWork['do']): StorageAccess =>
  work === 'create' ? 'append' : work === 'forget' || work === 'prune' ? 'delete' : 'read'

/** Retrying does not help against our own refusals, but a node that stores backups may come back. */
async function asFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message: detail } = error
    if (code === 'node_unavailable' || code === 'node_timeout')
      throw new TaskFailure({ code, detail: `${detail}.`, retryable: true })
    throw new Permanent(code, detail)
  }
}
