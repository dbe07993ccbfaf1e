import {
  APPEAL_MOVES,
  type Appeal,
  type AppealMove,
  type AppealState,
  DAYS_BETWEEN_APPEALS,
  isDecided,
  MAX_APPEALS,
  type SuspensionOptions,
  type SuspensionSettings,
} from '@lodge/shared/suspensions.ts'
import { Problem } from '../../../problem.ts'

const DAY_MS = 86_400_000

export interface AppealStanding {
  readonly possible: boolean
  readonly whyNot: string | null
  readonly from: string | null
}

/** Whether a suspended person may open an appeal now. */
export function standingOf(
  { options, startedAt }: { readonly options: SuspensionOptions; readonly startedAt: Date },
  appeals: readonly Pick<Appeal, 'state' | 'decidedAt'>[],
  { appealEnabled, appealWindowDays }: SuspensionSettings,
  now: Date,
): AppealStanding {
  if (!appealEnabled || !options.allowAppeal) return no('This suspension cannot be appealed')
  if (appeals.some(({ state }) => !isDecided(state)))
    return no('Your appeal is open: reply in it instead')
  const rejected = appeals.filter(({ state }) => state === 'rejected')
  if (rejected.length >= MAX_APPEALS)
    return no(`${MAX_APPEALS} appeals were rejected: no further one is possible`)
  if (now.getTime() >= startedAt.getTime() + appealWindowDays * DAY_MS)
    return no(`Appeals were possible within ${appealWindowDays} days`)
  const last = Math.max(...rejected.map(({ decidedAt }) => Date.parse(decidedAt ?? '')))
  const from = new Date(last + DAYS_BETWEEN_APPEALS * DAY_MS)
  if (rejected.length > 0 && now < from)
    return no(
      `An appeal was rejected: the next is possible ${DAYS_BETWEEN_APPEALS} days later`,
      from,
    )
  return { possible: true, whyNot: null, from: null }
}

const no = (whyNot: string, from?: Date): AppealStanding => ({
  possible: false,
  whyNot,
  from: from?.toISOString() ?? null,
})

/**
 * The state that a move leads to.
 * @throws {Problem} invalid_state
 */
export function moved(state: AppealState, move: AppealMove): AppealState {
  const next = APPEAL_MOVES[state][move]
  if (next) return next
  throw new Problem('invalid_state', `The appeal is over: it was ${state}`)
}
