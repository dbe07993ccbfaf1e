import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import { useMaybeMe } from '../../../session/session.ts'
import { PublicPage } from '../../../ui/page/public-page.tsx'
import { t } from '../words.ts'

interface HelpFrameProps {
  title: string
  /** Above the title. */
  above?: ReactNode
  children: ReactNode
}

/** The help center is a standalone page, readable without an account. */
export function HelpFrame({ title, above, children }: HelpFrameProps) {
  const me = useMaybeMe()
  return (
    <PublicPage
      title={title}
      above={above}
      place={<Link to={paths.helpCenter}>{t.help}</Link>}
      way={
        me === undefined ? null : (
          <Link to={me === null ? paths.signIn : paths.home}>
            {me === null ? t.signIn : t.toPanel}
          </Link>
        )
      }
    >
      {children}
    </PublicPage>
  )
}
