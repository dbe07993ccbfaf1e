import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import { useMaybeMe } from '../../../session/session.ts'
import { Logo } from '../../../ui/page/logo.tsx'
import { usePageTitle } from '../../../ui/page/page.tsx'
import { t } from '../words.ts'
import styles from './help.module.css'

interface HelpFrameProps {
  title: string
  /** Above the title. */
  above?: ReactNode
  children: ReactNode
}

/** The help center stands on its own, so that it can be read without an account. */
export function HelpFrame({ title, above, children }: HelpFrameProps) {
  const heading = usePageTitle(title)
  const me = useMaybeMe()
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <Link to={paths.helpCenter} className={styles.brand}>
          <span>
            <Logo />
          </span>
          {t.help}
        </Link>
        {me === undefined ? null : (
          <Link to={me === null ? paths.signIn : paths.home}>
            {me === null ? t.signIn : t.toPanel}
          </Link>
        )}
      </header>
      <main className={styles.main}>
        {above}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
    </div>
  )
}
