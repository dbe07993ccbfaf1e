import {
  asksFor,
  type FilterTerm,
  parseFilter,
  toggleValue,
  writeFilter,
} from '@lodge/shared/lists/filter.ts'
import ListFilter from 'lucide-react/icons/list-filter'
import X from 'lucide-react/icons/x'
import { useId } from 'react'
import { Button } from '../buttons/button.tsx'
import { Floating } from '../floating/floating.tsx'
import { Column, Row, Text } from '../page/layout.tsx'
import styles from './toolbar.module.css'
import { Chips, SearchBox } from './toolbar.tsx'
import { t } from './words.ts'

/** A field that a list can be filtered by. */
export interface FilterField {
  /** As in the filter's text. */
  readonly name: string
  /** For people. */
  readonly label: string
  /** All its values; undefined if it takes any text. */
  readonly values?: readonly { readonly value: string; readonly label: string }[]
  /** Values that have chips beside the box; true for all. */
  readonly chips?: true | readonly string[]
  /** For a field of any text, such as `node:lon*`. */
  readonly example?: string
}

interface FilterBoxProps {
  /** What is searched, such as `Search servers`. */
  label: string
  fields: readonly FilterField[]
  value: string
  onChange: (value: string) => void
}

interface Part {
  readonly key: string
  readonly field: string
  readonly value: string
  readonly label: string
  readonly on: boolean
  /** Why this value matches nothing. */
  readonly unknown?: string
}

/** The chips of a filter: the values that are offered, then those that only the text has. */
export function partsOf(terms: readonly FilterTerm[], fields: readonly FilterField[]): Part[] {
  const offered = fields.flatMap(({ name, values = [], chips = [] }) =>
    values
      .filter(({ value }) => chips === true || chips.includes(value))
      .map(({ value, label }): Part => {
        const key = `${name}:${value}`
        return { key, field: name, value, label, on: asksFor(terms, name, value) }
      }),
  )
  const own = new Set(offered.map(({ key }) => key.toLowerCase()))
  const written = terms.flatMap(({ field, values }) =>
    field === null ? [] : values.map((value) => ({ field, value, key: `${field}:${value}` })),
  )
  const others = written
    .filter(({ key }, at) => {
      const first = written.findIndex((one) => one.key.toLowerCase() === key.toLowerCase())
      return first === at && !own.has(key.toLowerCase())
    })
    .map(({ field, value, key }): Part => {
      const known = fields.find(({ name }) => name === field)
      const label = known?.label ?? field
      const found = known?.values?.find((one) => one.value.toLowerCase() === value.toLowerCase())
      const part = {
        key,
        field,
        value,
        label: t.filterValue({ field: label, value: found?.label ?? value }),
        on: true,
      }
      return known?.values && !found ? { ...part, unknown: t.noSuchValue } : part
    })
  return [...offered, ...others]
}

/**
 * One box for the filter's text, and chips that edit the same text. A value that no longer exists is
 * a chip too, so that it can be removed.
 */
export function FilterBox({ label, fields, value, onChange }: FilterBoxProps) {
  const names = fields.map(({ name }) => name)
  const terms = parseFilter(value, names)
  const toggle = (field: string, one: string): void =>
    onChange(writeFilter(toggleValue(terms, field, one)))
  const parts = partsOf(terms, fields)
  return (
    <>
      <SearchBox label={label} value={value} onChange={onChange} />
      <FilterMenu fields={fields} terms={terms} onToggle={toggle} />
      {parts.length === 0 ? null : (
        <fieldset className={styles.chips} aria-label={t.filters}>
          {parts.map((part) => (
            <button
              key={part.key.toLowerCase()}
              type="button"
              className={styles.chip}
              aria-pressed={part.on}
              title={part.unknown}
              data-unknown={part.unknown === undefined ? undefined : true}
              onClick={() => toggle(part.field, part.value)}
            >
              {part.label}
              {part.on ? <X aria-hidden /> : null}
            </button>
          ))}
        </fieldset>
      )}
    </>
  )
}

interface FilterMenuProps {
  fields: readonly FilterField[]
  terms: readonly FilterTerm[]
  onToggle: (field: string, value: string) => void
}

const valuesIn = (
  terms: readonly FilterTerm[],
  name: string,
  values: NonNullable<FilterField['values']>,
): string[] => values.map(({ value }) => value).filter((value) => asksFor(terms, name, value))

/** Every field with its values, for people who do not know the syntax yet. */
function FilterMenu({ fields, terms, onToggle }: FilterMenuProps) {
  const id = useId()
  return (
    <>
      <Button icon={<ListFilter />} popoverTarget={id}>
        {t.filter}
      </Button>
      <Floating id={id} label={t.filter} role="dialog" width={320}>
        {() => (
          <Column gap={12}>
            {fields.map(({ name, label, values, example }) => (
              <Column key={name} gap={4}>
                <Row between>
                  <Text small strong>
                    {label}
                  </Text>
                  <Text small muted mono>
                    {values ? `${name}:` : (example ?? `${name}:`)}
                  </Text>
                </Row>
                {values ? (
                  <Chips
                    label={label}
                    choices={values}
                    chosen={valuesIn(terms, name, values)}
                    onChange={(next) => {
                      const before = valuesIn(terms, name, values)
                      for (const { value } of values)
                        if (next.includes(value) !== before.includes(value)) onToggle(name, value)
                    }}
                  />
                ) : null}
              </Column>
            ))}
            <Text small muted>
              {t.filterHelp}
            </Text>
          </Column>
        )}
      </Floating>
    </>
  )
}
