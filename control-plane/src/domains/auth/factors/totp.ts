import { generateSecret, generateURI, verify } from 'otplib'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { lockOwner } from '../../customers/index.ts'
import { panelName } from '../questions.ts'
import { proveSession } from '../store.ts'
import * as store from './factor-store.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'

const STEP_SECONDS = 30

const place = (userId: string) => ({ table: 'totp_factors', id: userId, column: 'secret' })

/** Starts setting up an authenticator; it is not required until a code confirms it. */
export async function setUpTotp(ctx: Ctx<User>): Promise<{ secret: string; uri: string }> {
  const secret = generateSecret()
  const started = await store.startTotp(
    ctx.db,
    ctx.actor.id,
    ctx.vault.seal(secret, place(ctx.actor.id)),
  )
  if (!started) {
    throw new Problem(
      'conflict',
      'The account already has an authenticator: remove it before you set up another',
    )
  }
  const issuer = await ctx.catalogue.answers.to(panelName)(ctx.db)
  return { secret, uri: generateURI({ issuer, label: ctx.actor.email, secret }) }
}

/** Confirms the set-up with a code; the account gets its recovery codes. */
export async function confirmTotp(
  ctx: Ctx<User>,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  return ctx.transaction(async (ctx) => {
    await lockOwner(ctx.db, ctx.actor.id)
    const row = await store.findTotp(ctx.db, ctx.actor.id)
    if (!row || row.confirmedAt)
      throw new Problem('invalid_state', 'Start the set-up of the authenticator first')
    if (!(await acceptCode(ctx, ctx.actor.id, code, true))) {
      throw new Problem(
        'invalid_second_factor',
        'Wrong code: check the clock of your device, then try the next code',
      )
    }
    const { id: userId, email } = ctx.actor
    const change = 'totpAdded'
    await ctx.emit('account.second_factor_changed', { userId, email, change })
    await proveSession(ctx.db, ctx.actor.sessionId)
    return { recoveryCodes: await makeRecoveryCodes(ctx, userId) }
  })
}

/** Whether a code is valid now or one step before or after, and unused. Uses it up. */
export async function acceptCode(
  ctx: Ctx,
  userId: string,
  code: string,
  confirm = false,
): Promise<boolean> {
  const row = await store.findTotp(ctx.db, userId)
  if (!row || (!confirm && !row.confirmedAt) || !/^\d{6}$/.test(code)) return false
  const epoch = Math.floor(Date.now() / 1000)
  const secret = ctx.vault.open(row.secret, place(userId))
  const result = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS })
  if (!result.valid) return false
  return store.takeTotpStep(
    ctx.db,
    userId,
    Math.floor(epoch / STEP_SECONDS) + result.delta,
    confirm,
  )
}
