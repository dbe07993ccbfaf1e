import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { Chips, SearchBox, Toolbar } from '../../ui/data/toolbar.tsx'
import { DateField } from '../../ui/fields/date-field.tsx'
import { type AuditSearch, daysAgo, given, type Period, periodOf } from './audit-search.ts'
import { t } from './words.ts'

/** Subjects of entries, by a part of their action. */
const SUBJECTS = [
  { action: '/api/servers', label: () => t.servers },
  { action: '/api/customers', label: () => t.customers },
  { action: '/api/nodes', label: () => t.nodes },
  { action: '/api/templates', label: () => t.templates },
  { action: '/api/plans', label: () => t.plans },
  { action: '/api/virtualization', label: () => t.virtualization },
  { action: '/api/team', label: () => t.team },
  { action: '/api/tokens', label: () => t.tokens },
  { action: '/api/settings', label: () => t.settings },
  { action: 'signed in', label: () => t.signIns },
]
const subjects = (): readonly Choice[] =>
  SUBJECTS.map(({ action, label }) => ({ value: action, label: label() }))

const periods = (): readonly { value: Period; label: string }[] => [
  { value: 'any', label: t.anyTime },
  { value: 'today', label: t.today },
  { value: 'week', label: t.week },
  { value: 'month', label: t.month },
  { value: 'between', label: t.between },
]

interface AuditFiltersProps {
  search: AuditSearch
  onChange: (search: AuditSearch) => void
}

/** Filters the record by actor, action, object, time and address, all stored in the page's URL. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const put = (change: AuditSearch): void => onChange(given({ ...search, ...change }))
  const about = withChosen(subjects(), search.action, search.action ?? '')
  return (
    <>
      <Toolbar>
        <SearchBox label={t.search} value={search.q ?? ''} onChange={(q) => put({ q })} />
        <ActorField search={search} onChange={put} />
        <SelectField
          label={t.about}
          bare
          value={search.action ?? 'all'}
          choices={[{ value: 'all', label: t.anything }, ...about]}
          onChange={(action) => put({ action: action === 'all' ? '' : action })}
        />
        <PeriodField search={search} onChange={put} />
      </Toolbar>
      <Chips
        label={t.moreFilters}
        choices={[
          { value: 'looks', label: t.withoutChanges },
          ...(search.target ? [{ value: 'target', label: t.oneObject }] : []),
          ...(search.person ? [{ value: 'person', label: t.byOrAbout }] : []),
          ...(search.address
            ? [{ value: 'address', label: t.fromAddress({ address: search.address }) }]
            : []),
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
      label={t.doneBy}
      bare
      searchable
      value={search.actor ?? 'all'}
      choices={[
        { value: 'all', label: t.anyone },
        ...withChosen(people, search.actor, t.onePerson),
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
      <SelectField label={t.time} bare value={period} choices={periods()} onChange={choose} />
      {period === 'between' ? (
        <>
          <DateField
            label={t.from}
            value={search.from ?? ''}
            onChange={(from) => onChange({ from })}
          />
          <DateField label={t.until} value={search.to ?? ''} onChange={(to) => onChange({ to })} />
        </>
      ) : null}
    </>
  )
}

interface Choice {
  readonly value: string
  readonly label: string
}

/** The choices, plus the chosen one if it is none of them. */
const withChosen = (choices: readonly Choice[], chosen: string | undefined, label: string) =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label }]
