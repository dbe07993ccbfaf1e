import type { UsageChallenge, UsageConfig, UsagePoll } from '@lodge/shared/usage-reports.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { askForToken, beginDevice, nameOf } from './code-host.ts'
import { isAgreed, publicPart } from './standing.ts'
import { changeUsage, placeOf, readUsage } from './stored.ts'

/** Added to the polling interval on `slow_down` (RFC 8628, 3.5). */
const SLOWER_SECONDS = 5

const later = (now: Date, seconds: number): string =>
  new Date(now.getTime() + seconds * 1000).toISOString()

/** Begins to connect; while a code is still valid, returns the same one. */
export async function connect(ctx: Ctx<User>): Promise<UsageChallenge> {
  const stored = await readUsage(ctx.db)
  if (!stored.config)
    throw new Problem('usage_not_ready', 'Say first where reports go: repository, client id, key')
  if (!isAgreed(stored))
    throw new Problem('usage_not_ready', 'Read the notice and agree to it first')
  if (stored.challenge && Date.parse(stored.challenge.expiresAt) > ctx.now.getTime())
    return publicPart(stored.challenge)
  const { config } = stored
  const code = await beginDevice(ctx, config.clientId)
  const challenge = {
    userCode: code.user_code,
    verificationUri: code.verification_uri,
    expiresAt: later(ctx.now, code.expires_in),
    intervalSeconds: code.interval,
    deviceCode: ctx.vault.seal(code.device_code, placeOf('deviceCode')).toString('base64'),
    askAgainAt: later(ctx.now, code.interval),
  }
  const kept = await changeUsage(ctx, (present) =>
    // Somebody withdrew, changed the repository or was faster meanwhile.
    isAgreed(present) && isSame(present.config, config) && !isOpen(present.challenge, ctx.now)
      ? { ...present, challenge, connection: null, revoked: false, failure: null }
      : present,
  )
  if (kept.challenge) return publicPart(kept.challenge)
  throw new Problem('usage_not_ready', 'Somebody withdrew meanwhile: agree to the notice again')
}

const isSame = (one: UsageConfig | null, other: UsageConfig) =>
  JSON.stringify(one) === JSON.stringify(other)
const isOpen = (challenge: { expiresAt: string } | null, now: Date) =>
  challenge !== null && Date.parse(challenge.expiresAt) > now.getTime()

/** Checks once with the service whether the code was entered. */
export async function poll(ctx: Ctx<User>): Promise<UsagePoll> {
  let turn: { deviceCode: string; config: UsageConfig; intervalSeconds: number } | undefined
  // Claimed before the request, so that two polls never become two requests.
  await changeUsage(ctx, (present) => {
    const { challenge, config } = present
    if (!challenge || !config || !isAgreed(present))
      throw new Problem('usage_not_ready', 'There is no code to enter: begin to connect first')
    if (Date.parse(challenge.expiresAt) <= ctx.now.getTime()) return { ...present, challenge: null }
    const waitMs = Date.parse(challenge.askAgainAt) - ctx.now.getTime()
    if (waitMs > 0)
      throw new Problem('rate_limited', 'The service wants to be asked less often', {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      })
    const { deviceCode, intervalSeconds } = challenge
    turn = { deviceCode, config, intervalSeconds }
    return { ...present, challenge: { ...challenge, askAgainAt: later(ctx.now, intervalSeconds) } }
  })
  if (!turn) return { outcome: 'expired', retryAfterSeconds: null }
  const { deviceCode, config, intervalSeconds } = turn
  const opened = ctx.vault.open(Buffer.from(deviceCode, 'base64'), placeOf('deviceCode'))
  const answer = await askForToken(ctx, config.clientId, opened)
  if ('access_token' in answer) return await connected(ctx, deviceCode, answer.access_token)
  switch (answer.error) {
    case 'authorization_pending':
      return { outcome: 'pending', retryAfterSeconds: intervalSeconds }
    case 'slow_down':
      return await slower(ctx, deviceCode, answer.interval ?? intervalSeconds + SLOWER_SECONDS)
    case 'access_denied':
      await forget(ctx, deviceCode)
      return { outcome: 'denied', retryAfterSeconds: null }
    case 'expired_token':
      await forget(ctx, deviceCode)
      return { outcome: 'expired', retryAfterSeconds: null }
    default:
      throw new Problem('usage_service_failed', `It answered “${answer.error}”`)
  }
}

async function connected(ctx: Ctx<User>, deviceCode: string, token: string): Promise<UsagePoll> {
  const account = await nameOf(ctx, token)
  const now = ctx.now.toISOString()
  const kept = await changeUsage(ctx, (present) =>
    // If somebody withdrew meanwhile, no token may be stored.
    present.challenge?.deviceCode === deviceCode && isAgreed(present)
      ? {
          ...present,
          challenge: null,
          connection: {
            token: ctx.vault.seal(token, placeOf('token')).toString('base64'),
            account,
            since: now,
          },
          failure: null,
          revoked: false,
          nextReportAt: now,
        }
      : present,
  )
  if (!kept.connection)
    throw new Problem('usage_not_ready', 'Somebody withdrew meanwhile, so nothing was connected')
  return { outcome: 'connected', retryAfterSeconds: null }
}

async function slower(ctx: Ctx<User>, deviceCode: string, seconds: number): Promise<UsagePoll> {
  await changeUsage(ctx, (present) =>
    present.challenge?.deviceCode === deviceCode
      ? {
          ...present,
          challenge: {
            ...present.challenge,
            intervalSeconds: seconds,
            askAgainAt: later(ctx.now, seconds),
          },
        }
      : present,
  )
  return { outcome: 'slow_down', retryAfterSeconds: seconds }
}

const forget = (ctx: Ctx<User>, deviceCode: string) =>
  changeUsage(ctx, (present) =>
    present.challenge?.deviceCode === deviceCode ? { ...present, challenge: null } : present,
  )
