import { createHash, randomUUIDv7 } from 'node:crypto'
import type { Anyone, User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { take } from '../../http/throttle.ts'
import { languageOf, readerOf } from '../../moment-text.ts'
import { Problem } from '../../problem.ts'
import {
  authBudgets,
  deleteAccountTokens,
  invalidLink,
  issueAccountToken,
  peekAccountToken,
  redeemAccountToken,
} from '../auth/index.ts'
import {
  findUserByEmail,
  hashPassword,
  insertUser,
  isReserved,
  type UserRow,
  updateUser,
} from '../customers/index.ts'
import { queueMail } from '../email/index.ts'
import { startSubscription } from '../plans/index.ts'
import { requireCaptcha } from './captcha.ts'
import { verifyEmail } from './mails.ts'
import { signupSettings } from './settings.ts'
import * as store from './store.ts'

export const codeHashOf = (code: string): Buffer =>
  createHash('sha256').update(code.trim().toLowerCase()).digest()

/**
 * Records a sign-up. It does not check whether the address is taken, so neither the response nor
 * its timing reveals it; `processRequests` creates the account shortly after.
 */
export async function register(
  ctx: Ctx<Anyone | User>,
  given: {
    email: string
    password: string
    acceptTerms?: boolean | undefined
    captcha?: string | undefined
    inviteCode?: string | undefined
  },
): Promise<void> {
  const settings = await signupSettings(ctx.db)
  if (settings.mode === 'closed')
    throw new Problem('invalid_state', 'Sign-up is closed: ask the host for an account')
  if (settings.terms.required && given.acceptTerms !== true)
    throw new Problem('confirmation_required', 'Accept the terms to sign up')
  await requireCaptcha(ctx, settings, given.captcha, ctx.actor.address)
  if (settings.mode === 'invitation' && !given.inviteCode)
    throw new Problem('invalid_token', 'Sign-up needs an invitation code')
  const passwordHash = await hashPassword(given.password)
  await ctx.transaction(async (ctx) => {
    const inviteId = given.inviteCode ? await useInvite(ctx, given.inviteCode, given.email) : null
    const id = randomUUIDv7()
    const { email } = given
    await store.insertRequest(ctx.db, {
      ...{ id, kind: 'register', email, passwordHash, inviteId },
      language: ctx.language ?? null,
    })
  })
}

async function useInvite(ctx: Ctx, code: string, email: string): Promise<string> {
  const invite = await store.takeInvite(ctx.db, codeHashOf(code), email)
  if (invite) return invite.id
  throw new Problem(
    'invalid_token',
    'This invitation code does not work: it was used up or has expired, or has a typing error. If you have signed up with it already, have the confirmation mail sent again',
  )
}

/** Records a request to resend the confirmation, for any address. */
export async function requestResend(ctx: Ctx<Anyone | User>, email: string): Promise<void> {
  try {
    await take(ctx.db, authBudgets.forgotAccount, `verify:${email}`)
  } catch (error) {
    if (error instanceof Problem) return
    throw error
  }
  await store.insertRequest(ctx.db, {
    id: randomUUIDv7(),
    kind: 'resend',
    email,
    language: ctx.language ?? null,
  })
}

/** Creates the requested accounts and mails their confirmations. */
export async function processRequests(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (ctx) => {
    const requests = await store.takeRequests(ctx.db, 20)
    for (const request of requests) {
      const user = await findUserByEmail(ctx.db, request.email)
      if (request.kind === 'register') await makeAccount(ctx, request, user)
      else if (user?.state === 'unverified') await sendConfirmation(ctx, user, request)
    }
    return requests.length
  })
}

