import { type ReactNode, useEffect, useRef } from 'react'
import styles from './page.module.css'

let first = true
/** The parts of the window's title: the page, preceded by the open tab. */
const called = { page: '', tab: '' }

function call(change: Partial<typeof called>): void {
  Object.assign(called, change)
  document.title = [called.tab, called.page, 'Lodge'].filter((part) => part !== '').join(' · ')
}

/** Sets the tab's part of the window title; empty when there is none. */
export const callTab = (tab: string): void => call({ tab })

/** Sets the window title and focuses the heading after a change of page. */
export function usePageTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    call({ page: title })
  }, [title])
  useEffect(() => {
    if (!first && !document.querySelector('main :focus'))
      heading.current?.focus({ preventScroll: true })
    first = false
  }, [])
  return heading
}

interface PageProps {
  title: string
  /** The content above the title, e.g. a link back. */
  crumbs?: ReactNode
  lead?: ReactNode
  beside?: ReactNode
  actions?: ReactNode
  narrow?: boolean
  children: ReactNode
}

/** The frame of a page: heading, actions, content. */
export function Page({ title, crumbs, lead, beside, actions, narrow, children }: PageProps) {
  const heading = usePageTitle(title)
  return (
    <div className={`${styles.page} ${narrow ? styles.narrow : ''}`}>
      <header className={styles.head}>
        <div>
          {crumbs === undefined ? null : (
            <nav className={styles.crumbs} aria-label="Above this page">
              {crumbs}
            </nav>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title} {beside}
          </h1>
          {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
        </div>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
