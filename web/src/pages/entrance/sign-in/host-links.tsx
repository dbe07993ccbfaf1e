import type { PublicBranding } from '@lodge/shared/branding.ts'
import { t } from '../words.ts'
import styles from './host-links.module.css'

/** The host's links: their own pages, and the legal ones. */
export default function HostLinks({ look }: { look: PublicBranding }) {
  const { links, legal, supportEmail } = look
  const all = [
    ...links.filter(({ placement }) => placement === 'login'),
    ...(legal.termsUrl === null ? [] : [{ label: t.hostTerms, url: legal.termsUrl }]),
    ...(legal.privacyUrl === null ? [] : [{ label: t.hostPrivacy, url: legal.privacyUrl }]),
    ...(legal.imprintUrl === null ? [] : [{ label: t.hostImprint, url: legal.imprintUrl }]),
    ...(supportEmail === null ? [] : [{ label: supportEmail, url: `mailto:${supportEmail}` }]),
  ]
  if (all.length === 0) return null
  return (
    <nav className={styles.links} aria-label={t.hostLinks}>
      {all.map(({ label, url }) => (
        <a key={`${label} ${url}`} href={url} rel="noreferrer">
          {label}
        </a>
      ))}
    </nav>
  )
}
