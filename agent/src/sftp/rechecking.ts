import type { SshConnection } from '@lodge/shared/local/ssh/connection.ts'
import type { Logger } from 'pino'
import type { SftpJudge } from './control-plane.ts'
import { aboutOf, type Guest } from './gate.ts'

const LOOK_MS = 1_000
/** Without an answer for this long, nobody knows whether a right was withdrawn: all connections end. */
const BLIND_MS = 5_000
/** What a control plane holds in memory follows its rows within this time. */
const SETTLED_MS = 3_000
/** In case that the standing of somebody ever depends on what has no part in the marks. */
const LOOK_WHOLLY_MS = 15_000

interface Seated {
  readonly connection: SshConnection<Guest>
  readonly guest: Guest
}

/**
 * Ends the connections whose credential or rights were withdrawn, within a second.
 * @returns stops looking
 */
export function recheckGuests(
  judge: SftpJudge,
  connections: () => ReadonlySet<SshConnection<Guest>>,
  log: Logger,
): () => void {
  let heardMs = performance.now()
  let looking = false

  async function look(): Promise<void> {
    const all = connections()
    for (const connection of all) connection.endIfIdle()
    const seated = [...all].flatMap((connection): Seated[] =>
      connection.known ? [{ connection, guest: connection.known }] : [],
    )
    const askedMs = performance.now()
    if (seated.length > 0) {
      const answers = await judge.standings(
        seated.map(({ connection, guest }) => ({
          ...aboutOf(guest, connection.address),
          mark: isDue(guest, askedMs) ? null : guest.mark,
        })),
      )
      for (const [index, { connection, guest }] of seated.entries()) {
        const answer = answers[index]
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
    heardMs = askedMs
  }

  const timer = setInterval(() => {
    if (looking) return
    looking = true
    look()
      .catch((error: unknown) => {
        if (performance.now() - heardMs < BLIND_MS) return
        const open = [...connections()]
        if (open.length === 0) return
        log.warn({ err: error }, 'SFTP connections end: the control plane cannot be asked')
        for (const connection of open) connection.end()
      })
      .finally(() => {
        looking = false
      })
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const isDue = ({ changedMs, lookedMs }: Guest, nowMs: number): boolean =>
  nowMs - changedMs < SETTLED_MS || nowMs - lookedMs >= LOOK_WHOLLY_MS
