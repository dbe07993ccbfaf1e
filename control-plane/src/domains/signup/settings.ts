import { z } from 'zod'
import type { Area } from '../../catalogue.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { invalid } from '../../http/input.ts'
import type { Vault } from '../../secrets/vault.ts'
import { readSettings, writeSettings } from '../settings/index.ts'

const mode = z.enum(['closed', 'invitation', 'open', 'approval'])
const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .nullable()
const terms = z.strictObject({
  required: z.boolean(),
  termsUrl: webAddress,
  privacyUrl: webAddress,
})
const provider = z.enum(['off', 'turnstile', 'hcaptcha'])
const siteKey = z.string().trim().max(200).nullable()

const Stored = z.strictObject({
  mode,
  captcha: z.strictObject({ provider, siteKey, secret: z.string().nullable() }),
  terms,
})
export type SignupSettings = z.infer<typeof Stored>

export const signupArea: Area<SignupSettings> = {
  name: 'signup',
  schema: Stored,
  initial: {
    mode: 'closed',
    captcha: { provider: 'off', siteKey: null, secret: null },
    terms: { required: false, termsUrl: null, privacyUrl: null },
  },
}

/** The public part. */
export const SignupConfig = z.object({
  mode,
  captcha: z.object({ provider, siteKey }),
  terms: z.object({ required: z.boolean(), termsUrl: webAddress, privacyUrl: webAddress }),
})
export const SignupSettingsView = SignupConfig.extend({
  captcha: z.object({ provider, siteKey, hasSecret: z.boolean() }),
})
/** An absent secret is kept; null removes it. */
export const EditSignupSettings = z.strictObject({
  mode,
  captcha: z.strictObject({ provider, siteKey, secret: z.string().max(500).nullable().optional() }),
  terms,
})

const place = { table: 'settings', id: signupArea.name, column: 'captcha' }
export const openCaptchaSecret = (vault: Vault, sealed: string): string =>
  vault.open(Buffer.from(sealed, 'base64'), place)

export const signupSettings = (db: Db): Promise<SignupSettings> => readSettings(db, signupArea)

export const describeSettings = ({
  mode,
  captcha,
  terms,
}: SignupSettings): z.infer<typeof SignupSettingsView> => ({
  mode,
  captcha: {
    provider: captcha.provider,
    siteKey: captcha.siteKey,
    hasSecret: captcha.secret !== null,
  },
  terms,
})

export async function changeSettings(
  ctx: Ctx,
  given: z.output<typeof EditSignupSettings>,
): Promise<z.infer<typeof SignupSettingsView>> {
  const present = await signupSettings(ctx.db)
  const { secret: word, ...captcha } = given.captcha
  const changed = captcha.provider !== present.captcha.provider && captcha.provider !== 'off'
  if (word === undefined && present.captcha.secret !== null && changed) {
    // A secret entered for one provider must not be sent to another.
    const detail = 'has to be entered again, because the provider changed'
    throw invalid([{ pointer: '/captcha/secret', detail }])
  }
  const secret =
    word === undefined
      ? present.captcha.secret
      : word && ctx.vault.seal(word, place).toString('base64')
  if (captcha.provider !== 'off' && (!captcha.siteKey || !secret)) {
    throw invalid([{ pointer: '/captcha', detail: 'needs a site key and a secret' }])
  }
  const stored = { mode: given.mode, captcha: { ...captcha, secret }, terms: given.terms }
  return describeSettings(await writeSettings(ctx.db, signupArea, stored))
}
