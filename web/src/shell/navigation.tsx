import { Link } from '@tanstack/react-router'
import { NAVIGATION_GROUPS, type NavigationEntry } from '../panel/define-pages.ts'
import { usePanel } from '../panel/use-panel.ts'
import { useMay, useMe } from '../session/session.ts'
import styles from './shell.module.css'

interface Group {
  readonly title: string
  readonly entries: readonly NavigationEntry[]
}

/** The navigation entries of this person, also for the command palette. */
export function useNavigation(): readonly Group[] {
  const { navigation } = usePanel()
  const { role } = useMe()
  const may = useMay()
  const entries = navigation
    .filter(({ forCustomers }) => role === 'admin' || forCustomers)
    .filter(({ needs }) => needs === undefined || may(needs))
    .filter(({ label }, at, all) => all.findIndex((one) => one.label === label) === at)
  if (role !== 'admin') return [{ title: 'Yours', entries }]
  return NAVIGATION_GROUPS.map((title) => ({
    title,
    entries: entries.filter(({ group }) => group === title),
  })).filter((group) => group.entries.length > 0)
}

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const groups = useNavigation()
  return (
    <nav className={styles.nav} aria-label="Main">
      {groups.map((group) => [
        groups.length > 1 ? <h2 key={group.title}>{group.title}</h2> : null,
        ...group.entries.map(({ to, label, icon: Icon, exact }) => (
          <Link
            key={to}
            to={to}
            title={label}
            activeOptions={{ exact: exact ?? false, includeSearch: false }}
            {...(onNavigate ? { onClick: onNavigate } : {})}
          >
            <Icon aria-hidden />
            <span>{label}</span>
          </Link>
        )),
      ])}
    </nav>
  )
}
