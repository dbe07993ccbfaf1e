import {
  afterOpenTime,
  type Calendar,
  openTimeBetween,
} from '@lodge/shared/support/hours/open-time.ts'
import type { Goals } from '@lodge/shared/support/tiers.ts'

const MINUTE_MS = 60_000
/** The part of a goal after which people are warned. */
const WARNED_AT = 0.75

/** What happened on a ticket that its clocks care about, in order. */
export type Fact =
  | { readonly atMs: number; readonly what: 'customer_message' }
  /** A public reply that a person wrote: an automatic one answers nobody. */
  | { readonly atMs: number; readonly what: 'agent_reply' }
  | { readonly atMs: number; readonly what: 'state'; readonly state: State }

/** `waiting` is a ticket that is pending, on hold or snoozed. */
export type State = 'running' | 'waiting' | 'solved'

/** One goal of a ticket. */
export interface Clock {
  /** From when it counts; null while it does not. */
  readonly sinceMs: number | null
  /** When people are warned of it, like the target. */
  readonly warnAtMs: number | null
  /** When the goal is reached at the present pace; null without a goal and while the clock rests. */
  readonly targetAtMs: number | null
  readonly metAtMs: number | null
  readonly warned: boolean
  readonly breached: boolean
  /** Real time for which the clock has rested. */
  readonly pausedMs: number
}

/** The three clocks of a ticket. */
export interface Clocks {
  readonly first: Clock
  readonly next: Clock
  readonly resolution: Clock
  /** Since when the clock of the resolution rests because the ticket waits. */
  readonly waitingSinceMs: number | null
}

const STOPPED: Clock = {
  sinceMs: null,
  warnAtMs: null,
  targetAtMs: null,
  metAtMs: null,
  warned: false,
  breached: false,
  pausedMs: 0,
}

interface Given {
  readonly createdAtMs: number
  readonly facts: readonly Fact[]
  readonly goals: Goals
  readonly calendar: Calendar
  readonly nowMs: number
}

/**
 * The clocks of a ticket, computed from its whole history, so that a changed tier, priority or holiday
 * needs nothing but this again.
 */
export function clocksOf(given: Given): Clocks {
  const { createdAtMs, facts, goals, calendar } = given
  const replied = facts.find(({ what }) => what === 'agent_reply')?.atMs
  // A ticket that was solved without an answer has nobody left who waits for the first one.
  const solved = isSolved(facts) ? lastStateAt(facts) : undefined
  return {
    first: answered(given, goals.firstResponseMin, createdAtMs, replied, solved),
    next: nextResponse(given, replied),
    resolution: resolution(facts, goals.resolutionMin, calendar, given),
    waitingSinceMs: lastState(facts)?.state === 'waiting' ? (lastStateAt(facts) ?? null) : null,
  }
}

/** A goal that begins at one instant and ends with an answer, whatever the ticket's status meanwhile. */
function answered(
  { calendar, nowMs }: Given,
  minutes: number | null,
  fromMs: number,
  metAtMs: number | undefined,
  endedAtMs?: number,
): Clock {
  const stopped = { ...STOPPED, sinceMs: fromMs, metAtMs: metAtMs ?? null }
  if (minutes === null) return stopped
  const goalMs = minutes * MINUTE_MS
  const targetAtMs = afterOpenTime(calendar, fromMs, goalMs)
  if (targetAtMs === undefined) return stopped
  const untilMs = metAtMs ?? endedAtMs ?? nowMs
  const warnAtMs = afterOpenTime(calendar, fromMs, goalMs * WARNED_AT) ?? targetAtMs
  return {
    ...{ sinceMs: fromMs, warnAtMs },
    targetAtMs: metAtMs === undefined && endedAtMs !== undefined ? null : targetAtMs,
    metAtMs: metAtMs ?? null,
    warned: untilMs >= warnAtMs,
    breached: untilMs > targetAtMs,
    pausedMs: 0,
  }
}

/** Runs from the first message that nobody answered, once the first response has been given. */
function nextResponse(given: Given, firstReplyMs: number | undefined): Clock {
  if (firstReplyMs === undefined) return STOPPED
  let waitingSinceMs: number | undefined
  let last: Clock = STOPPED
  for (const fact of given.facts) {
    if (fact.atMs < firstReplyMs) continue
    if (fact.what === 'customer_message') waitingSinceMs ??= fact.atMs
    if (fact.what === 'agent_reply') {
      if (waitingSinceMs !== undefined)
        last = answered(given, given.goals.nextResponseMin, waitingSinceMs, fact.atMs)
      waitingSinceMs = undefined
    }
    if (fact.what === 'state' && fact.state === 'solved') waitingSinceMs = undefined
  }
  if (waitingSinceMs === undefined) return last
  return answered(given, given.goals.nextResponseMin, waitingSinceMs, undefined)
}

/** Runs while the desk has to act, rests while it waits, and goes on with what was left. */
function resolution(
  facts: readonly Fact[],
  minutes: number | null,
  calendar: Calendar,
  { createdAtMs, nowMs }: Given,
): Clock {
  if (minutes === null) return STOPPED
  const goalMs = minutes * MINUTE_MS
  let state: State = 'running'
  let sinceMs = createdAtMs
  let [spentMs, pausedMs] = [0, 0]
  // A goal that was missed keeps its instant, also after the ticket has rested and gone on.
  let missedAtMs: number | undefined
  const pass = (untilMs: number) => {
    if (state === 'running') {
      const leftMs = goalMs - spentMs
      spentMs += openTimeBetween(calendar, sinceMs, untilMs)
      if (spentMs > goalMs) missedAtMs ??= afterOpenTime(calendar, sinceMs, leftMs)
    } else if (state === 'waiting') pausedMs += untilMs - sinceMs
    sinceMs = untilMs
  }
  for (const fact of facts) {
    if (fact.what !== 'state' || fact.state === state) continue
    pass(fact.atMs)
    state = fact.state
  }
  const resumedMs = sinceMs
  const leftMs = Math.max(0, goalMs - spentMs)
  pass(Math.max(nowMs, sinceMs))
  const targetAtMs =
    state === 'running' ? (missedAtMs ?? afterOpenTime(calendar, resumedMs, leftMs)) : undefined
  const warnLeftMs = Math.max(0, leftMs - goalMs * (1 - WARNED_AT))
  return {
    sinceMs: createdAtMs,
    warnAtMs:
      targetAtMs === undefined ? null : (afterOpenTime(calendar, resumedMs, warnLeftMs) ?? null),
    targetAtMs: targetAtMs ?? null,
    metAtMs: state === 'solved' ? (lastStateAt(facts) ?? null) : null,
    warned: spentMs >= goalMs * WARNED_AT,
    breached: spentMs > goalMs,
    pausedMs,
  }
}

const lastState = (facts: readonly Fact[]) => {
  const states = facts.filter((fact) => fact.what === 'state')
  const end = states.at(-1)
  // The instant at which the present state began, not the last time that somebody confirmed it.
  return states.findLast(
    ({ state }, index) => state === end?.state && states[index - 1]?.state !== state,
  )
}

const isSolved = (facts: readonly Fact[]): boolean => lastState(facts)?.state === 'solved'
const lastStateAt = (facts: readonly Fact[]): number | undefined => lastState(facts)?.atMs
