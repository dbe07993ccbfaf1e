import type { Branding } from '@lodge/shared/branding.ts'
import type { PublicStatus } from '@lodge/shared/status.ts'
import type { LiveEvents } from '../../../live/live-events.ts'
import type { Services } from '../../../services.ts'
import { currentLook } from '../../branding/index.ts'
import { loadBoard } from './board.ts'
import type { Sent } from './send.ts'

/** How often the database is queried at most, however many people visit. */
export const FRESH_MS = 5_000
/** How long visitors wait for the database before they get what was last known. */
const PATIENCE_MS = 1_000

/** The data of the pages, as of a moment ago. */
export interface Board {
  readonly status: PublicStatus
  /** The title set by the host; empty for none. */
  readonly ownTitle: string
  readonly look: Branding
  /** Rendered pages by language and address; discarded with the board. */
  readonly rendered: Map<string, Promise<Sent>>
}

interface Kept {
  board: Board | undefined
  loadedAt: number
  loading: Promise<void> | undefined
}

const kept = new WeakMap<LiveEvents, Kept>()

/**
 * The board of this control plane; undefined while the page is off. Without the database it is what
 * was last known, with its time.
 * @throws if nothing is known yet and the database does not answer
 */
export async function currentBoard(services: Services): Promise<Board | undefined> {
  const state: Kept = kept.get(services.live) ?? {
    board: undefined,
    loadedAt: Number.NEGATIVE_INFINITY,
    loading: undefined,
  }
  kept.set(services.live, state)
  if (performance.now() - state.loadedAt < FRESH_MS) return state.board
  state.loading ??= load(services, state)
    .catch((error: unknown) => {
      if (!state.board) throw error
      // The next query comes as late as after a success, and the failure is logged once.
      state.loadedAt = performance.now()
      services.log.warn({ err: error }, 'the status page shows what was last known')
    })
    .finally(() => {
      state.loading = undefined
    })
  const { loading } = state
  if (!state.board) await loading
  else
    await Promise.race([
      loading,
      new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref()),
    ])
  return state.board
}

async function load({ db }: Services, state: Kept): Promise<void> {
  const loaded = await loadBoard(db, new Date())
  const { branding: look } = await currentLook(db)
  state.board = loaded && { ...loaded, look, rendered: new Map() }
  // A page that is off is not cached, so that it appears as soon as it is switched on.
  if (loaded) state.loadedAt = performance.now()
}
