import { type EgressOptions, postForm } from '@lodge/shared/egress/egress.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { openCaptchaSecret, type SignupSettings } from './settings.ts'

type Provider = Exclude<SignupSettings['captcha']['provider'], 'off'>

const ADDRESSES: Readonly<Record<Provider, string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
}
/** A person is waiting for the response. */
const TIMEOUT_MS = 5_000
/** hCaptcha's placeholder for the host under load. */
const PLACEHOLDER_HOST = 'not-provided'

/** Both providers use this format; other fields are ignored. */
const Answer = z.looseObject({
  success: z.boolean(),
  hostname: z.string().nullish(),
  'error-codes': z.array(z.string()).nullish(),
})

/** Detail per kind of failure; the codes are the providers' published ones. */
const FAILURES = {
  used: 'The captcha was used before or is too old: solve it again',
  elsewhere: 'The captcha was solved on another site: solve the one on this page',
  unset: 'The captcha is not configured correctly: tell your host',
  away: 'The captcha cannot be reached: try again in a moment',
  unsolved: 'The captcha was not solved: try again',
} as const
export type Failure = keyof typeof FAILURES

const KINDS: Readonly<Record<string, Failure>> = {
  'timeout-or-duplicate': 'used',
  'already-seen-response': 'used',
  'expired-input-response': 'used',
  'missing-input-secret': 'unset',
  'invalid-input-secret': 'unset',
  'sitekey-secret-mismatch': 'unset',
  'bad-request': 'unset',
  'internal-error': 'away',
}

export interface Verdict {
  /** Why it failed; undefined if it passed. */
  readonly failure: Failure | undefined
  readonly codes: readonly string[]
}

/**
 * Verifies a captcha response with its provider.
 * @param hostname of the page it must have been solved on; undefined for any
 * @throws if the provider gives no verdict: a time-out or an invalid response
 */
export async function verdictOf(
  address: string,
  fields: Readonly<Record<string, string>>,
  hostname: string | undefined,
  options: EgressOptions = {},
): Promise<Verdict> {
  const reply = await postForm(address, fields, { timeoutMs: TIMEOUT_MS, ...options })
  const answer = Answer.safeParse(jsonOf(reply.text))
  if (!answer.success) throw new Error(`the provider answered ${reply.status} and no verdict`)
  const { success, hostname: solvedOn, 'error-codes': errors } = answer.data
  const codes = errors ?? []
  if (!success)
    return { failure: codes.map((code) => KINDS[code]).find(Boolean) ?? 'unsolved', codes }
  if (reply.status !== 200) throw new Error(`the provider answered ${reply.status}`)
  const isHere =
    hostname === undefined || [hostname, PLACEHOLDER_HOST].includes(solvedOn ?? PLACEHOLDER_HOST)
  return { failure: isHere ? undefined : 'elsewhere', codes }
}

/** Requires a solved captcha, if one is configured. */
export async function requireCaptcha(
  ctx: Ctx,
  { captcha }: SignupSettings,
  response: string | undefined,
  remoteAddress: string,
): Promise<void> {
  const { provider, siteKey } = captcha
  if (provider === 'off') return
  if (!response) throw failed('Solve the captcha first')
  const fields = {
    secret: captcha.secret === null ? '' : openCaptchaSecret(ctx.vault, captcha.secret),
    response,
    remoteip: remoteAddress,
    // Only hCaptcha accepts the site key, and then checks that the response belongs to that site.
    ...(provider === 'hcaptcha' && siteKey && { sitekey: siteKey }),
  }
  const address = ctx.captcha.address ?? ADDRESSES[provider]
  let verdict: Verdict
  try {
    verdict = await verdictOf(address, fields, ctx.captcha.hostname, ctx.egress)
  } catch (error) {
    ctx.log.warn({ err: error, provider }, 'could not verify a captcha')
    throw failed(FAILURES.away)
  }
  const { failure, codes } = verdict
  if (failure === undefined) return
  if (failure === 'unset' || failure === 'elsewhere')
    ctx.log.error({ provider, codes, failure }, 'the captcha is not configured correctly')
  throw failed(FAILURES[failure])
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const failed = (detail: string) => new Problem('captcha_failed', detail)
