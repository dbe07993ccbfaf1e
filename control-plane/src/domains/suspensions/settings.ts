import { isDeepStrictEqual } from 'node:util'
import {
  DEFAULT_SUSPENSION_OPTIONS,
  type ReasonTemplate,
  SuspensionSettings,
} from '@lodge/shared/suspensions.ts'
import { ENGLISH } from '@lodge/shared/words/bind.ts'
import { LANGUAGES, type Language } from '@lodge/shared/words/languages.ts'
import type { User } from '../../actor.ts'
import type { Area } from '../../catalogue.ts'
import type { Ctx } from '../../context.ts'
import { readerOf } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import { findUser } from '../customers/index.ts'
import { readSettings, writeSettings } from '../settings/index.ts'
import { t } from './words.ts'

/** The built-in templates. */
function templatesIn(language: Language): ReasonTemplate[] {
  const words = wordsFor(t, { language })
  return [
    { name: words.abuse, reasonCode: 'abuse', text: words.abuseText },
    { name: words.dispute, reasonCode: 'payment_fraud', text: words.disputeText },
    { name: words.terms, reasonCode: 'terms', text: words.termsText },
    { name: words.compromised, reasonCode: 'security', text: words.compromisedText },
  ]
}

/** Default options of a suspension, which can be changed for each. */
export const suspensionSettings: Area<SuspensionSettings> = {
  name: 'suspension',
  schema: SuspensionSettings,
  initial: {
    options: DEFAULT_SUSPENSION_OPTIONS,
    templates: templatesIn(ENGLISH),
    appealEnabled: true,
    appealWindowDays: 90,
    retentionDays: 730,
  },
}

/** The settings for the caller: unchanged templates are in their language. */
export async function shownSettings(ctx: Ctx<User>): Promise<SuspensionSettings> {
  const settings = await readSettings(ctx.db, suspensionSettings)
  if (!isDeepStrictEqual(settings.templates, suspensionSettings.initial.templates)) return settings
  const { language } = readerOf(await findUser(ctx.db, ctx.actor.id), ctx.language)
  return { ...settings, templates: templatesIn(language) }
}

/** Saves settings; unchanged templates stay built-in, whatever language they were shown in. */
export async function saveSettings(
  ctx: Ctx<User>,
  given: SuspensionSettings,
): Promise<SuspensionSettings> {
  const unchanged = LANGUAGES.some((language) =>
    isDeepStrictEqual(given.templates, templatesIn(language)),
  )
  const { templates } = unchanged ? suspensionSettings.initial : given
  await writeSettings(ctx.db, suspensionSettings, { ...given, templates })
  return given
}
