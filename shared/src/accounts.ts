import { z } from 'zod'
import { LimitLayer } from './limits/keys.ts'
import { ListName, ListPreference } from './lists/preferences.ts'
import { TOKEN_SCOPES } from './permissions.ts'
import { timeZone } from './time-zone.ts'
import { LANGUAGES } from './words/languages.ts'

/** An email address, compared case-insensitively; no display names, quotes or address literals. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('is not an e-mail address'))

/** The minimum counts characters, the maximum bytes (argon2 reads all of it). */
export const newPassword = z
  .string()
  .refine((text) => [...text].length >= 12, 'must have 12 or more characters')
  .refine((text) => new TextEncoder().encode(text).length <= 1024, 'must have at most 1,024 bytes')

/** What customers see instead of an administrator's name and address. */
export const THE_HOST = 'The host'

/** One line that renders as written: no control, invisible or reordering characters. */
export const personName = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+$/u, 'must be one line of visible characters')

export const PreferenceMode = z.enum(['light', 'dark', 'system']).nullable()
export type PreferenceMode = z.infer<typeof PreferenceMode>

/** How close rows and controls stand; null is comfortable. */
export const PreferenceDensity = z.enum(['comfortable', 'compact']).nullable()
export type PreferenceDensity = z.infer<typeof PreferenceDensity>

/** Hours of the day in times; null is as the chosen language has them, 24 without one. */
export const PreferenceClock = z.enum(['12', '24']).nullable()
export type PreferenceClock = z.infer<typeof PreferenceClock>

/** What the panel's texts are in; null is the first language of the browser's that is among them. */
export const PreferenceLanguage = z.enum(LANGUAGES).nullable()
export type PreferenceLanguage = z.infer<typeof PreferenceLanguage>

/** What is left out stays as it is, apart from the mode. */
export const ChangePreferences = z.strictObject({
  mode: PreferenceMode,
  density: PreferenceDensity.optional(),
  clock: PreferenceClock.optional(),
  language: PreferenceLanguage.optional(),
  /** By list; null puts a list back as it comes. */
  lists: z.partialRecord(ListName, ListPreference.nullable()).optional(),
})
export type ChangePreferences = z.infer<typeof ChangePreferences>

/** A canonical BCP 47 language tag, e.g. `de-CH`. */
const locale = z
  .string()
  .trim()
  .max(35)
  .transform((text, ctx) => {
    try {
      const [tag] = Intl.getCanonicalLocales(text)
      if (tag !== undefined) return tag
    } catch {
      // Rejected by the check below, like an empty text.
    }
    ctx.addIssue({ code: 'custom', message: 'is not a language tag, for example en-GB' })
    return z.NEVER
  })

/** What people change about themselves; null clears a value. */
export const EditMe = z.strictObject({
  name: personName.nullable().optional(),
  locale: locale.nullable().optional(),
  timeZone: timeZone.nullable().optional(),
})
export type EditMe = z.infer<typeof EditMe>

/** An administrator views the panel as a customer, read-only. */
export const Viewing = z.object({
  /** E-mail address of the administrator. */
  viewer: z.string(),
  until: z.iso.datetime(),
})
export type Viewing = z.infer<typeof Viewing>

export const Me = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  /** The locale for times; null uses the browser's. */
  locale: z.string().nullable(),
  /** The zone in which times are shown; null uses the browser's. */
  timeZone: z.string().nullable(),
  /** A `suspended` account can use nothing else. */
  state: z.enum(['active', 'suspended']),
  role: z.enum(['admin', 'customer']),
  superAdmin: z.boolean(),
  permissions: z.array(z.string()),
  /**
   * `due`: an administrator has until `secondFactorDueAt`; `overdue`: everything else is refused
   * until then.
   */
  secondFactor: z.enum(['active', 'none', 'due', 'overdue']),
  secondFactorDueAt: z.iso.datetime().nullable(),
  preferences: z.object({
    mode: PreferenceMode,
    density: PreferenceDensity,
    clock: PreferenceClock,
    language: PreferenceLanguage,
    /** Only lists that the person has arranged. */
    lists: z.partialRecord(ListName, ListPreference),
  }),
  createdAt: z.iso.datetime(),
  /** Present while an administrator views as this customer. */
  viewing: Viewing.nullable(),
  /** The current event: `GET /api/events?after=` with it misses nothing since this response. */
  liveEventId: z.string(),
})
export type Me = z.infer<typeof Me>

export const Session = z.object({
  id: z.uuid(),
  current: z.boolean(),
  device: z.string(),
  address: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
})
export type Session = z.infer<typeof Session>

/** Where a customer is signed in, and their last sign-ins. */
/** What an account has beside its password: an authenticator, passkeys, and codes for when it loses these. */
export const SecondFactors = z.object({
  totp: z.boolean(),
  passkeys: z.int(),
  recoveryCodes: z.int(),
})
export type SecondFactors = z.infer<typeof SecondFactors>

export const SignIns = z.object({
  secondFactors: SecondFactors,
  sessions: z.array(Session.omit({ current: true })),
  recent: z.array(
    z.object({
      id: z.uuid(),
      at: z.iso.datetime(),
      address: z.string().nullable(),
      device: z.string().nullable(),
    }),
  ),
})
export type SignIns = z.infer<typeof SignIns>

/** A period in which support viewed this account. It does not tell the customer which administrator did. */
export const SupportView = z.object({
  id: z.uuid(),
  startedAt: z.iso.datetime(),
  /** Null while it lasts. */
  endedAt: z.iso.datetime().nullable(),
})
export type SupportView = z.infer<typeof SupportView>

export const Customer = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  state: z.enum(['active', 'suspended', 'unverified', 'pending']),
  servers: z.int(),
  /** Limits set by hand; an absent key is not set. */
  quota: LimitLayer,
  createdAt: z.iso.datetime(),
})
export type Customer = z.infer<typeof Customer>

/** A link that could not be mailed because no mail server is configured; the caller passes it on. */
export const ShownLink = z.object({ url: z.string(), expiresAt: z.iso.datetime() })
export type ShownLink = z.infer<typeof ShownLink>

export const CreateCustomer = z.strictObject({
  email: emailAddress,
  name: personName.optional(),
  password: newPassword.optional(),
})
export const EditCustomer = z.strictObject({
  email: emailAddress.optional(),
  name: personName.nullable().optional(),
  /** An absent key is left unchanged, null clears it. */
  quota: LimitLayer.optional(),
})

export const ApiToken = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The first characters of the secret, to recognise it by. */
  prefix: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>

export const CreateToken = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1).max(3),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
})
export type CreateToken = z.infer<typeof CreateToken>

export const PasskeyName = z.string().trim().min(1).max(64)

export const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The passkey provider syncs it to more than one device. */
  backedUp: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>
