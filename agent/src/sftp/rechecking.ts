import type { SshConnection } from '@lodge/shared/local/ssh/connection.ts'
import { MOST_STANDINGS } from '@lodge/shared/sftp-nodes.ts'
import type { Logger } from 'pino'
import type { SftpJudge } from './control-plane.ts'
import { aboutOf, type Guest } from './gate.ts'

/** Leaves a busy control plane more than a second to answer in, before two are over. */
const LOOK_MS = 700
/** Without an answer for this long, nobody knows whether a right was withdrawn: the connection ends. */
const BLIND_MS = 5_000
/** A control plane's memory follows its database within this time. */
const SETTLED_MS = 3_000
/** Everything is checked anew this often, in case a standing depends on something that the marks miss. */
const LOOK_WHOLLY_MS = 15_000

interface Seated {
  readonly connection: SshConnection<Guest>
  readonly guest: Guest
}

/**
 * Ends the connections whose credential or rights were withdrawn, within two seconds. Many are asked
 * about in several questions: one that is not answered holds up those whom it is about, and nobody else.
 * @returns stops looking
 */
export function recheckGuests(
  judge: SftpJudge,
  connections: () => ReadonlySet<SshConnection<Guest>>,
  log: Logger,
): () => void {
  const asking = new Set<Guest>()

  async function look(part: readonly Seated[]): Promise<void> {
    const askedMs = performance.now()
    const answers = await judge.standings(
      part.map(({ connection, guest }) => ({
        ...aboutOf(guest, connection.address),
        mark: isDue(guest, askedMs) ? null : guest.mark,
      })),
    )
    for (const [index, { connection, guest }] of part.entries()) {
      const answer = answers[index]
      guest.heardMs = askedMs
      if (answer?.now === 'same') continue
      if (answer?.now !== 'admitted' || answer.standing !== guest.admission.standing)
        connection.end()
      else {
        if (answer.mark !== guest.mark) guest.changedMs = askedMs
        guest.mark = answer.mark
        guest.lookedMs = askedMs
      }
    }
  }

  function endUnheard(part: readonly Seated[], error: unknown): void {
    const nowMs = performance.now()
    const unheard = part.filter(({ guest }) => nowMs - guest.heardMs >= BLIND_MS)
    if (unheard.length === 0) return
    const count = unheard.length
    log.warn({ err: error, count }, 'SFTP connections end: the control plane cannot be asked')
    for (const { connection } of unheard) connection.end()
  }

  const timer = setInterval(() => {
    const all = [...connections()]
    for (const connection of all) connection.endIfIdle()
    const seated = all.flatMap((connection): Seated[] => {
      const guest = connection.known
      return guest && !asking.has(guest) ? [{ connection, guest }] : []
    })
    for (let from = 0; from < seated.length; from += MOST_STANDINGS) {
      const part = seated.slice(from, from + MOST_STANDINGS)
      for (const { guest } of part) asking.add(guest)
      look(part)
        .catch((error: unknown) => endUnheard(part, error))
        .finally(() => {
          for (const { guest } of part) asking.delete(guest)
        })
    }
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const isDue = ({ changedMs, lookedMs }: Guest, nowMs: number): boolean =>
  nowMs - changedMs < SETTLED_MS || nowMs - lookedMs >= LOOK_WHOLLY_MS
