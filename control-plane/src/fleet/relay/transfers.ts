import { Problem } from '../../problem.ts'
import type { FleetOptions } from '../options.ts'
import { isMatched, type Opened, type RelayMatch } from './match.ts'

/** Whose request to a node's service it is. */
export interface Transfer extends Opened {
  /** Kind of the relay, which names the service. */
  readonly kind: string
  /** Whether it changes something on the node. */
  readonly writes: boolean
  /** May take long; the others answer at once. */
  readonly long: boolean
}

export interface OpenTransfer extends Transfer {
  readonly id: string
}

interface Entry {
  readonly transfer: OpenTransfer
  readonly ended: AbortController
  /** Lets a transfer that waits for its turn begin. */
  readonly begin: PromiseWithResolvers<void>
  waiting: boolean
}

/** A transfer that has its place. */
export interface Place {
  /** Aborted with a `Problem` when a permission is withdrawn. */
  readonly signal: AbortSignal
  /** Frees the place. */
  leave(): void
}

/** How long a transfer waits for its place before the caller is told to come back. */
const PATIENCE_MS = 30_000

/**
 * The requests to services of nodes that this instance carries. Those of one server wait their turn
 * for its connections, one of which is never given to a long one, so that a listing does not wait
 * for downloads.
 */
export function createTransfers(
  options: Pick<FleetOptions, 'connectionsPerServer' | 'transfersPerUser' | 'transfersPerServer'>,
) {
  const entries = new Set<Entry>()
  const counted = (matches: (entry: Entry) => boolean) => [...entries].filter(matches).length

  function requireRoom({ userKey, serverId, long }: Transfer): void {
    const alike = (entry: Entry) => isLong(entry) === long
    const ofUser = counted((one) => alike(one) && one.transfer.userKey === userKey)
    const ofServer = counted((one) => alike(one) && one.transfer.serverId === serverId)
    if (ofUser < options.transfersPerUser && ofServer < options.transfersPerServer) return
    const mine = ofUser >= options.transfersPerUser
    throw new Problem(
      'too_many_transfers',
      mine
        ? `You have ${ofUser} transfers under way: wait for one of them to end`
        : `This server has ${ofServer} transfers under way: try again in a moment`,
      { retryAfterSeconds: 5 },
    )
  }

  /** Gives free places to those that wait, the oldest first. */
  function advance(serverId: string): void {
    const ofServer = [...entries].filter(({ transfer }) => transfer.serverId === serverId)
    const running = ofServer.filter(({ waiting }) => !waiting)
    let free = options.connectionsPerServer - running.length
    let freeForLong = options.connectionsPerServer - 1 - running.filter(isLong).length
    for (const entry of ofServer) {
      const long = isLong(entry)
      if (!entry.waiting || free <= 0 || (long && freeForLong <= 0)) continue
      entry.waiting = false
      entry.begin.resolve()
      free -= 1
      if (long) freeForLong -= 1
    }
  }

  /**
   * @param gone aborted when the caller leaves
   * @throws {Problem} too_many_transfers
   */
  async function enter(transfer: Transfer, gone: AbortSignal): Promise<Place> {
    requireRoom(transfer)
    const entry: Entry = {
      transfer: { ...transfer, id: crypto.randomUUID() },
      ended: new AbortController(),
      begin: Promise.withResolvers<void>(),
      waiting: true,
    }
    entries.add(entry)
    const signal = AbortSignal.any([entry.ended.signal, gone])
    const leave = () => {
      if (entries.delete(entry)) advance(transfer.serverId)
    }
    advance(transfer.serverId)
    const giveUp = () => entry.begin.reject(signal.reason)
    const timer = setTimeout(
      () =>
        entry.begin.reject(
          new Problem('too_many_transfers', 'Other transfers of this server took too long', {
            retryAfterSeconds: 15,
          }),
        ),
      PATIENCE_MS,
    )
    signal.addEventListener('abort', giveUp)
    try {
      signal.throwIfAborted()
      await entry.begin.promise
      return { signal, leave }
    } catch (error) {
      leave()
      throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  const end = (found: readonly Entry[]) => {
    const reason = new Problem('forbidden', 'The permission was withdrawn')
    for (const { ended } of found) ended.abort(reason)
    return found.length
  }

  return {
    enter,
    list: (): readonly OpenTransfer[] => [...entries].map(({ transfer }) => transfer),
    close: (match: RelayMatch): number =>
      end([...entries].filter(({ transfer }) => isMatched(transfer, match))),
    closeOne: (id: string) => end([...entries].filter(({ transfer }) => transfer.id === id)),
    stop: () => void end([...entries]),
  }
}

const isLong = ({ transfer }: Entry): boolean => transfer.long

export type Transfers = ReturnType<typeof createTransfers>
