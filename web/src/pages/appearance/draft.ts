import type { Branding } from '@lodge/shared/branding.ts'

/** The look as values of the form: flat, so that each field has a name. */
export interface Draft {
  name: string
  tagline: string
  supportEmail: string
  accent: string
  second: string
  mode: Branding['mode']
  radius: number | undefined
  images: Branding['images']
  loginTitle: string
  loginText: string
  links: Branding['links']
  termsUrl: string
  privacyUrl: string
  imprintUrl: string
  emailFooter: string
  announceEnabled: boolean
  announceText: string
  announceLink: string
  severity: Branding['announcement']['severity']
  audience: Branding['announcement']['audience']
  startsAt: string
  endsAt: string
  dismissible: boolean
  customCss: string
}

/** `2026-01-31T12:00` in the browser's zone, the format of `datetime-local` fields. */
function localOf(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const isoOf = (local: string): string | null =>
  local === '' ? null : new Date(local).toISOString()
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export const draftOf = (branding: Branding): Draft => ({
  name: branding.name,
  tagline: branding.tagline,
  supportEmail: branding.supportEmail ?? '',
  accent: branding.colors.accent,
  second: branding.colors.second,
  mode: branding.mode,
  radius: branding.radius,
  images: branding.images,
  loginTitle: branding.login.title,
  loginText: branding.login.text,
  links: branding.links,
  termsUrl: branding.legal.termsUrl ?? '',
  privacyUrl: branding.legal.privacyUrl ?? '',
  imprintUrl: branding.legal.imprintUrl ?? '',
  emailFooter: branding.emailFooter,
  announceEnabled: branding.announcement.enabled,
  announceText: branding.announcement.text,
  announceLink: branding.announcement.link ?? '',
  severity: branding.announcement.severity,
  audience: branding.announcement.audience,
  startsAt: localOf(branding.announcement.startsAt),
  endsAt: localOf(branding.announcement.endsAt),
  dismissible: branding.announcement.dismissible,
  customCss: branding.customCss,
})

export const brandingOf = (draft: Draft): Branding => ({
  name: draft.name,
  tagline: draft.tagline,
  colors: { accent: draft.accent, second: draft.second },
  mode: draft.mode,
  radius: draft.radius ?? 0,
  images: draft.images,
  login: { title: draft.loginTitle, text: draft.loginText },
  links: draft.links,
  legal: {
    termsUrl: orNull(draft.termsUrl),
    privacyUrl: orNull(draft.privacyUrl),
    imprintUrl: orNull(draft.imprintUrl),
  },
  supportEmail: orNull(draft.supportEmail),
  announcement: {
    enabled: draft.announceEnabled,
    severity: draft.severity,
    text: draft.announceText,
    link: orNull(draft.announceLink),
    startsAt: isoOf(draft.startsAt),
    endsAt: isoOf(draft.endsAt),
    audience: draft.audience,
    dismissible: draft.dismissible,
  },
  emailFooter: draft.emailFooter,
  customCss: draft.customCss,
})

const FIELDS: Readonly<Record<string, keyof Draft>> = {
  'colors/accent': 'accent',
  'colors/second': 'second',
  'login/title': 'loginTitle',
  'login/text': 'loginText',
  'legal/termsUrl': 'termsUrl',
  'legal/privacyUrl': 'privacyUrl',
  'legal/imprintUrl': 'imprintUrl',
  'announcement/text': 'announceText',
  'announcement/link': 'announceLink',
  'announcement/startsAt': 'startsAt',
  'announcement/endsAt': 'endsAt',
}

/** The field for a JSON pointer of the API. */
export function fieldOf(pointer: string): string {
  const inside = pointer.replace(/^branding\//, '')
  return FIELDS[inside] ?? inside.split('/', 1)[0] ?? ''
}
