import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { Chips, SearchBox, Toolbar } from '../../ui/data/toolbar.tsx'
import { DateField } from '../../ui/fields/date-field.tsx'
import { type AuditSearch, daysAgo, given, type Period, periodOf } from './audit-search.ts'

/** What entries are about, by a part of their action. */
const SUBJECTS = [
  { value: '/api/servers', label: 'Servers' },
  { value: '/api/customers', label: 'Customers' },
  { value: '/api/nodes', label: 'Nodes' },
  { value: '/api/templates', label: 'Templates' },
  { value: '/api/plans', label: 'Plans' },
  { value: '/api/virtualization', label: 'Virtualization' },
  { value: '/api/team', label: 'Team' },
  { value: '/api/tokens', label: 'API tokens' },
  { value: '/api/settings', label: 'Settings' },
  { value: 'signed in', label: 'Sign-ins' },
]

const PERIODS: readonly { value: Period; label: string }[] = [
  { value: 'any', label: 'Any time' },
  { value: 'today', label: 'Today' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
  { value: 'between', label: 'Between dates' },
]

interface AuditFiltersProps {
  search: AuditSearch
  onChange: (search: AuditSearch) => void
}

/** Filters the record by actor, action, object, time and address, all in the address of the page. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const put = (change: AuditSearch): void => onChange(given({ ...search, ...change }))
  const subjects = withChosen(SUBJECTS, search.action, search.action ?? '')
  return (
    <>
      <Toolbar>
        <SearchBox
          label="Search words, names, addresses"
          value={search.q ?? ''}
          onChange={(q) => put({ q })}
        />
        <ActorField search={search} onChange={put} />
        <SelectField
          label="About"
          bare
          value={search.action ?? 'all'}
          choices={[{ value: 'all', label: 'About anything' }, ...subjects]}
          onChange={(action) => put({ action: action === 'all' ? '' : action })}
        />
        <PeriodField search={search} onChange={put} />
      </Toolbar>
      <Chips
        label="Filters that are on"
        choices={[
          { value: 'looks', label: 'Include what changed nothing' },
          ...(search.target ? [{ value: 'target', label: 'One object only' }] : []),
          ...(search.person ? [{ value: 'person', label: 'By or about one person' }] : []),
          ...(search.address ? [{ value: 'address', label: `From ${search.address}` }] : []),
        ]}
        chosen={(['looks', 'target', 'person', 'address'] as const).filter((name) => search[name])}
        onChange={(chosen) =>
          put({
            looks: chosen.includes('looks') || undefined,
            ...(chosen.includes('target') ? {} : { target: '' }),
            ...(chosen.includes('person') ? {} : { person: '' }),
            ...(chosen.includes('address') ? {} : { address: '' }),
          })
        }
      />
    </>
  )
}

interface PartProps {
  search: AuditSearch
  onChange: (change: AuditSearch) => void
}

function ActorField({ search, onChange }: PartProps) {
  const may = useMay()
  const team = useQuery({ ...q('GET /api/team'), enabled: may('team.view') })
  const people = (team.data?.items ?? []).map(({ id, email }) => ({ value: id, label: email }))
  return (
    <SelectField
      label="Done by"
      bare
      searchable
      value={search.actor ?? 'all'}
      choices={[
        { value: 'all', label: 'Done by anybody' },
        ...withChosen(people, search.actor, 'One person'),
      ]}
      onChange={(actor) => onChange({ actor: actor === 'all' ? '' : actor })}
    />
  )
}

function PeriodField({ search, onChange }: PartProps) {
  const [between, setBetween] = useState(false)
  const period = between ? 'between' : periodOf(search, new Date())
  const choose = (next: string): void => {
    setBetween(next === 'between')
    if (next === 'any') onChange({ from: '', to: '' })
    else if (next === 'today') onChange({ from: daysAgo(0, new Date()), to: '' })
    else if (next === 'week') onChange({ from: daysAgo(6, new Date()), to: '' })
    else if (next === 'month') onChange({ from: daysAgo(29, new Date()), to: '' })
  }
  return (
    <>
      <SelectField label="Time" bare value={period} choices={PERIODS} onChange={choose} />
      {period === 'between' ? (
        <>
          <DateField
            label="From"
            value={search.from ?? ''}
            onChange={(from) => onChange({ from })}
          />
          <DateField label="Until" value={search.to ?? ''} onChange={(to) => onChange({ to })} />
        </>
      ) : null}
    </>
  )
}

interface Choice {
  readonly value: string
  readonly label: string
}

/** The choices, and the chosen one if it is none of them. */
const withChosen = (choices: readonly Choice[], chosen: string | undefined, label: string) =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label }]
