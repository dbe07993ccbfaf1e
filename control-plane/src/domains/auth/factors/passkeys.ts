import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Passkey } from '@lodge/shared/accounts.ts'
import { networkOf } from '@lodge/shared/addresses.ts'
import { deviceOf } from '@lodge/shared/device.ts'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Anyone, User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { requireFree } from '../../../db/cap.ts'
import { isDuplicate } from '../../../db/database.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import { lockOwner, type UserRow } from '../../customers/index.ts'
import { passkeyCap } from '../cap-store.ts'
import { panelName } from '../questions.ts'
import { proveSession } from '../store.ts'
import { challengeExpired, finishSignIn, hashOf } from './challenges.ts'
import * as store from './factor-store.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'

/** Loaded on first use, because the library is large. */
const webAuthn = () => import('@simplewebauthn/server')

const VALID_MS = 5 * 60_000

/**
 * The panel's host and origin as seen by the requesting browser; the origin has already been
 * checked.
 */
function relyingParty(http: Exchange): { id: string; origin: string } {
  const { origin } = http.request.headers
  if (!origin)
    throw new Problem(
      'origin_mismatch',
      'Passkeys work only in a browser at the panel’s own address',
    )
  return { id: new URL(origin).hostname, origin }
}

const describe = (row: store.PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  backedUp: row.backedUp,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})

export const listPasskeys = async (ctx: Ctx<User>): Promise<{ items: Passkey[] }> => ({
  items: (await store.listPasskeys(ctx.db, ctx.actor.id)).map(describe),
})

