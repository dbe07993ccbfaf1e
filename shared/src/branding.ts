import { z } from 'zod'
import { DEFAULT_SEED, SECOND_SEED } from './theme/tokens.ts'

/** API schemas of the look of a panel. */

export const IMAGE_KINDS = ['mark', 'wordmark', 'favicon', 'login'] as const
export const ImageKind = z.enum(IMAGE_KINDS)
export type ImageKind = z.infer<typeof ImageKind>

export const MAX_IMAGE_BYTES = 512 * 1024
/** Of either side of an uploaded picture, pixels. */
export const MAX_IMAGE_PIXELS = 2048
export const MAX_CSS_CHARACTERS = 20 * 1024
/** How many saved versions are kept. */
export const KEPT_VERSIONS = 50

const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .refine((value) => !/[\p{Cc}\p{Bidi_Control}]/u.test(value.replaceAll('\n', '')), {
      message: 'must not have control characters',
    })
const line = (most: number) =>
  text(most).refine((value) => !value.includes('\n'), { message: 'must be one line' })
const colour = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'must be a colour like #3b5bdb')
const link = z.url({ protocol: /^https?$/, hostname: z.regexes.domain }).max(500)
const sha = z.string().regex(/^[0-9a-f]{64}$/, 'must be the digest of an uploaded image')

export const ANNOUNCEMENT_SEVERITIES = ['info', 'warning', 'critical'] as const
export const ANNOUNCEMENT_AUDIENCES = ['all', 'customers', 'administrators'] as const

const Announcement = z
  .strictObject({
    enabled: z.boolean(),
    severity: z.enum(ANNOUNCEMENT_SEVERITIES),
    text: line(300),
    link: link.nullable(),
    startsAt: z.iso.datetime().nullable(),
    endsAt: z.iso.datetime().nullable(),
    audience: z.enum(ANNOUNCEMENT_AUDIENCES),
    /** Whether a person may put it away. */
    dismissible: z.boolean(),
  })
  .refine(({ enabled, text }) => !enabled || text !== '', {
    path: ['text'],
    message: 'has to say something',
  })
  .refine(({ startsAt, endsAt }) => startsAt === null || endsAt === null || startsAt < endsAt, {
    path: ['endsAt'],
    message: 'must be after the beginning',
  })

/** The whole look of a panel. */
export const Branding = z.strictObject({
  name: line(40).min(1, 'must not be empty'),
  tagline: line(120),
  colors: z.strictObject({ accent: colour, second: colour }),
  /** For people who have chosen nothing. */
  mode: z.enum(['light', 'dark', 'system']),
  /** Of the largest corners, pixels; the smaller ones follow. */
  radius: z.int().min(0).max(24),
  /** Digests of uploaded images; null for Lodge's own. */
  images: z.strictObject({
    mark: sha.nullable(),
    wordmark: sha.nullable(),
    favicon: sha.nullable(),
    login: sha.nullable(),
  }),
  login: z.strictObject({ title: line(80), text: text(400) }),
  links: z
    .array(
      z.strictObject({
        label: line(40).min(1, 'must not be empty'),
        url: link,
        placement: z.enum(['menu', 'login']),
      }),
    )
    .max(12),
  legal: z.strictObject({
    termsUrl: link.nullable(),
    privacyUrl: link.nullable(),
    imprintUrl: link.nullable(),
  }),
  supportEmail: z.email().max(254).nullable(),
  announcement: Announcement,
  emailFooter: text(400),
  customCss: z.string().max(MAX_CSS_CHARACTERS),
})
export type Branding = z.infer<typeof Branding>

/** The look of a panel that nobody has changed. */
export const DEFAULT_BRANDING: Branding = {
  name: 'Lodge',
  tagline: '',
  colors: { accent: DEFAULT_SEED, second: SECOND_SEED },
  mode: 'system',
  radius: 12,
  images: { mark: null, wordmark: null, favicon: null, login: null },
  login: { title: '', text: '' },
  links: [],
  legal: { termsUrl: null, privacyUrl: null, imprintUrl: null },
  supportEmail: null,
  announcement: {
    enabled: false,
    severity: 'info',
    text: '',
    link: null,
    startsAt: null,
    endsAt: null,
    audience: 'all',
    dismissible: true,
  },
  emailFooter: '',
  customCss: '',
}

