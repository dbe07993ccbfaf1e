import { Select } from '@mantine/core'
import Search from 'lucide-react/icons/search'
import '../fields/field.css'
import styles from './find-field.module.css'
import { markedParts } from './marked-parts.ts'
import './select-field.css'

interface Hit {
  readonly id: string
  readonly label: string
  /** Its location, below its label. */
  readonly place: string
}

interface FindFieldProps<T extends Hit> {
  label: string
  typed: string
  /** The results for the typed text, best first. */
  hits: readonly T[]
  nothingFound: string
  onType: (text: string) => void
  onChoose: (hit: T) => void
}

/** A search field with results while typing, which opens the chosen one. */
export function FindField<T extends Hit>(props: FindFieldProps<T>) {
  const { label, typed, hits, nothingFound, onType, onChoose } = props
  const byId = new Map(hits.map((hit) => [hit.id, hit]))
  return (
    <Select
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={14} aria-hidden />}
      rightSection={<span />}
      rightSectionWidth={8}
      searchable
      selectFirstOptionOnChange
      // Without this, opening clears the selected option a moment later, after fast or pasted text
      // has arrived: the first hit looks chosen and Enter does nothing.
      selectFirstOptionOnDropdownOpen
      openOnFocus={false}
      data={hits.map(({ id, label }) => ({ value: id, label }))}
      filter={({ options }) => options}
      value={null}
      searchValue={typed}
      onSearchChange={onType}
      nothingFoundMessage={nothingFound}
      withScrollArea={false}
      styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 80 } }}
      renderOption={({ option }) => (
        <span>
          <Marked text={option.label} typed={typed} />
          <small className={styles.place}>{byId.get(option.value)?.place}</small>
        </span>
      )}
      onChange={(id) => {
        const hit = id === null ? undefined : byId.get(id)
        if (hit) onChoose(hit)
      }}
    />
  )
}

const Marked = ({ text, typed }: { text: string; typed: string }) =>
  markedParts(text, typed).map(({ part, found, at }) =>
    found ? (
      <mark key={at} className={styles.found}>
        {part}
      </mark>
    ) : (
      part
    ),
  )
