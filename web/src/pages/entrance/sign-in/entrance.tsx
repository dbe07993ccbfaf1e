import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import type { ReactNode } from 'react'
import { useMode } from '../../../theme/theme-provider.tsx'
import { Segments } from '../../../ui/choices/segments.tsx'
import { Logo } from '../../../ui/page/logo.tsx'
import { usePageTitle } from '../../../ui/page/page.tsx'
import styles from './sign-in.module.css'

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
        <div>
          <h2>Servers that stay up, on machines you own.</h2>
          <p>
            One panel for every container server on every node: consoles, crash history, figures and
            sizes, live.
          </p>
        </div>
        <svg
          viewBox="0 0 32 32"
          aria-hidden="true"
          fill="none"
          stroke="currentColor"
          strokeWidth="0.5"
          strokeLinejoin="round"
          strokeLinecap="round"
        >
          <path d="M3 16 16 5l13 11M7 14.500V28h18V14.500M13.500 28v-7h5v7" />
        </svg>
      </aside>
      <main className={styles.side}>
        <div className={styles.card}>
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
          <Segments
            label="Colours"
            value={mode ?? 'system'}
            onChange={setMode}
            choices={[
              { value: 'light', label: 'Light', icon: <Sun size={13} aria-hidden /> },
              { value: 'dark', label: 'Dark', icon: <Moon size={13} aria-hidden /> },
              { value: 'system', label: 'System', icon: <Monitor size={13} aria-hidden /> },
            ]}
          />
        </div>
      </main>
    </div>
  )
}