/** Starts a passkey registration; the options go to the browser unchanged. */
export async function registrationOptions(ctx: Ctx<User>, http: Exchange) {
  const present = await store.listPasskeys(ctx.db, ctx.actor.id)
  // An early refusal for the browser; the cap is enforced when the passkey is stored.
  if (present.length >= passkeyCap.most) throw new Problem('conflict', passkeyCap.refusal)
  const options = await (await webAuthn()).generateRegistrationOptions({
    rpName: await ctx.catalogue.answers.to(panelName)(ctx.db),
    rpID: relyingParty(http).id,
    userName: ctx.actor.email,
    userID: new TextEncoder().encode(ctx.actor.id),
    attestationType: 'none',
    excludeCredentials: present.map(credentialOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  await store.insertChallenge(ctx.db, {
    id: randomUUIDv7(),
    userId: ctx.actor.id,
    purpose: 'register_passkey',
    // Bound to the session that asked: the browser sends back nothing but its response.
    tokenHash: hashOf(`${ctx.actor.sessionId}:${randomBytes(8).toString('hex')}`),
    addressKey: ctx.actor.sessionId,
    webauthnChallenge: options.challenge,
    expiresAt: new Date(ctx.now.getTime() + VALID_MS),
  })
  return options
}

/** Finishes a registration. With its first factor an account also gets recovery codes. */
export async function register(
  ctx: Ctx<User>,
  response: RegistrationResponseJSON,
  name: string | undefined,
  http: Exchange,
) {
  const party = relyingParty(http)
  return ctx.transaction(async (ctx) => {
    await lockOwner(ctx.db, ctx.actor.id)
    const challenge = await store.lockOwnChallenge(
      ctx.db,
      'register_passkey',
      ctx.actor.id,
      ctx.actor.sessionId,
    )
    if (!challenge?.webauthnChallenge) throw challengeExpired()
    // Single use: a recorded response must not work twice.
    await store.deleteChallenge(ctx.db, challenge.id)
    const verified = await (await webAuthn())
      .verifyRegistrationResponse({
        response,
        expectedChallenge: challenge.webauthnChallenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
      })
      .catch(() => undefined)
    if (!verified?.verified)
      throw invalid([{ pointer: '/response', detail: 'is not an answer to this registration' }])
    await requireFree(ctx.db, passkeyCap, ctx.actor.id)
    const { credential, credentialBackedUp } = verified.registrationInfo
    try {
      const row = await store.insertPasskey(ctx.db, {
        id: randomUUIDv7(),
        userId: ctx.actor.id,
        name: name ?? deviceOf(http.request.headers['user-agent'] ?? ''),
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        backedUp: credentialBackedUp,
      })
      const { id: userId, email } = ctx.actor
      const change = 'passkeyAdded'
      await ctx.emit('account.second_factor_changed', { userId, email, change })
      await proveSession(ctx.db, ctx.actor.sessionId)
      const first = (await store.countRecoveryCodes(ctx.db, ctx.actor.id)) === 0
      return {
        passkey: describe(row),
        recoveryCodes: first ? await makeRecoveryCodes(ctx, ctx.actor.id) : null,
      }
    } catch (error) {
      if (!isDuplicate(error, 'passkeys_credential')) throw error
      throw new Problem('duplicate', 'This passkey is already registered')
    }
  })
}

/** Starts the second step with a passkey of the challenge's account. */
export async function authenticationOptions(
  ctx: Ctx<Anyone | User>,
  token: string,
  http: Exchange,
) {
  return ctx.transaction(async (ctx) => {
    const challenge = await store.lockChallenge(
      ctx.db,
      hashOf(token),
      'sign_in',
      networkOf(http.request.address),
    )
    if (!challenge) throw challengeExpired()
    // A list of passkeys would reveal that the account exists, so a guarded sign-in accepts any.
    const keys =
      challenge.guarded || challenge.userId === null
        ? []
        : await store.listPasskeys(ctx.db, challenge.userId)
    const options = await (await webAuthn()).generateAuthenticationOptions({
      rpID: relyingParty(http).id,
      allowCredentials: keys.map(credentialOf),
      userVerification: 'required',
    })
    await store.setWebauthnChallenge(ctx.db, challenge.id, options.challenge)
    return options
  })
}

/**
 * Finishes a sign-in with a passkey. The browser's challenge is used up even if the response is
 * wrong.
 */
export function signInWithPasskey(
  ctx: Ctx<Anyone | User>,
  token: string,
  response: AuthenticationResponseJSON,
  http: Exchange,
): Promise<UserRow> {
  const party = relyingParty(http)
  return finishSignIn(ctx, token, http, async (ctx, userId, challenge) => {
    await store.setWebauthnChallenge(ctx.db, challenge.id, null)
    return acceptPasskey(ctx, userId, challenge.webauthnChallenge, response, party)
  })
}

/** Starts step-up with a passkey of the caller's own account. */
export async function proofOptions(ctx: Ctx<User>, http: Exchange) {
  const keys = await store.listPasskeys(ctx.db, ctx.actor.id)
  if (keys.length === 0)
    throw new Problem('invalid_state', 'The account has no passkey: use a code or the password')
  const options = await (await webAuthn()).generateAuthenticationOptions({
    rpID: relyingParty(http).id,
    allowCredentials: keys.map(credentialOf),
    userVerification: 'required',
  })
  await store.insertChallenge(ctx.db, {
    id: randomUUIDv7(),
    userId: ctx.actor.id,
    purpose: 'step_up',
    tokenHash: hashOf(`${ctx.actor.sessionId}:${randomBytes(8).toString('hex')}`),
    addressKey: ctx.actor.sessionId,
    webauthnChallenge: options.challenge,
    expiresAt: new Date(ctx.now.getTime() + VALID_MS),
  })
  return options
}

/** Whether the response answers this session's newest challenge; uses the challenge up. */
export async function acceptProof(
  ctx: Ctx<User>,
  response: AuthenticationResponseJSON,
  http: Exchange,
): Promise<boolean> {
  const { id, sessionId } = ctx.actor
  const challenge = await store.lockOwnChallenge(ctx.db, 'step_up', id, sessionId)
  if (!challenge) return false
  await store.deleteChallenge(ctx.db, challenge.id)
  return acceptPasskey(ctx, id, challenge.webauthnChallenge, response, relyingParty(http))
}

async function acceptPasskey(
  ctx: Ctx,
  userId: string,
  webauthnChallenge: string | null,
  response: AuthenticationResponseJSON,
  party: { id: string; origin: string },
): Promise<boolean> {
  // Only the account's own passkeys: a valid response with another account's key must not sign in.
  const key = (await store.listPasskeys(ctx.db, userId)).find(
    (one) => one.credentialId === response.id,
  )
  if (!key || !webauthnChallenge) return false
  const verified = await (await webAuthn())
    .verifyAuthenticationResponse({
      response,
      expectedChallenge: webauthnChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        ...credentialOf(key),
        publicKey: new Uint8Array(key.publicKey),
        counter: key.counter,
      },
      requireUserVerification: true,
    })
    .catch(() => undefined)
  if (!verified?.verified) return false
  await store.usePasskey(ctx.db, key.id, verified.authenticationInfo.newCounter)
  return true
}

const credentialOf = (row: store.PasskeyRow) => ({
  id: row.credentialId,
  transports: row.transports as AuthenticatorTransport[],
})
