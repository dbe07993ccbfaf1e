import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { Tick } from '../../ui/choices/tick.tsx'
import { SearchBox, Toolbar } from '../../ui/data/toolbar.tsx'
import { DateField } from '../../ui/fields/date-field.tsx'

export interface AuditSearch {
  actor?: string
  target?: string
  /** Words, names or addresses. */
  q?: string
  /** Include entries that changed nothing. */
  looks?: true | undefined
  from?: string
  to?: string
}

/** Days in the browser's time zone: from the start of the first to the end of the last. */
export const queryOf = ({ actor, target, q, looks, from, to }: AuditSearch) => ({
  ...(actor ? { actorId: actor } : {}),
  ...(target ? { targetId: target } : {}),
  ...(q ? { q } : {}),
  ...(looks ? {} : { only: 'changes' as const }),
  ...(from ? { from: new Date(`${from}T00:00:00`).toISOString() } : {}),
  ...(to ? { to: new Date(`${to}T23:59:59.999`).toISOString() } : {}),
})

const given = (search: AuditSearch): AuditSearch =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== '' && value !== undefined),
  )

interface AuditFiltersProps {
  search: AuditSearch
  onChange: (search: AuditSearch) => void
}

/** Filters the record by actor, target and time. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const may = useMay()
  const team = useQuery({ ...q('GET /api/team'), enabled: may('team.view') })
  const put = (change: AuditSearch): void => onChange(given({ ...search, ...change }))
  const people = (team.data?.items ?? []).map(({ id, email }) => ({ value: id, label: email }))
  const known = people.some(({ value }) => value === search.actor)
  return (
    <Toolbar>
      <SearchBox
        label="Search words, names, addresses"
        value={search.q ?? ''}
        onChange={(q) => put({ q })}
      />
      <SelectField
        label="Done by"
        bare
        searchable
        value={search.actor ?? 'all'}
        choices={[
          { value: 'all', label: 'Done by anybody' },
          ...people,
          ...(search.actor && !known ? [{ value: search.actor, label: 'One person' }] : []),
        ]}
        onChange={(actor) => put({ actor: actor === 'all' ? '' : actor })}
      />
      <DateField label="From" value={search.from ?? ''} onChange={(from) => put({ from })} />
      <DateField label="Until" value={search.to ?? ''} onChange={(to) => put({ to })} />
      <Tick
        label="Also opened consoles and the like"
        checked={search.looks ?? false}
        onChange={(looks) => put({ looks: looks || undefined })}
      />
      {search.target ? (
        <Button size="small" onClick={() => put({ target: '' })}>
          Only one thing: show all
        </Button>
      ) : null}
    </Toolbar>
  )
}
