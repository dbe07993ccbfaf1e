import type { IncomingHttpHeaders } from 'node:http'
import type { MailResult } from '@lodge/shared/support/inbound.ts'
import type { Ctx } from '../../../context.ts'
import { notFound, Problem } from '../../../problem.ts'
import { readSettings } from '../../settings/index.ts'
import { mailOfBridge } from './from-bridge.ts'
import { receiveMail } from './receive.ts'
import { inboundArea, secretsOf } from './settings.ts'
import { verifiedId } from './verify.ts'
import { receiveWhole } from './whole.ts'

/**
 * Receives a mail from the bridge. Parses nothing before the signature is verified.
 * @throws {Problem} not_found while it is off, signature_invalid, validation_failed, sender_unchecked
 */
export async function receiveFromBridge(
  ctx: Ctx,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<MailResult> {
  const stored = await readSettings(ctx.db, inboundArea)
  const { enabled, address, opensTickets } = stored
  if (!enabled || address === null) throw notFound('inbox')
  const deliveryId = verifiedId({ headers, body, secrets: secretsOf(ctx, stored), now: ctx.now })
  if (deliveryId === undefined)
    throw new Problem(
      'signature_invalid',
      'Sign the message with the present secret of the bridge, and check its clock',
    )
  const isWhole = headers['content-type']?.trim().toLowerCase().startsWith('message/rfc822')
  const arrival = { address, opensTickets, deliveryId }
  if (isWhole) return receiveWhole(ctx, { ...arrival, raw: body, envelope: undefined })
  return receiveMail(ctx, { ...arrival, mail: mailOfBridge(body) })
}