async function makeAccount(
  ctx: Ctx,
  request: store.RequestRow,
  present: UserRow | undefined,
): Promise<void> {
  const invite = request.inviteId ? await store.findInvite(ctx.db, request.inviteId) : undefined
  if (present?.state === 'unverified') return startAgain(ctx, request, present, invite)
  // A reserved address counts as taken: its former account may still take it back.
  if (present || (await isReserved(ctx.db, request.email))) {
    if (invite) await store.giveBackInvite(ctx.db, invite.id)
    return
  }
  const user = await insertUser(ctx.db, {
    id: randomUUIDv7(),
    email: request.email,
    role: 'customer',
    state: 'unverified',
    passwordHash: request.passwordHash,
    preferences: { mode: null },
  })
  await store.insertSignup(ctx.db, {
    userId: user.id,
    inviteId: invite?.id ?? null,
    planId: invite?.planId ?? null,
  })
  await sendConfirmation(ctx, user, request)
}

/**
 * Nobody has confirmed the address yet, and one of the sign-ups may be a stranger's: no password of
 * them stands. Whoever has a link got it by mail, and chooses the password with it.
 */
async function startAgain(
  ctx: Ctx,
  request: store.RequestRow,
  user: UserRow,
  invite: store.InviteRow | undefined,
): Promise<void> {
  await updateUser(ctx.db, user.id, { passwordHash: null })
  if (invite) {
    // Also if it is the same one, which this sign-up has used a second time.
    const former = await store.findSignup(ctx.db, user.id)
    if (former?.inviteId) await store.giveBackInvite(ctx.db, former.inviteId)
    await store.setInvite(ctx.db, user.id, invite)
  }
  await sendConfirmation(ctx, { ...user, passwordHash: null }, request)
}

/**
 * @param request of the person themselves; that of an administrator says nothing about the person's
 * language
 */
export async function sendConfirmation(
  ctx: Ctx,
  user: UserRow,
  request?: Pick<store.RequestRow, 'language'>,
): Promise<void> {
  const issued = await issueAccountToken(ctx, user.id, 'verify')
  await queueMail(ctx, verifyEmail, {
    to: user.email,
    userId: user.id,
    reader: readerOf(user, languageOf(request?.language)),
    issued,
    variables: { again: user.passwordHash === null ? 'yes' : '' },
  })
}

/**
 * Confirms an address through its link, with a password where no sign-up's stands; a given one
 * replaces that of the sign-up. The other links end.
 */
export async function verify(
  ctx: Ctx<Anyone | User>,
  { token, password }: { token: string; password?: string | undefined },
): Promise<{ state: 'pending' | 'active' }> {
  // Checked before hashing, so that nobody can make us hash without a valid link.
  if (!(await peekAccountToken(ctx, token, 'verify'))) throw invalidLink()
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  return ctx.transaction(async (ctx) => {
    const { user } = await redeemAccountToken(ctx, token, 'verify')
    if (passwordHash !== undefined) await updateUser(ctx.db, user.id, { passwordHash })
    else if (user.passwordHash === null)
      throw invalid([
        {
          pointer: '/password',
          detail: 'is needed: somebody signed up with this address more than once',
        },
      ])
    await deleteAccountTokens(ctx.db, user.id, ['verify'])
    return { state: await confirmed(ctx, user) }
  })
}

/** The address is confirmed: the account waits for approval or opens. */
export async function confirmed(ctx: Ctx, user: UserRow): Promise<'pending' | 'active'> {
  const { mode } = await signupSettings(ctx.db)
  const signup = await store.findSignup(ctx.db, user.id)
  const next = mode === 'approval' && !signup?.inviteId ? 'pending' : 'active'
  if (!(await store.moveState(ctx.db, user.id, 'unverified', next)))
    throw new Problem('invalid_state', 'The address of the account is already confirmed')
  const { id: userId, email } = user
  if (next === 'active') {
    await openAccount(ctx, userId)
    await ctx.emit('account.opened', { userId, email })
  } else await ctx.emit('signup.pending', { email })
  return next
}

/** Grants an opened account the plan of its invitation. */
export async function openAccount(ctx: Ctx, userId: string): Promise<void> {
  const signup = await store.findSignup(ctx.db, userId)
  await store.setApproved(ctx.db, userId)
  if (signup?.planId) await startSubscription(ctx.db, userId, signup.planId)
}
