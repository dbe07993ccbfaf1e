import type { Services } from '../../services.ts'
import type { SshConnection } from './ssh-connection.ts'
import { presentCredentials, standingMarks } from './store.ts'

/** What is held in memory, such as the list of addresses, follows its rows within this time. */
const SETTLED_MS = 3_000
/** In case that the standing of somebody ever depends on what has no part in the marks. */
const LOOK_EVERY_MS = 15_000

interface Looked {
  readonly mark: string
  readonly changedMs: number
  readonly lookedMs: number
}

/**
 * Ends connections whose credential or rights were withdrawn. Three statements for all of them tell
 * what may have changed; only for those are the rights read again.
 */
export function rechecking(
  services: Services,
  connections: ReadonlySet<SshConnection>,
): () => Promise<void> {
  let looked = new Map<string, Looked>()

  async function endRemoved(open: readonly SshConnection[]): Promise<void> {
    const [keys, passwords] = await Promise.all(
      (['key', 'password'] as const).map((kind) =>
        presentCredentials(
          services.db,
          kind,
          open.flatMap(({ credential }) => (credential?.kind === kind ? credential.id : [])),
        ),
      ),
    )
    for (const connection of open) {
      const id = connection.credential?.id ?? ''
      if (!keys?.has(id) && !passwords?.has(id)) connection.end()
    }
  }

  /** Whether the rights of a person may be others than at the last look. */
  function isDue(known: Looked | undefined, mark: string, nowMs: number): boolean {
    if (known?.mark !== mark) return true
    return nowMs - known.changedMs < SETTLED_MS || nowMs - known.lookedMs >= LOOK_EVERY_MS
  }

  async function endWithdrawn(open: readonly SshConnection[]): Promise<void> {
    const groups = [...Map.groupBy(open, ({ person }) => person)]
    const marks = await standingMarks(
      services.db,
      groups.flatMap(([, [first]]) => first?.about ?? []),
    )
    const nowMs = performance.now()
    const next = new Map<string, Looked>()
    await Promise.all(
      groups.map(async ([person, group], index) => {
        const mark = marks[index] ?? ''
        const known = looked.get(person)
        const isNew = known?.mark !== mark
        const due = isDue(known, mark, nowMs)
        if (due) {
          const standing = await group[0]?.standing()
          for (const connection of group) if (standing !== connection.admittedWith) connection.end()
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
    const open = [...connections].filter(({ credential }) => credential !== undefined)
    if (open.length > 0) await Promise.all([endRemoved(open), endWithdrawn(open)])
    for (const connection of connections) connection.endIfIdle()
  }
}
