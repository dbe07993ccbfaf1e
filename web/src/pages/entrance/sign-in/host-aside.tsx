import type { PublicBranding } from '@lodge/shared/branding.ts'
import type { ReactNode } from 'react'
import styles from './host-aside.module.css'
import { t } from './words.ts'

/**
 * What the host says beside the form.
 * @param children drawn without a picture of the host's own
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
