import { Link, useMatches, useRouterState } from '@tanstack/react-router'
import { entryAt } from '../panel/entry-at.ts'
import { usePanel } from '../panel/use-panel.ts'
import { useMe } from '../session/session.ts'
import { putCrumbSlot, useTitles } from '../ui/page/titles.ts'
import styles from './breadcrumbs.module.css'
import { entryTarget, SIDE_NAMES, useSide, useStartOf } from './side.ts'

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
  const page = name === entry?.label ? '' : name
  const last = tab === '' ? page : tab
  return (
    <nav className={styles.crumbs} aria-label="Breadcrumbs">
      <ol>
        {role === 'admin' ? (
          <li className={styles.sideName}>
            <Link {...startOf(side)}>{SIDE_NAMES[side]}</Link>
          </li>
        ) : null}
        {entry === undefined ? null : (
          <li className={styles.entryCrumb} data-last={last === '' || undefined}>
            {last === '' ? (
              <span aria-current="page">{entry.label}</span>
            ) : (
              <Link {...entryTarget(entry, side)}>{entry.label}</Link>
            )}
          </li>
        )}
        {/* Pages that lie deeper put the links to what is above them here. */}
        <li ref={putCrumbSlot} className={styles.ownCrumbs} />
        {page === '' || tab === '' ? null : (
          <li className={styles.pageCrumb}>
            {above?.startsWith('/') ? <Link to={above}>{page}</Link> : page}
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
