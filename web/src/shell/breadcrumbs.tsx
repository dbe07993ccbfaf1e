import { Link, useMatches, useRouterState } from '@tanstack/react-router'
import { entryAt } from '../panel/entry-at.ts'
import { usePanel } from '../panel/use-panel.ts'
import { useMe } from '../session/session.ts'
import { putCrumbSlot, useTitles } from '../ui/page/titles.ts'
import styles from './breadcrumbs.module.css'
import { entryTarget, sideName, useSide, useStartOf } from './side.ts'
import { t } from './words.ts'

/** Where the open page is: side, entry of the navigation, page, tab. */
export function Breadcrumbs() {
  const { navigation } = usePanel()
  const { role } = useMe()
  const [side] = useSide()
  const startOf = useStartOf()
  const { name, tab } = useTitles()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const above = useMatches().at(-2)?.pathname
  const entry = entryAt(navigation, path)
  // The page of the entry itself may have a longer title.
  const page = name === entry?.label || path === entry?.to ? '' : name
  const last = tab === '' ? page : tab
  return (
    <nav className={styles.crumbs} aria-label={t.breadcrumbs}>
      <ol>
        {role === 'admin' ? (
          <li className={styles.sideName}>
            <Crumb target={startOf(side)} path={path}>
              {sideName(side)}
            </Crumb>
          </li>
        ) : null}
        {entry === undefined ? null : (
          <li className={styles.entryCrumb} data-last={last === '' || undefined}>
            {last === '' ? (
              <span aria-current="page">{entry.label}</span>
            ) : (
              <Crumb target={entryTarget(entry, side)} path={path}>
                {entry.label}
              </Crumb>
            )}
          </li>
        )}
        {/* Nested pages put the links to the pages above them here. */}
        <li ref={putCrumbSlot} className={styles.ownCrumbs} />
        {page === '' || tab === '' ? null : (
          <li className={styles.pageCrumb}>
            {above?.startsWith('/') ? (
              <Crumb target={{ to: above }} path={path}>
                {page}
              </Crumb>
            ) : (
              page
            )}
          </li>
        )}
        {last === '' ? null : (
          <li data-last>
            <span aria-current="page">{last}</span>
          </li>
        )}
      </ol>
    </nav>
  )
}

/** A link to a page above; plain text for the open page. */
function Crumb({
  target,
  path,
  children,
}: {
  target: { to: string; search?: never }
  path: string
  children: string
}) {
  if (target.to === path) return <span>{children}</span>
  return (
    <Link {...target} activeOptions={UP}>
      {children}
    </Link>
  )
}

/** Otherwise each link above would be marked as the current page. */
const UP = { exact: true }
