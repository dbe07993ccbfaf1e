import type { PublicBranding } from '@lodge/shared/branding.ts'
import type { ReactNode } from 'react'
import styles from './host-aside.module.css'
import { t } from './words.ts'

/**
 * The host's text beside the form.
 * @param children shown if the host has no picture
 */
export default function HostAside({
  look,
  children,
}: {
  look: PublicBranding
  children: ReactNode
}) {
  const { name, images, login, tagline } = look
  return (
    <>
      <div>
        {images.wordmark ? (
          <img className={styles.wordmark} src={images.wordmark} alt={name} />
        ) : null}
        <h2>{login.title || t.claim}</h2>
        <p>{login.text || tagline}</p>
      </div>
      {images.login ? <img className={styles.picture} src={images.login} alt="" /> : children}
    </>
  )
}
