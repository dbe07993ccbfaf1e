import { t } from './words.ts'

const labels = (): Readonly<Record<string, string>> => ({
  name: t.name,
  tagline: t.tagline,
  supportEmail: t.supportEmail,
  accent: t.accent,
  second: t.second,
  mode: t.mode,
  radius: t.radius,
  images: t.images,
  loginTitle: t.loginTitle,
  loginText: t.loginBody,
  links: t.links,
  termsUrl: t.termsUrl,
  privacyUrl: t.privacyUrl,
  imprintUrl: t.imprintUrl,
  emailFooter: t.emailFooter,
  announceEnabled: t.announceEnabled,
  announceText: t.announceText,
  announceLink: t.announceLink,
  severity: t.severity,
  audience: t.audience,
  startsAt: t.startsAt,
  endsAt: t.endsAt,
  dismissible: t.dismissible,
  customCss: t.customCss,
  reason: t.reason,
})

/** The name of a field in the list of changes. */
export const labelOf = (name: string): string => labels()[name] ?? name
