import { Link, useRouterState } from '@tanstack/react-router'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId, useState } from 'react'
import { type NavigationEntry, navigationGroups } from '../panel/define-pages.ts'
import { usePanel } from '../panel/use-panel.ts'
import { useSomePluginPages } from '../session/plugin-pages.ts'
import { useMay } from '../session/session.ts'
import { part } from '../ui/page/part.tsx'
import { useStarted } from '../ui/page/turns.ts'
import { foldedGroups, keepFolded } from './folded-groups.ts'
import styles from './navigation.module.css'
import { entryTarget, useSide } from './side.ts'
import { t } from './words.ts'

const PluginEntries = part(() => import('../pages/plugin-pages/plugin-entries.tsx'))

interface Group {
  /** Its internal name, under which a browser stores that it is collapsed. */
  readonly name: string
  readonly title: string
  readonly entries: readonly NavigationEntry[]
}

/** The navigation entries of this person on the open side. */
export function useNavigation(): readonly Group[] {
  const { navigation } = usePanel()
  const [side] = useSide()
  const may = useMay()
  const entries = navigation
    .filter(({ forCustomers }) =>
      side === 'own' ? forCustomers !== undefined : forCustomers !== 'only',
    )
    .filter(({ needs }) => needs === undefined || may(needs))
    .filter(({ label }, at, all) => all.findIndex((one) => one.label === label) === at)
  if (side === 'own') return [{ name: 'own', title: t.ownGroup, entries }]
  return Object.entries(navigationGroups())
    .map(([name, title]) => ({
      name,
      title,
      entries: entries.filter(({ group }) => group === name),
    }))
    .filter((group) => group.entries.length > 0)
}

/** One link to a page of the navigation. */
export function EntryLink({
  entry,
  onNavigate,
}: {
  entry: NavigationEntry
  onNavigate?: () => void
}) {
  const [side] = useSide()
  const { label, icon: Icon, exact, to: at } = entry
  const { navigation } = usePanel()
  // Of nested entries, only the one of the open page is marked.
  const isBelow = useRouterState({
    select: ({ location: { pathname } }) =>
      navigation.some(({ to }) => to.startsWith(`${at}/`) && `${pathname}/`.startsWith(`${to}/`)),
  })
  return (
    <Link
      {...entryTarget(entry, side)}
      title={label}
      activeOptions={{ exact: isBelow || (exact ?? false), includeSearch: false }}
      {...(onNavigate ? { onClick: onNavigate } : {})}
    >
      <Icon aria-hidden />
      <span>{label}</span>
    </Link>
  )
}

/** The pages of the open side, in groups that fold. */
export function Navigation({
  inSide,
  onNavigate,
}: {
  /** At the side of the page, where it shrinks to icons. */
  inSide?: boolean
  onNavigate?: () => void
}) {
  const groups = useNavigation()
  const [side] = useSide()
  const started = useStarted()
  const some = useSomePluginPages()
  const list = (group: Group) => (
    <GroupList
      key={group.name}
      group={group}
      titled={groups.length > 1}
      {...(onNavigate ? { onNavigate } : {})}
    />
  )
  return (
    <nav className={`${styles.nav} ${inSide ? styles.inSide : ''}`} aria-label={t.navigation}>
      {groups.map(list)}
      {some && started ? <PluginEntries side={side}>{list}</PluginEntries> : null}
    </nav>
  )
}

function GroupList({
  group: { name, title, entries },
  titled,
  onNavigate,
}: {
  group: Group
  titled: boolean
  onNavigate?: () => void
}) {
  const id = useId()
  const [folded, setFolded] = useState(() => foldedGroups().includes(name))
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // The open page's group stays open, so that people see where they are.
  const here = entries.some(({ to }) => path === to || path.startsWith(`${to}/`))
  const open = !titled || here || !folded
  const fold = () => {
    keepFolded(name, !folded)
    setFolded(!folded)
  }
  return (
    <div className={styles.group}>
      {titled ? (
        <h2>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            aria-disabled={here || undefined}
            onClick={here ? undefined : fold}
          >
            {title}
            <ChevronDown aria-hidden />
          </button>
        </h2>
      ) : null}
      <ul id={id} hidden={!open}>
        {entries.map((entry) => (
          <li key={entry.to}>
            <EntryLink entry={entry} {...(onNavigate ? { onNavigate } : {})} />
          </li>
        ))}
      </ul>
    </div>
  )
}
