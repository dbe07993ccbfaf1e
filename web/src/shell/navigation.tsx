import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { Link } from '@tanstack/react-router'
import Boxes from 'lucide-react/icons/boxes'
import Cpu from 'lucide-react/icons/cpu'
import Gauge from 'lucide-react/icons/gauge'
import HardDrive from 'lucide-react/icons/hard-drive'
import KeyRound from 'lucide-react/icons/key-round'
import ListChecks from 'lucide-react/icons/list-checks'
import Mail from 'lucide-react/icons/mail'
import ScrollText from 'lucide-react/icons/scroll-text'
import Server from 'lucide-react/icons/server'
import Settings from 'lucide-react/icons/settings'
import Tags from 'lucide-react/icons/tags'
import Ticket from 'lucide-react/icons/ticket'
import UserCheck from 'lucide-react/icons/user-check'
import UserCog from 'lucide-react/icons/user-cog'
import UserRound from 'lucide-react/icons/user-round'
import Users from 'lucide-react/icons/users'
import type { ComponentType } from 'react'
import { paths } from '../paths.ts'
import { type Me, useMay, useMe } from '../session/session.ts'
import styles from './shell.module.css'

type Icon = ComponentType<{ 'aria-hidden'?: boolean }>

export interface Place {
  readonly to: (typeof paths)[keyof typeof paths]
  readonly label: string
  readonly icon: Icon
  readonly needs?: AdminPermission
  readonly exact?: boolean
}

interface Group {
  readonly title: string
  readonly places: readonly Place[]
}

const SERVERS: Place = { to: paths.servers, label: 'Servers', icon: Server }
const JOBS: Place = { to: paths.jobs, label: 'Jobs', icon: ListChecks }
const ACCOUNT: Place = { to: paths.account, label: 'Account', icon: UserRound }

/** The first area of the settings that a person may see is where the entry leads. */
const SETTINGS: readonly Place[] = [
  { to: paths.settings, label: 'Settings', icon: Settings, needs: 'signup.manage' },
  { to: paths.settingsMail, label: 'Settings', icon: Settings, needs: 'settings.manage' },
  { to: paths.settingsLimits, label: 'Settings', icon: Settings, needs: 'limits.settings' },
]

const ADMIN: readonly Group[] = [
  {
    title: 'Fleet',
    places: [
      { to: paths.overview, label: 'Overview', icon: Gauge, exact: true },
      SERVERS,
      { to: paths.nodes, label: 'Nodes', icon: HardDrive, needs: 'nodes.view' },
      JOBS,
    ],
  },
  {
    title: 'Catalogue',
    places: [
      { to: paths.templates, label: 'Templates', icon: Boxes, needs: 'templates.view' },
      {
        to: paths.virtualization,
        label: 'Virtualization',
        icon: Cpu,
        needs: 'virtualization.manage',
      },
      { to: paths.plans, label: 'Plans', icon: Tags, needs: 'plans.view' },
    ],
  },
  {
    title: 'People',
    places: [
      { to: paths.customers, label: 'Customers', icon: Users, needs: 'customers.view' },
      { to: paths.pending, label: 'Pending', icon: UserCheck, needs: 'customers.approve' },
      { to: paths.invites, label: 'Invitations', icon: Ticket, needs: 'signup.manage' },
      { to: paths.team, label: 'Team', icon: UserCog, needs: 'team.view' },
      { to: paths.tokens, label: 'API tokens', icon: KeyRound, needs: 'tokens.manage' },
      ACCOUNT,
    ],
  },
  {
    title: 'System',
    places: [
      { to: paths.email, label: 'E-mail', icon: Mail, needs: 'email.view' },
      { to: paths.audit, label: 'Audit', icon: ScrollText, needs: 'audit.view' },
      ...SETTINGS,
    ],
  },
]
const CUSTOMER: readonly Group[] = [{ title: 'Yours', places: [SERVERS, JOBS, ACCOUNT] }]

const groupsOf = (me: Me): readonly Group[] => (me.role === 'admin' ? ADMIN : CUSTOMER)

/** Every place this person may go to, also for the command palette. */
export function usePlaces(): readonly Group[] {
  const me = useMe()
  const may = useMay()
  return groupsOf(me)
    .map((group) => ({
      ...group,
      places: group.places
        .filter((place) => place.needs === undefined || may(place.needs))
        .filter(({ label }, at, all) => all.findIndex((one) => one.label === label) === at),
    }))
    .filter(({ places }) => places.length > 0)
}

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const groups = usePlaces()
  return (
    <nav className={styles.nav} aria-label="Main">
      {groups.map((group) => [
        groups.length > 1 ? <h2 key={group.title}>{group.title}</h2> : null,
        ...group.places.map(({ to, label, icon: Icon, exact }) => (
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
