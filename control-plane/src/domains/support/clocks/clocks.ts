import {
  afterOpenTime,
  type Calendar,
  openTimeBetween,
} from '@lodge/shared/support/hours/open-time.ts'
import type { Goals } from '@lodge/shared/support/tiers.ts'

const MINUTE_MS = 60_000
/** The fraction of a goal after which people are warned. */
const WARNED_AT = 0.75

/** An event in a ticket's history that its clocks depend on. */
export type Fact =
  | { readonly atMs: number; readonly what: 'customer_message' }
  /** A public reply written by a person: an automatic one does not count as an answer. */
  | { readonly atMs: number; readonly what: 'agent_reply' }
  | { readonly atMs: number; readonly what: 'state'; readonly state: State }

/** `waiting` is a ticket that is pending, on hold or snoozed. */
export type State = 'running' | 'waiting' | 'solved'

/** One goal of a ticket. */
export interface Clock {
  /** When it started; null while it has not. */
  readonly sinceMs: number | null
  /** When the warning is due; null whenever the target is. */
  readonly warnAtMs: number | null
  /** When the goal is missed unless it is met; null without a goal and while the clock is paused. */
  readonly targetAtMs: number | null
  readonly metAtMs: number | null
  readonly warned: boolean
  readonly breached: boolean
  /** Real time for which the clock has been paused. */
  readonly pausedMs: number
}

/** The three clocks of a ticket. */
export interface Clocks {
  readonly first: Clock
  readonly next: Clock
  readonly resolution: Clock
  /** Since when the resolution clock is paused because the ticket waits. */
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
 * Computes a ticket's clocks from its whole history, so that a changed tier, priority or holiday only
 * needs another call.
 */
export function clocksOf(given: Given): Clocks {
  const { createdAtMs, facts, goals, calendar } = given
  const replied = facts.find(({ what }) => what === 'agent_reply')?.atMs
  // If a ticket was solved without an answer, nobody is waiting for the first one.
  const solved = isSolved(facts) ? lastStateAt(facts) : undefined
  return {
    first: answered(given, goals.firstResponseMin, createdAtMs, replied, solved),
    next: nextResponse(given, replied),
    resolution: resolution(facts, goals.resolutionMin, calendar, given),
    waitingSinceMs: lastState(facts)?.state === 'waiting' ? (lastStateAt(facts) ?? null) : null,
  }
}

/**
 * A goal that starts at one instant and ends with an answer, whatever the ticket's status meanwhile.
 */
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

/** Runs from the first unanswered customer message after the first response. */
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

/** Runs while the desk has to act, pauses while the ticket waits, and continues with the rest. */
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
  // A missed goal keeps the instant of the breach, even if the clock pauses and continues later.
  let missedAtMs: number | undefined
  const pass = (untilMs: number) => {
    if (state === 'running') {
      // Spent time does not tell: of a goal that ends when the desk closes, it stays that of the goal
      // until the desk opens again.
      if (missedAtMs === undefined) {
        const endsAtMs = afterOpenTime(calendar, sinceMs, Math.max(0, goalMs - spentMs))
        if (endsAtMs !== undefined && untilMs > endsAtMs) missedAtMs = endsAtMs
      }
      spentMs += openTimeBetween(calendar, sinceMs, untilMs)
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
    breached: missedAtMs !== undefined,
    pausedMs,
  }
}

const lastState = (facts: readonly Fact[]) => {
  const states = facts.filter((fact) => fact.what === 'state')
  const end = states.at(-1)
  // When the present state began, rather than when it was last set again.
  return states.findLast(
    ({ state }, index) => state === end?.state && states[index - 1]?.state !== state,
  )
}

const isSolved = (facts: readonly Fact[]): boolean => lastState(facts)?.state === 'solved'
const lastStateAt = (facts: readonly Fact[]): number | undefined => lastState(facts)?.atMs
