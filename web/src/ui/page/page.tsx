import { type ReactNode, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import styles from './page.module.css'
import { call, useCrumbSlot } from './titles.ts'

let first = true

/** Sets the tab's part of the window title; empty when there is none. */
export const callTab = (tab: string): void => call({ tab })

/**
 * Sets the window title and focuses the heading after a change of page.
 * @param name of the page in the breadcrumbs, if it differs from its title
 */
export function usePageTitle(title: string, name = title) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    call({ page: title, name, path: location.pathname })
  }, [title, name])
  useEffect(() => {
    if (!first && !document.querySelector('main :focus'))
      heading.current?.focus({ preventScroll: true })
    first = false
  }, [])
  return heading
}

interface PageProps {
  title: string
  /** Links to the parent pages for the breadcrumbs; by default the navigation entry. */
  crumbs?: ReactNode
  lead?: ReactNode
  /** Before the title. */
  icon?: ReactNode
  beside?: ReactNode
  actions?: ReactNode
  narrow?: boolean
  children: ReactNode
}

/** The frame of a page: heading, actions, content. */
export function Page({ title, crumbs, lead, icon, beside, actions, narrow, children }: PageProps) {
  const heading = usePageTitle(title)
  const slot = useCrumbSlot()
  return (
    <div className={`${styles.page} ${narrow ? styles.narrow : ''}`}>
      <header className={styles.head}>
        <div>
          {crumbs === undefined || slot === null ? null : createPortal(crumbs, slot)}
          <h1 ref={heading} tabIndex={-1} className={icon === undefined ? '' : styles.marked}>
            {icon}
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
