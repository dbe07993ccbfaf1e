import {
  type Ask,
  type Decision,
  decide,
  mayServeThemselves,
  type Violation,
} from '@lodge/shared/limits/check.ts'
import { effective } from '@lodge/shared/limits/effective.ts'
import type { ListKey } from '@lodge/shared/limits/keys.ts'
import type { Ctx } from '../../context.ts'
import { authorityOf } from '../../jobs/board/authority.ts'
import { Problem } from '../../problem.ts'
import type { UserRow } from '../customers/index.ts'
import { reportExceeded } from './exceeded.ts'
import { asksOfPlan, decideByPlan } from './plan-server.ts'
import { planTermsOf } from './plan-server-store.ts'
import { standingOf } from './standing.ts'
import type { Usage } from './usage-store.ts'

/** An owner's limits and usage, read once for all checks of a transaction. */
export interface Quota {
  /** @throws {Problem} naming the exceeded limit; violations that are tolerated are reported */
  require(asks: Asks, options?: AskOptions): Promise<void>
  /**
   * Like `require`, for what is postponed rather than refused if it does not fit.
   * @returns whether it may be taken now
   */
  admits(asks: Asks, options?: AskOptions): Promise<boolean>
  /** Whether something fits; takes nothing and reports nothing. */
  has(asks: Asks, options?: Pick<AskOptions, 'of'>): boolean
  /** The values a list limit allows, and whether others are refused. */
  listed(
    key: ListKey,
    options?: AskOptions,
  ): { readonly values: readonly string[]; readonly binds: boolean } | undefined
}
type Asks = (usage: Usage) => readonly Ask[]
interface AskOptions {
  readonly force?: boolean | undefined
  readonly selfService?: boolean
  /**
   * The server concerned, without an id while it is made: one that came with a plan is bound by what the plan
   * includes, not by these limits.
   */
  readonly of?: { readonly id?: string; readonly subscriptionId: string | null }
}

/**
 * The caller has locked the owner's row (`lockOwner`), so nothing changes between check and use.
 */
export async function quotaOf(ctx: Ctx, owner: UserRow): Promise<Quota> {
  // An administrator's servers belong to the host and are not limited.
  if (owner.role === 'admin')
    return {
      require: async (_, options) => checkForce(ctx, options),
      admits: async (_, options) => {
        checkForce(ctx, options)
        return true
      },
      has: () => true,
      listed: () => undefined,
    }
  const { settings, layers, usage } = await standingOf(ctx.db, owner)
  const askerWith = (force: boolean) => ({ actor: authorityOf(ctx.actor).as, force })
  const decisionOn = (asks: Asks, force: boolean) =>
    decide(settings, layers, asks(usage), askerWith(force))
  const cameWithPlan = ({ of }: Pick<AskOptions, 'of'>) =>
    of !== undefined && of.subscriptionId !== null
  const decisionByPlan = async (asks: Asks, { of, force }: AskOptions): Promise<Decision> => {
    const concerned = asksOfPlan(asks(usage))
    const terms =
      of?.id === undefined || concerned.length === 0 ? undefined : await planTermsOf(ctx.db, of.id)
    return terms
      ? decideByPlan(settings, terms, concerned, askerWith(force === true))
      : { allowed: true, forced: [], warned: [] }
  }
  /** Reports violations that were tolerated. */
  const reportViolations = async ({ forced, warned }: Extract<Decision, { allowed: true }>) => {
    for (const { key, message } of forced)
      await ctx.emit('limit.forced', { userId: owner.id, limit: key, message })
    for (const violation of warned)
      await reportExceeded(ctx, owner, violation, settings.notifyCustomers)
  }
  return {
    async require(asks, options = {}) {
      checkForce(ctx, options)
      const byPlan = cameWithPlan(options)
      if (!byPlan && options.selfService && !mayServeThemselves(settings, layers)) {
        throw new Problem(
          'grant_required',
          'A plan that allows creating servers is required: choose one or ask the host',
        )
      }
      const decision = byPlan
        ? await decisionByPlan(asks, options)
        : decisionOn(asks, options.force === true)
      if (!decision.allowed) throw refusal(decision.violations)
      await reportViolations(decision)
    },
    async admits(asks, options = {}) {
      checkForce(ctx, options)
      const decision = cameWithPlan(options)
        ? await decisionByPlan(asks, options)
        : decisionOn(asks, options.force === true)
      if (decision.allowed) await reportViolations(decision)
      return decision.allowed
    },
    has: (asks, options = {}) => cameWithPlan(options) || decisionOn(asks, false).allowed,
    listed(key, options = {}) {
      if (!settings.useLimits || cameWithPlan(options)) return undefined
      const { value } = effective(key, layers)
      if (value === 'unlimited') return undefined
      const other = () => [{ list: key, wanted: '' }]
      return { values: value, binds: !decisionOn(other, options.force === true).allowed }
    },
  }
}

/**
 * Refuses what would exceed the owner's limits. Everything that creates or enlarges uses this
 * check: the caller locks the owner's row (`lockOwner`), so two requests cannot both use the last
 * of a limit, and makes the change in the same transaction.
 * @param asks what is requested, given the owner's current usage
 */
export async function requireQuota(
  ctx: Ctx,
  owner: UserRow,
  asks: Asks,
  options: AskOptions = {},
): Promise<void> {
  const quota = await quotaOf(ctx, owner)
  await quota.require(asks, options)
}

function checkForce(ctx: Ctx, options: AskOptions = {}): void {
  if (!options.force) return
  // For a saga, the rights of the person who started it.
  if (authorityOf(ctx.actor).mayForceLimits) return
  throw new Problem(
    'permission_required',
    'Exceeding limits needs the permission servers.force_limits',
    {
      fields: { permission: 'servers.force_limits' },
    },
  )
}

function refusal(violations: readonly Violation[]): Problem {
  const [first] = violations
  if (!first) throw new Error('a refusal has at least one violation')
  const { key, value, used, requested } = first
  return new Problem(first.code, first.message, {
    fields: { limit: { name: key, max: value, used, requested, origin: first.origin }, violations },
  })
}
