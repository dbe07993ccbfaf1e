import type { ReactNode } from 'react'
import { Text } from './layout.tsx'
import { Logo } from './logo.tsx'
import { usePageTitle } from './page.tsx'
import styles from './public-page.module.css'

interface PublicPageProps {
  title: string
  /** Below the title. */
  lead?: string
  /** Above the title. */
  above?: ReactNode
  /** Beside the logo. */
  place?: ReactNode
  /** At the end of the header: the link into the panel. */
  way: ReactNode
  /** Cards side by side instead of text to read. */
  wide?: boolean
  children: ReactNode
}

/** A standalone page outside the panel, visible without an account. */
export function PublicPage(props: PublicPageProps) {
  const heading = usePageTitle(props.title)
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <span className={styles.brand}>
          <span className={styles.logo}>
            <Logo />
          </span>
          {props.place}
        </span>
        {props.way}
      </header>
      <main className={styles.main} data-wide={props.wide || undefined}>
        {props.above}
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {props.title}
          </h1>
          {props.lead !== undefined && <Text muted>{props.lead}</Text>}
        </div>
        {props.children}
      </main>
    </div>
  )
}
