import { lastWords, RBD, type RbdPool, runRbd } from './rbd.ts'

/** What is wrong, and what an operator does about it. */
export interface Fault {
  readonly why: string
  readonly remedy: string
}

/** The image in a pool that has the identity of the storage whose disks are there. */
const poolMark = (pool: string, storageId: string): string => `${pool}/lodge.${storageId}`

/** A cluster that does not answer must not keep the agent. */
const ANSWERS_WITHIN_MS = 5_000

/** Marks a pool for a new storage. */
export const markPool = (pool: RbdPool, storageId: string): Promise<Fault | null> =>
  ask(pool, ['create', '--size', '1M', poolMark(pool.pool, storageId)])

export async function unmarkPool(pool: RbdPool, storageId: string): Promise<void> {
  await ask(pool, ['rm', '--no-progress', poolMark(pool.pool, storageId)])
}

/**
 * Why this node cannot use the pool that the disks of a storage are in; null if it can. A pool of another
 * cluster may have the same name, but not the mark.
 * @param marked what the mark of the storage says; undefined: its disks are files
 */
export async function whyNotItsPool(
  path: string,
  storageId: string,
  marked: string | undefined,
  pool: RbdPool | undefined,
): Promise<Fault | null> {
  if (marked === undefined)
    return pool
      ? {
          why: `The storage at ${path} was begun without an RBD pool`,
          remedy:
            'Name the pool for a new folder of the file system, and change the storage of servers to it',
        }
      : null
  if (pool?.pool !== marked)
    return {
      why: `Disks of virtual machines on ${path} are in the RBD pool ${marked}, which this node was not told of`,
      remedy: 'Name it in LODGE_AGENT_RBD_POOLS, and restart the agent',
    }
  return await ask(pool, ['info', poolMark(marked, storageId)])
}

async function ask(pool: RbdPool, args: readonly string[]): Promise<Fault | null> {
  const found = await runRbd(pool, args, { deadlineMs: ANSWERS_WITHIN_MS })
  if (found.code === 0) return null
  if (/\bENOENT$/.test(found.output.trim()))
    return {
      why: 'There is no rbd on this node',
      remedy: 'Install ceph-common and qemu-block-extra',
    }
  if (found.code === null)
    return {
      why: `The RBD pool ${pool.pool} does not answer`,
      remedy: 'Check the network to the Ceph cluster, and its health',
    }
  if (found.code === RBD.absent && args[0] === 'info')
    return {
      why: `The RBD pool ${pool.pool} is not the one with the disks: ${lastWords(found)}`,
      remedy: 'Check which cluster and pool the configuration of the agent leads to',
    }
  return {
    why: `The RBD pool ${pool.pool} cannot be used: ${lastWords(found)}`,
    remedy: 'Check the pool, the user and its key, which needs profile rbd for the pool',
  }
}
