import { Me, Passkey, PasskeyName, SecondFactors } from '@lodge/shared/accounts.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { del, get, post } from '../../../http/endpoint.ts'
import { authBudgets } from '../budgets.ts'
import { acceptAnyCode, finishSignIn } from '../factors/challenges.ts'
import * as factors from '../factors/factors.ts'
import * as passkeys from '../factors/passkeys.ts'
import * as totp from '../factors/totp.ts'
import { describeMe } from '../sign-in/me.ts'
import * as proofs from '../sign-in/step-up.ts'

const challenge = z.string().min(1).max(200)
const code = z.string().trim().min(1).max(64)
/**
 * The WebAuthn library validates the response; this only limits its size and requires an object.
 */
const webauthnResponse = z.looseObject({
  id: z.string().max(2048),
  rawId: z.string().max(2048),
  type: z.literal('public-key'),
})
const webauthnOptions = z.looseObject({ challenge: z.string() })

export const answerChallenge = post('/api/auth/challenge', {
  summary: 'Finish sign-in with an authenticator code or a recovery code',
  access: { who: 'anyone', throttle: authBudgets.challenge },
  body: z.strictObject({ challenge, code }),
  reply: z.object({ user: Me }),
  handle: async ({ ctx, body, http }) => ({
    user: await describeMe(
      ctx,
      await finishSignIn(ctx, body.challenge, http, (ctx, userId) =>
        acceptAnyCode(ctx, userId, body.code, http.request.address),
      ),
    ),
  }),
})

export const passkeySignInOptions = post('/api/auth/passkey/options', {
  summary: 'Start a passkey second factor',
  access: { who: 'anyone', throttle: authBudgets.challenge },
  body: z.strictObject({ challenge }),
  reply: webauthnOptions,
  handle: async ({ ctx, body, http }) => ({
    ...(await passkeys.authenticationOptions(ctx, body.challenge, http)),
  }),
})

export const passkeySignIn = post('/api/auth/passkey/verify', {
  summary: 'Finish a passkey sign-in',
  access: { who: 'anyone', throttle: authBudgets.challenge },
  body: z.strictObject({ challenge, response: webauthnResponse }),
  reply: z.object({ user: Me }),
  handle: async ({ ctx, body, http }) => ({
    user: await describeMe(
      ctx,
      await passkeys.signInWithPasskey(
        ctx,
        body.challenge,
        body.response as unknown as AuthenticationResponseJSON,
        http,
      ),
    ),
  }),
})

export const listPasskeys = get('/api/auth/passkeys', {
  summary: 'Own passkeys',
  access: { who: 'user', settingUp: true },
  reply: z.object({ items: z.array(Passkey) }),
  handle: ({ ctx }) => passkeys.listPasskeys(ctx),
})

export const passkeyRegistrationOptions = post('/api/auth/passkeys/options', {
  summary: 'Start registering a passkey',
  access: { who: 'user', settingUp: true, stepUp: true, throttle: authBudgets.challenge },
  reply: webauthnOptions,
  recorded: { words: 'started adding a passkey', looks: true },
  handle: async ({ ctx, http }) => ({ ...(await passkeys.registrationOptions(ctx, http)) }),
})

export const registerPasskey = post('/api/auth/passkeys/verify', {
  summary: 'Finish registering a passkey',
  access: { who: 'user', settingUp: true },
  body: z.strictObject({
    response: webauthnResponse,
    name: PasskeyName.optional(),
  }),
  reply: z.object({ passkey: Passkey, recoveryCodes: z.array(z.string()).nullable() }),
  status: 201,
  shownOnce: true,
  recorded: 'added a passkey',
  handle: ({ ctx, body, http }) =>
    passkeys.register(ctx, body.response as unknown as RegistrationResponseJSON, body.name, http),
})

export const removePasskey = del('/api/auth/passkeys/{id}', {
  summary: 'Remove a passkey',
  access: { who: 'user', own: true, stepUp: true },
  recorded: 'removed a passkey',
  handle: ({ ctx, params }) => factors.removePasskey(ctx, params.id),
})

export const setUpTotp = post('/api/auth/totp/setup', {
  summary: 'Start setting up an authenticator',
  access: { who: 'user', settingUp: true, stepUp: true },
  reply: z.object({ secret: z.string(), uri: z.string() }),
  shownOnce: true,
  recorded: { words: 'started setting up an authenticator', looks: true },
  handle: ({ ctx }) => totp.setUpTotp(ctx),
})

export const confirmTotp = post('/api/auth/totp/confirm', {
  summary: 'Confirm the authenticator with a code',
  access: { who: 'user', settingUp: true, throttle: authBudgets.challenge },
  body: z.strictObject({ code }),
  reply: z.object({ recoveryCodes: z.array(z.string()) }),
  shownOnce: true,
  recorded: 'set up an authenticator',
  handle: ({ ctx, body }) => totp.confirmTotp(ctx, body.code),
})

export const removeTotp = del('/api/auth/totp', {
  summary: 'Remove the authenticator',
  access: { who: 'user', stepUp: true },
  recorded: 'removed their authenticator',
  handle: ({ ctx }) => factors.removeTotp(ctx),
})

export const renewRecoveryCodes = post('/api/auth/recovery-codes', {
  summary: 'New recovery codes; the ones before end',
  access: { who: 'user', stepUp: true },
  reply: z.object({ recoveryCodes: z.array(z.string()) }),
  shownOnce: true,
  recorded: 'created new recovery codes',
  handle: ({ ctx }) => factors.renewRecoveryCodes(ctx),
})

export const showFactors = get('/api/auth/factors', {
  summary: 'Which second factors the account has',
  access: { who: 'user', settingUp: true },
  reply: SecondFactors,
  handle: ({ ctx }) => factors.secondFactorsOf(ctx, ctx.actor.id),
})

const Proof = z.object({ provedUntil: z.iso.datetime() })

export const stepUp = post('/api/auth/step-up', {
  summary: 'Show again who one is by code, or by password where there is no second factor',
  access: { who: 'user', settingUp: true, throttle: authBudgets.password },
  recorded: false,
  body: z.strictObject({
    code: code.optional(),
    password: z.string().min(1).max(1024).optional(),
  }),
  reply: Proof,
  judge: ({ ctx, body }) => proofs.requireCode(ctx, body),
  handle: ({ ctx }) => proofs.prove(ctx),
})

export const stepUpOptions = post('/api/auth/step-up/passkey/options', {
  summary: 'Start showing again who one is with a passkey',
  access: { who: 'user', throttle: authBudgets.challenge },
  recorded: false,
  reply: webauthnOptions,
  handle: async ({ ctx, http }) => ({ ...(await passkeys.proofOptions(ctx, http)) }),
})

export const stepUpByPasskey = post('/api/auth/step-up/passkey', {
  summary: 'Show again who one is with a passkey',
  access: { who: 'user', throttle: authBudgets.challenge },
  recorded: false,
  body: z.strictObject({ response: webauthnResponse }),
  reply: Proof,
  judge: ({ ctx, body, http }) =>
    proofs.requirePasskey(ctx, body.response as unknown as AuthenticationResponseJSON, http),
  handle: ({ ctx }) => proofs.prove(ctx),
})