/** What everybody may see of it, also before signing in. */
export const PublicBranding = z.object({
  name: z.string(),
  tagline: z.string(),
  colors: z.object({ accent: z.string(), second: z.string() }),
  mode: z.enum(['light', 'dark', 'system']),
  radius: z.int(),
  /** Addresses of the images; null for Lodge's own. */
  images: z.record(ImageKind, z.string().nullable()),
  login: z.object({ title: z.string(), text: z.string() }),
  links: z.array(z.object({ label: z.string(), url: z.string(), placement: z.string() })),
  legal: z.object({
    termsUrl: z.string().nullable(),
    privacyUrl: z.string().nullable(),
    imprintUrl: z.string().nullable(),
  }),
  supportEmail: z.string().nullable(),
})
export type PublicBranding = z.infer<typeof PublicBranding>

export const ShownAnnouncement = z.object({
  /** Changes with what it says, so that who put away an old one sees a new one. */
  id: z.string(),
  severity: z.enum(ANNOUNCEMENT_SEVERITIES),
  text: z.string(),
  link: z.string().nullable(),
  dismissible: z.boolean(),
})
export type ShownAnnouncement = z.infer<typeof ShownAnnouncement>

/** How well two colours of the panel can be told apart (WCAG 2.2, 1.4.3 and 1.4.11). */
export const ContrastCheck = z.object({
  scheme: z.enum(['light', 'dark']),
  /** What stands on what, as the names of colours. */
  pair: z.tuple([z.string(), z.string()]),
  colours: z.tuple([z.string(), z.string()]),
  ratio: z.number(),
  required: z.number(),
  pass: z.boolean(),
  /** The colour differs from the chosen one, so that it can be read. */
  adjusted: z.boolean(),
})
export type ContrastCheck = z.infer<typeof ContrastCheck>

export const BrandingReport = z.object({
  /** Colours of both modes, by their names. */
  colours: z.object({
    light: z.record(z.string(), z.string()),
    dark: z.record(z.string(), z.string()),
  }),
  contrast: z.array(ContrastCheck),
  /** The custom CSS as it would be served. */
  css: z.string(),
  warnings: z.array(z.string()),
})
export type BrandingReport = z.infer<typeof BrandingReport>

export const BrandingVersion = z.object({
  id: z.uuid(),
  revision: z.int(),
  author: z.string(),
  reason: z.string(),
  createdAt: z.iso.datetime(),
  /** What differs from the version before, as names of fields. */
  changed: z.array(z.string()),
})
export const FullBrandingVersion = BrandingVersion.extend({ branding: Branding })

export const AdminBranding = z.object({
  revision: z.int(),
  branding: Branding,
  report: BrandingReport,
  history: z.array(BrandingVersion),
  limits: z.object({
    imageBytes: z.int(),
    imagePixels: z.int(),
    cssCharacters: z.int(),
    versions: z.int(),
  }),
})
export type AdminBranding = z.infer<typeof AdminBranding>

export const SaveBranding = z.strictObject({
  branding: Branding,
  /** The revision that was changed; without it, whatever there is is replaced. */
  baseRevision: z.int().min(0).optional(),
  reason: line(200).optional(),
})

export const UploadedImage = z.object({
  kind: ImageKind,
  sha: z.string(),
  type: z.string(),
  width: z.int(),
  height: z.int(),
  sizeBytes: z.int(),
})

export const THEME_FORMAT = 'lodge-theme'
export const THEME_FORMAT_VERSION = 1

/** A look as a file, images included. */
export const ThemeFile = z.strictObject({
  format: z.literal(THEME_FORMAT),
  formatVersion: z.int().min(1),
  exportedAt: z.iso.datetime().optional(),
  panelVersion: z.string().max(40).optional(),
  branding: Branding,
  images: z.partialRecord(
    ImageKind,
    z.strictObject({
      type: z.string().max(100),
      sha256: sha,
      base64: z.base64().max(MAX_IMAGE_BYTES * 2),
    }),
  ),
})

export const ReadTheme = z.object({
  branding: Branding,
  report: BrandingReport,
  warnings: z.array(z.string()),
})
