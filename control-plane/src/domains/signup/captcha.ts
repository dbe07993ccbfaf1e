import { type EgressOptions, postForm } from '@lodge/shared/egress/egress.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { openCaptchaSecret, type SignupSettings } from './settings.ts'

const ADDRESSES = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const

const Verdict = z.looseObject({ success: z.boolean() })

/** Asks a provider whether a response to its puzzle is right. */
export async function isSolved(
  address: string,
  given: { secret: string; response: string; remoteAddress: string },
  options: EgressOptions = {},
): Promise<boolean> {
  const { secret, response, remoteAddress: remoteip } = given
  const reply = await postForm(address, { secret, response, remoteip }, options)
  if (reply.status !== 200) throw new Error(`the provider answered ${reply.status}`)
  return Verdict.parse(JSON.parse(reply.text)).success
}

/** Refuses whoever has not solved the puzzle, where one is asked for. */
export async function requireCaptcha(
  ctx: Ctx,
  { captcha }: SignupSettings,
  response: string | undefined,
  remoteAddress: string,
): Promise<void> {
  if (captcha.provider === 'off') return
  if (!response) throw failed('Solve the check for robots first')
  const secret = captcha.secret === null ? '' : openCaptchaSecret(ctx.vault, captcha.secret)
  let solved: boolean
  try {
    solved = await isSolved(ADDRESSES[captcha.provider], { secret, response, remoteAddress })
  } catch (error) {
    ctx.log.warn({ err: error, provider: captcha.provider }, 'captcha could not be checked')
    throw failed('The check for robots cannot be reached: try again in a moment')
  }
  if (!solved) throw failed('The check for robots was not passed: solve it again')
}

const failed = (detail: string) => new Problem('captcha_failed', detail)
