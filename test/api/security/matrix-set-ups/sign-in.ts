import { SoftPasskey } from '../../../support/soft-passkey.ts'
import { PASSWORD } from '../../../support/stack.ts'
import { totpCode } from '../../../support/totp.ts'
import {
  challengeOf,
  freshAddress,
  giveAuthenticator,
  givePasskey,
  givePassword,
  person,
  tokenMailedTo,
  withoutFactors,
} from './people.ts'
import type { SetUps } from './set-up.ts'

const OTHER = 'another long enough password'

/** Passwords, links and second factors. */
export const signInSetUps: SetUps = {
  'POST /api/auth/login': async ({ ground }) => {
    const { email } = await person(ground)
    return { body: { email, password: PASSWORD } }
  },
  'POST /api/auth/challenge': async ({ ground, who }) => {
    const caller = await person(ground)
    const { recoveryCode: code } = await giveAuthenticator(ground, caller.id)
    return { body: { challenge: await challengeOf(ground, caller, who.caller), code } }
  },
  'POST /api/auth/passkey/options': async ({ ground, who }) => {
    const caller = await person(ground)
    await givePasskey(ground, caller.id)
    return { body: { challenge: await challengeOf(ground, caller, who.caller) } }
  },
  'POST /api/auth/passkey/verify': async ({ ground, who }) => {
    const caller = await person(ground)
    const key = await givePasskey(ground, caller.id)
    const challenge = await challengeOf(ground, caller, who.caller)
    const from = ground.lodge.anonymous({ address: who.caller.address })
    const options = await from.must('POST /api/auth/passkey/options', { body: { challenge } })
    return { body: { challenge, response: key.authenticate(options) } }
  },
  'POST /api/auth/recover': async ({ ground }) => {
    const { id, email } = await person(ground)
    const { recoveryCode } = await giveAuthenticator(ground, id)
    return { body: { email, recoveryCode, password: OTHER } }
  },
  'POST /api/auth/token/accept': async ({ ground }) => {
    const { email } = await person(ground)
    await ground.lodge.anonymous().must('POST /api/auth/forgot', { body: { email } })
    return { body: { token: await tokenMailedTo(ground, email), password: OTHER } }
  },
  'POST /api/auth/token/look': async ({ ground }) => {
    const { email } = await person(ground)
    await ground.lodge.anonymous().must('POST /api/auth/forgot', { body: { email } })
    return { body: { token: await tokenMailedTo(ground, email) } }
  },
  'POST /api/auth/verify': async ({ ground }) => {
    const email = freshAddress()
    const body = { email, password: PASSWORD }
    await ground.lodge.anonymous().must('POST /api/auth/register', { body })
    return { body: { token: await tokenMailedTo(ground, email) } }
  },
  'POST /api/auth/email/confirm': async ({ ground }) => {
    const to = freshAddress()
    const body = { email: to, password: PASSWORD }
    await (await person(ground)).must('POST /api/auth/email', { body })
    return { body: { token: await tokenMailedTo(ground, to) } }
  },
  'POST /api/auth/email/undo': async ({ ground }) => {
    const [caller, to] = [await person(ground), freshAddress()]
    await caller.must('POST /api/auth/email', { body: { email: to, password: PASSWORD } })
    const token = await tokenMailedTo(ground, to)
    await ground.lodge.anonymous().must('POST /api/auth/email/confirm', { body: { token } })
    return { body: { token: await tokenMailedTo(ground, caller.email), password: OTHER } }
  },
  'POST /api/auth/email': async ({ ground, who }) => {
    await givePassword(ground, who.caller.id)
    return { body: { email: freshAddress(), password: PASSWORD } }
  },
  'POST /api/auth/password': async ({ ground, who }) => {
    await givePassword(ground, who.caller.id)
    return { body: { currentPassword: PASSWORD, newPassword: PASSWORD } }
  },
  'POST /api/auth/step-up': async ({ ground, who }) => {
    await withoutFactors(ground, who.caller.id)
    await givePassword(ground, who.caller.id)
    return { body: { password: PASSWORD } }
  },
  'POST /api/auth/step-up/passkey/options': async ({ ground, who }) => {
    await givePasskey(ground, who.caller.id)
    return {}
  },
  'POST /api/auth/step-up/passkey': async ({ ground, who }) => {
    const key = await givePasskey(ground, who.caller.id)
    const options = await who.caller.must('POST /api/auth/step-up/passkey/options')
    return { body: { response: key.authenticate(options) } }
  },
  'POST /api/auth/passkeys/verify': async ({ ground, who }) => {
    const options = await who.caller.must('POST /api/auth/passkeys/options')
    return { body: { response: new SoftPasskey(ground.lodge.origin).register(options) } }
  },
  'POST /api/auth/totp/confirm': async ({ ground, who }) => {
    await withoutFactors(ground, who.caller.id)
    const { secret } = await who.caller.must('POST /api/auth/totp/setup')
    return { body: { code: await totpCode(secret) } }
  },
  'DELETE /api/auth/totp': async ({ ground, who }) => {
    // Administrators keep one of their factors.
    await givePasskey(ground, who.caller.id)
    await giveAuthenticator(ground, who.caller.id)
    return {}
  },
  'POST /api/auth/recovery-codes': async ({ ground, who }) => {
    await giveAuthenticator(ground, who.caller.id)
    return {}
  },
  'POST /api/auth/register': async () => ({ body: { email: freshAddress(), password: PASSWORD } }),
}
