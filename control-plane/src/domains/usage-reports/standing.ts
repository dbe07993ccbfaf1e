import {
  type StoredUsage,
  USAGE_NOTICE_VERSION,
  type USAGE_STATES,
  type UsageStanding,
} from '@lodge/shared/usage-reports.ts'
import type { Ctx } from '../../context.ts'
import { makeReport } from './report.ts'
import { readUsage } from './stored.ts'

/** Whether somebody has agreed to the current notice. */
export const isAgreed = ({ consent }: StoredUsage): boolean =>
  consent?.noticeVersion === USAGE_NOTICE_VERSION

const isOpen = ({ challenge }: StoredUsage, now: Date): boolean =>
  challenge !== null && Date.parse(challenge.expiresAt) > now.getTime()

function stateOf(stored: StoredUsage, now: Date): (typeof USAGE_STATES)[number] {
  if (!isAgreed(stored)) return 'off'
  if (stored.revoked) return 'revoked'
  if (stored.connection) return stored.failure === null ? 'connected' : 'error'
  return isOpen(stored, now) ? 'connecting' : 'consented'
}

/** The state of usage reports, with the report that would be sent now. */
export async function showStanding(ctx: Ctx): Promise<UsageStanding> {
  const stored = await readUsage(ctx.db)
  const { config, consent, challenge, connection, failure, nextReportAt, reports } = stored
  // A placeholder before anybody has agreed.
  const installation = consent?.installation ?? '00000000-0000-4000-8000-000000000000'
  return {
    state: stateOf(stored, ctx.now),
    noticeVersion: USAGE_NOTICE_VERSION,
    consent: consent && { noticeVersion: consent.noticeVersion, by: consent.by, at: consent.at },
    config,
    account: connection?.account ?? null,
    challenge: challenge && isOpen(stored, ctx.now) ? publicPart(challenge) : null,
    failure,
    nextReportAt: isAgreed(stored) ? nextReportAt : null,
    preview: await makeReport(ctx, installation),
    reports,
  }
}

/** The part of a challenge that a person may see. */
export const publicPart = ({
  userCode,
  verificationUri,
  expiresAt,
  intervalSeconds,
}: NonNullable<StoredUsage['challenge']>) => ({
  userCode,
  verificationUri,
  expiresAt,
  intervalSeconds,
})
