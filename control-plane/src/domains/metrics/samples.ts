import type { NodeSample, ServerPlayers, ServerSample } from '@lodge/proto/server.ts'
import { type KnownPlayers, MAX_PLAYER_NAMES, playerName } from '@lodge/shared/players.ts'

const KEPT_MS = 24 * 3_600_000
const CLOCK_TOLERANCE_MS = 5 * 60_000
const MAX_CPU_PERCENT = 1_000_000
const MAX_BYTES = 2 ** 50
const MAX_BYTES_PER_SECOND = 1e12

const between = (value: number, most: number): boolean => value >= 0 && value <= most

/** Whether a sample may be stored: finite and within bounds. */
export function serverSampleIsSane(sample: ServerSample): boolean {
  return (
    between(sample.cpuPercent, MAX_CPU_PERCENT) &&
    between(sample.memoryBytes, MAX_BYTES) &&
    between(sample.networkRxBytesPerSecond, MAX_BYTES_PER_SECOND) &&
    between(sample.networkTxBytesPerSecond, MAX_BYTES_PER_SECOND) &&
    (sample.diskBytes === undefined || between(sample.diskBytes, MAX_BYTES))
  )
}

export function nodeSampleIsSane(sample: NodeSample): boolean {
  return (
    between(sample.cpuPercent, MAX_CPU_PERCENT) &&
    between(sample.memoryUsedBytes, MAX_BYTES) &&
    between(sample.memoryTotalBytes, MAX_BYTES) &&
    between(sample.diskUsedBytes, MAX_BYTES) &&
    between(sample.diskTotalBytes, MAX_BYTES) &&
    between(sample.cpuCores, 100_000)
  )
}

/**
 * When a sample was taken (ms since 1970), by our clock. Never later than its receipt; a node whose
 * clock is off by more than five minutes is corrected by that much. Undefined if older than samples
 * are kept.
 * @param clockAheadMs how far the node's clock was ahead of ours when it connected
 */
export function timeOf(
  at: Date | undefined,
  received: Date,
  clockAheadMs: number,
): number | undefined {
  const said = at?.getTime() ?? received.getTime()
  if (Number.isNaN(said)) return undefined
  const corrected = Math.abs(clockAheadMs) > CLOCK_TOLERANCE_MS ? said - clockAheadMs : said
  if (corrected <= received.getTime() - KEPT_MS) return undefined
  return Math.min(corrected, received.getTime())
}

const MOST_PLAYERS = 1_000_000

/**
 * The player list to store; null if implausible. The agent has checked the names, but agents are
 * not trusted.
 */
export function playersOf(reported: ServerPlayers | undefined, atMs: number): KnownPlayers | null {
  if (!reported || reported.online > MOST_PLAYERS || (reported.most ?? 0) > MOST_PLAYERS)
    return null
  const saidMs = reported.at?.getTime() ?? atMs
  if (Number.isNaN(saidMs)) return null
  return {
    // Not later than the figures it came with.
    at: new Date(Math.min(saidMs, atMs)).toISOString(),
    online: reported.online,
    most: reported.most ?? null,
    names: reported.names.slice(0, MAX_PLAYER_NAMES).map(playerName).filter(Boolean),
  }
}
