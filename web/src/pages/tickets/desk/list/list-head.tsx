import { TICKET_PRIORITIES } from '@lodge/shared/support/ticket-words.ts'
import { TICKET_VIEWS } from '@lodge/shared/support/tickets.ts'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { type ReactNode, useEffect, useState } from 'react'
import { useList } from '../../../../session/use-list.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { ViewsMenu } from '../../../../ui/data/views-menu.tsx'
import type { DeskSearch } from '../../desk-search.ts'
import { t as parts } from '../../parts/words.ts'
import styles from '../desk.module.css'
import { FIRST_VIEW } from '../desk-query.ts'
import { useDesk } from '../use-desk.ts'
import { t } from '../words.ts'
import { filterOf, searchOf } from './saved-views.ts'

const PAUSE_MS = 200
const ANY = 'any'
const SAVED = 'saved:'
/** The desk's list has no columns. */
const NO_COLUMNS: readonly [] = []

interface ListHeadProps {
  search: DeskSearch
  onShow: (change: Partial<DeskSearch>) => void
  children: ReactNode
}

/** The head of the list: view, search and filters. */
export function ListHead({ search, onShow, children }: ListHeadProps) {
  const { categories, groups } = useDesk()
  const { kept, keep } = useList('tickets', NO_COLUMNS)
  const now = { filter: filterOf(search), sort: null, columns: [] }
  const saved = kept.views.find(({ filter }) => filter === now.filter)
  const [unfolded, setUnfolded] = useState(
    Boolean(search.priority || search.category || search.group),
  )
  const narrowing = (
    label: string,
    value: string | undefined,
    choices: readonly { value: string; label: string }[],
    onChange: (value: string | undefined) => void,
  ) => (
    <SelectField
      bare
      label={label}
      value={value ?? ANY}
      choices={[{ value: ANY, label: t.any({ what: label }) }, ...choices]}
      onChange={(next) => onChange(next === ANY ? undefined : next)}
    />
  )
  const named = (list: readonly { id: string; name: string }[]) =>
    list.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div className={styles.listHead}>
      <div className={styles.viewRow}>
        <SelectField
          bare
          label={t.viewLabel}
          value={saved ? `${SAVED}${saved.name}` : (search.view ?? FIRST_VIEW)}
          choices={[
            ...TICKET_VIEWS.map((view) => ({ value: view, label: t.view({ view }) })),
            ...kept.views.map(({ name }) => ({ value: `${SAVED}${name}`, label: name })),
          ]}
          onChange={(next) => {
            const own = kept.views.find(({ name }) => next === `${SAVED}${name}`)
            const found = TICKET_VIEWS.find((one) => one === next)
            const view = found === FIRST_VIEW ? undefined : found
            // Leaving a saved view also clears its filters.
            onShow(
              own || saved
                ? { ...searchOf(own ?? { filter: '' }), ...(!own && { view }) }
                : { view },
            )
          }}
        />
        <Button
          size="small"
          kind="quiet"
          icon={<SlidersHorizontal />}
          aria-label={t.narrow}
          aria-expanded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
        />
        {children}
      </div>
      <SearchBox text={search.q ?? ''} onFind={(q) => onShow({ q })} />
      {unfolded ? (
        <div className={styles.narrowing}>
          {narrowing(
            t.priority,
            search.priority,
            TICKET_PRIORITIES.map((value) => ({
              value,
              label: parts.priority({ priority: value }),
            })),
            (next) => onShow({ priority: TICKET_PRIORITIES.find((one) => one === next) }),
          )}
          {categories.length > 0
            ? narrowing(t.category, search.category, named(categories), (category) =>
                onShow({ category }),
              )
            : null}
          {groups.length > 0
            ? narrowing(t.group, search.group, named(groups), (group) => onShow({ group }))
            : null}
          <ViewsMenu
            views={kept.views}
            now={now}
            onOpen={(view) => onShow(searchOf(view))}
            onChange={(views) => keep({ views })}
          />
        </div>
      ) : null}
    </div>
  )
}

/** Searches after typing pauses. */
function SearchBox({ text, onFind }: { text: string; onFind: (q: string | undefined) => void }) {
  const [typed, setTyped] = useState(text)
  const [searched, setSearched] = useState(text)
  if (text !== searched) {
    setSearched(text)
    setTyped(text)
  }
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => onFind(typed.trim() || undefined), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, text, onFind])
  return (
    <input
      type="search"
      className={styles.search}
      data-search
      aria-label={t.search}
      placeholder={t.search}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
