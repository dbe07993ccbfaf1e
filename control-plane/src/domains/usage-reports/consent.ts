import { randomUUID } from 'node:crypto'
import {
  USAGE_NOTICE_VERSION,
  type UsageConfig,
  type UsageConsent,
} from '@lodge/shared/usage-reports.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { changeUsage, disconnected } from './stored.ts'

/**
 * Agrees to the current notice, or withdraws, which immediately deletes the token and waiting
 * reports.
 */
export async function decide(ctx: Ctx<User>, { consent, noticeVersion }: UsageConsent) {
  if (!consent) {
    await changeUsage(ctx, (present) => ({ ...disconnected(present), consent: null, reports: [] }))
    return
  }
  if (noticeVersion !== USAGE_NOTICE_VERSION)
    throw new Problem('notice_outdated', 'Read the notice as it is now, and agree to that one', {
      fields: { noticeVersion: USAGE_NOTICE_VERSION },
    })
  const { email } = ctx.actor
  await changeUsage(ctx, (present) => ({
    ...present,
    consent: {
      noticeVersion,
      by: email,
      at: ctx.now.toISOString(),
      installation: randomUUID(),
    },
  }))
}

/** Consent applies to one repository: another one needs new consent. */
export const configure = (ctx: Ctx<User>, config: UsageConfig) =>
  changeUsage(ctx, (present) =>
    JSON.stringify(present.config) === JSON.stringify(config)
      ? present
      : { ...disconnected(present), consent: null, config },
  )
