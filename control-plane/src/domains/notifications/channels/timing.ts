import { nextOccurrence } from '@lodge/shared/cron/occurrences.ts'
import { wallOf } from '@lodge/shared/cron/wall-clock.ts'
import type { Digest, QuietHours } from '@lodge/shared/notification-channels.ts'
import type { NoticeType } from '../../../events/notices.ts'

const MINUTE = 60
const HOUR = 3600
/** Delay after each attempt but the last (Standard Webhooks, deliverability). */
export const RETRY_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const
/** Receivers that fail together are not called together again. */
const JITTER = 0.1
/** A receiver may ask for a longer delay, up to this. */
const LONGEST_SECONDS = 24 * HOUR
/** A channel that fails for so long is disabled. */
export const GIVE_UP_DAYS = 3

/**
 * When to try again after a failed attempt; undefined after the last one.
 * @param attempts how many were made
 * @param random between 0 and 1
 */
export function nextAttempt(
  attempts: number,
  now: Date,
  retryAfterSeconds: number | undefined,
  random: number,
): Date | undefined {
  const step = RETRY_SECONDS[attempts - 1]
  if (step === undefined) return undefined
  const wanted = Math.min(retryAfterSeconds ?? 0, LONGEST_SECONDS)
  const seconds = Math.max(step * (1 + JITTER * random), wanted)
  return new Date(now.getTime() + Math.ceil(seconds * 1000))
}

/** The delay of a `Retry-After` header in seconds or as a date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d+(\.\d+)?$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - now.getTime()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** Quiet hours and digest of a channel. */
export interface Waiting {
  readonly quiet: QuietHours | null
  readonly digest: Digest | null
  readonly errorsAtOnce: boolean
}

/** When a message that waits is sent together with others; undefined if it does not wait. */
export function heldUntil(
  { quiet, digest, errorsAtOnce }: Waiting,
  severity: NoticeType['severity'],
  zone: string,
  now: Date,
): Date | undefined {
  if (errorsAtOnce && severity === 'error') return undefined
  if (digest) {
    const cron = `0 ${digest.hour} * * ${digest.every === 'week' ? '1' : '*'}`
    return nextOccurrence({ cron, zone }, now) ?? undefined
  }
  if (!quiet || !isQuiet(quiet, zone, now)) return undefined
  const [hours = '0', minutes = '0'] = quiet.to.split(':')
  return (
    nextOccurrence({ cron: `${Number(minutes)} ${Number(hours)} * * *`, zone }, now) ?? undefined
  )
}

/** Whether a time is between these hours, which may include midnight. */
function isQuiet({ from, to }: QuietHours, zone: string, now: Date): boolean {
  const at = new Date(wallOf(zone, now.getTime())).toISOString().slice(11, 16)
  return from <= to ? from <= at && at < to : at >= from || at < to
}
