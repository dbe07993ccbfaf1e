import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import type { ReactNode } from 'react'
import { brand } from '../../../brand.ts'
import { languages, setLanguage, spokenLanguage } from '../../../session/language.ts'
import { useMode } from '../../../theme/theme-provider.tsx'
import { Segments } from '../../../ui/choices/segments.tsx'
import { Logo } from '../../../ui/page/logo.tsx'
import { usePageTitle } from '../../../ui/page/page.tsx'
import { part } from '../../../ui/page/part.tsx'
import styles from './sign-in.module.css'
import { t } from './words.ts'

// Only customised looks have it.
const HostAside = part(() => import('./host-aside.tsx'))
const HostLinks = part(() => import('./host-links.tsx'))

/** How far each roof is below the one behind it. */
const ROOFS = [0, 34, 70, 108, 148, 190, 234]

/** Roofs behind roofs, and one lit window. */
function Roofs() {
  return (
    <svg viewBox="0 0 600 480" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <g fill="none" stroke="currentColor" vectorEffect="non-scaling-stroke">
        {ROOFS.map((below, at) => (
          <path
            key={below}
            opacity={(at + 1) / ROOFS.length}
            d={`M${430 - at * 40} ${110 + below} m-900 530 l900 -530 l900 530`}
          />
        ))}
      </g>
      <rect x="183" y="404" width="14" height="20" rx="1.5" />
    </svg>
  )
}

/** The frame of the pages before sign-in: brand on the left, a card on the right. */
export function Entrance({
  title,
  lead,
  below,
  children,
}: {
  title: string
  lead?: string
  /** Links under the card. */
  below?: ReactNode
  children: ReactNode
}) {
  const heading = usePageTitle(title)
  const [mode, setMode] = useMode()
  return (
    <div className={styles.screen}>
      <aside className={styles.art}>
        {brand ? (
          <HostAside look={brand}>
            <Roofs />
          </HostAside>
        ) : (
          <>
            <div>
              <h2>{t.claim}</h2>
              <p>{t.claimText}</p>
            </div>
            <Roofs />
          </>
        )}
      </aside>
      <main className={styles.side}>
        <div className={`${styles.card} lodge-sign-in`}>
          <span className={styles.logo}>
            <Logo />
          </span>
          <div>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
          </div>
          {children}
          {below === undefined ? null : <div className={styles.below}>{below}</div>}
        </div>
        <div className={styles.foot}>
          {brand ? <HostLinks look={brand} /> : null}
          {languages
            .filter(({ value }) => value !== spokenLanguage())
            .map(({ value, label }) => (
              <button
                key={value}
                type="button"
                lang={value}
                className={styles.language}
                onClick={() => setLanguage(value)}
              >
                {label}
              </button>
            ))}
          <Segments
            label={t.colours}
            value={mode ?? 'system'}
            onChange={setMode}
            choices={[
              { value: 'light', label: t.light, icon: <Sun size={13} aria-hidden /> },
              { value: 'dark', label: t.dark, icon: <Moon size={13} aria-hidden /> },
              { value: 'system', label: t.system, icon: <Monitor size={13} aria-hidden /> },
            ]}
          />
        </div>
      </main>
    </div>
  )
}
