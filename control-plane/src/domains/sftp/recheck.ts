import type { SshConnection } from '@lodge/shared/local/ssh/connection.ts'
import type { Services } from '../../services.ts'
import { admit, standingOf } from './admission.ts'
import { type Known, wayOf } from './credentials.ts'
import { standingMarks, waysStillThere } from './store.ts'

/** Cached data, such as the list of addresses, follows the database within this time. */
const SETTLED_MS = 3_000
/** A safety net for rights that depend on something the marks do not cover. */
const LOOK_EVERY_MS = 15_000

interface Looked {
  readonly mark: string
  readonly changedMs: number
  readonly lookedMs: number
}

interface SignedIn {
  readonly connection: SshConnection<Known>
  readonly known: Known
}

/** Person and server of a connection; connections with the same ones have the same standing. */
const personOf = ({ connection, known: { admitted } }: SignedIn): string =>
  `${admitted.user.id} ${admitted.server.id} ${connection.address}`

/**
 * Ends connections whose credential or rights were withdrawn. Three statements for all connections
 * show which rights may have changed; only those are read again.
 */
export function rechecking(
  services: Services,
  connections: ReadonlySet<SshConnection<Known>>,
): () => Promise<void> {
  let looked = new Map<string, Looked>()

  async function endRemoved(open: readonly SignedIn[]): Promise<void> {
    const present = await waysStillThere(
      services.db,
      open.map(({ known }) => wayOf(known)),
    )
    for (const [index, { connection }] of open.entries()) if (!present[index]) connection.end()
  }

  /** Whether a person's rights may have changed since the last look. */
  function isDue(known: Looked | undefined, mark: string, nowMs: number): boolean {
    if (known?.mark !== mark) return true
    return nowMs - known.changedMs < SETTLED_MS || nowMs - known.lookedMs >= LOOK_EVERY_MS
  }

  async function endWithdrawn(open: readonly SignedIn[]): Promise<void> {
    const groups = [...Map.groupBy(open, personOf)]
    const about = groups.flatMap(([, [first]]) => (first ? [aboutOf(first)] : []))
    const marks = await standingMarks(services.db, about)
    const nowMs = performance.now()
    const next = new Map<string, Looked>()
    await Promise.all(
      groups.map(async ([person, group], index) => {
        const mark = marks[index] ?? ''
        const known = looked.get(person)
        const isNew = known?.mark !== mark
        const due = isDue(known, mark, nowMs)
        const whom = about[index]
        if (due && whom) {
          const now = standingOf(await admit(services, whom))
          for (const { connection, known } of group)
            if (standingOf(known.admitted) !== now) connection.end()
        }
        next.set(person, {
          mark,
          changedMs: isNew ? nowMs : known.changedMs,
          lookedMs: due ? nowMs : (known?.lookedMs ?? nowMs),
        })
      }),
    )
    looked = next
  }

  return async () => {
    const open = [...connections].flatMap((connection) =>
      connection.known ? [{ connection, known: connection.known }] : [],
    )
    if (open.length > 0) await Promise.all([endRemoved(open), endWithdrawn(open)])
    for (const connection of connections) connection.endIfIdle()
  }
}

const aboutOf = ({ connection, known: { admitted } }: SignedIn) => ({
  userId: admitted.user.id,
  serverId: admitted.server.id,
  address: connection.address,
})
