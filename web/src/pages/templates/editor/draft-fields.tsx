import ArrowUp from 'lucide-react/icons/arrow-up'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import type { Choice } from '../../../ui/fields/field-props.ts'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { at, listAt, moved, type Path, textAt } from './draft.ts'
import styles from './editor.module.css'
import { useDraft, useUnread } from './use-draft.ts'
import { t } from './words.ts'

interface DraftField {
  path: Path
  label: string
  description?: ReactNode
  placeholder?: string
  mono?: boolean
}

/** An empty text is removed from the document, unless it is required. */
export function DraftText({ path, keep, ...rest }: DraftField & { keep?: boolean }) {
  const { draft, set, faultAt, disabled } = useDraft()
  return (
    <TextField
      {...rest}
      disabled={disabled}
      value={textAt(draft, path)}
      error={faultAt(path)}
      onChange={(text) => set(path, text === '' && !keep ? undefined : text)}
    />
  )
}

export function DraftArea({ path, rows, ...rest }: DraftField & { rows?: number }) {
  const { draft, set, faultAt, disabled } = useDraft()
  return (
    <AreaField
      {...rest}
      {...(rows === undefined ? {} : { rows })}
      disabled={disabled}
      value={textAt(draft, path)}
      error={faultAt(path)}
      onChange={(text) => set(path, text === '' ? undefined : text)}
    />
  )
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** A list of texts, one per line. */
export function DraftLines({ path, rows = 4, ...rest }: DraftField & { rows?: number }) {
  const { draft, set, faultAt, disabled } = useDraft()
  const list = listAt(draft, path)
  const inside = list.flatMap((_, at) => faultAt([...path, at]) ?? [])
  return (
    <AreaField
      {...rest}
      rows={rows}
      disabled={disabled}
      value={list.map(String).join('\n')}
      error={faultAt(path) ?? inside[0]}
      onChange={(text) => set(path, linesOf(text))}
    />
  )
}

/** A list of words, separated by commas. */
export function DraftWords({ path, ...rest }: DraftField) {
  const { draft, set, faultAt, disabled } = useDraft()
  const words = listAt(draft, path).map(String)
  const [typed, setTyped] = useState<string>()
  const read = (text: string): string[] => text.split(/[,\s]+/).filter((word) => word !== '')
  const isCurrent = typed !== undefined && read(typed).join() === words.join()
  return (
    <TextField
      {...rest}
      disabled={disabled}
      value={isCurrent ? typed : words.join(', ')}
      error={faultAt(path) ?? words.flatMap((_, at) => faultAt([...path, at]) ?? [])[0]}
      onChange={(text) => {
        setTyped(text)
        set(path, read(text))
      }}
    />
  )
}

/** A whole number; an unreadable one is not written into the document, which then cannot be sent. */
export function DraftNumber({ path, ...rest }: DraftField) {
  const { draft, set, faultAt, disabled } = useDraft()
  const [unread, setUnread] = useUnread(path)
  const value = at(draft, path)
  return (
    <NumberField
      {...rest}
      disabled={disabled}
      value={unread ? Number.NaN : typeof value === 'number' ? value : undefined}
      error={faultAt(path)}
      onChange={(amount) => {
        setUnread(Number.isNaN(amount))
        if (!Number.isNaN(amount)) set(path, amount)
      }}
    />
  )
}

export function DraftSwitch({ path, usual, ...rest }: DraftField & { usual: boolean }) {
  const { draft, set, faultAt, disabled } = useDraft()
  const value = at(draft, path)
  return (
    <SwitchField
      {...rest}
      disabled={disabled}
      value={typeof value === 'boolean' ? value : usual}
      error={faultAt(path)}
      onChange={(on) => set(path, on)}
    />
  )
}

interface DraftSelectProps extends DraftField {
  choices: readonly Choice[]
  /** The meaning of a missing value. */
  usual?: string
  /** Also changes related values. */
  onChoose?: (value: string) => void
}

export function DraftSelect({ path, choices, usual = '', onChoose, ...rest }: DraftSelectProps) {
  const { draft, set, faultAt, disabled } = useDraft()
  return (
    <SelectField
      {...rest}
      disabled={disabled}
      choices={choices}
      value={textAt(draft, path) || usual}
      error={faultAt(path)}
      onChange={onChoose ?? ((value) => set(path, value))}
    />
  )
}

type RowKind = 'image' | 'command' | 'output' | 'step' | 'port' | 'variable' | 'file' | 'value'

interface DraftRowsProps {
  path: Path
  /** The kind of one entry. */
  noun: RowKind
  /** Creates a new entry. */
  fresh: () => unknown
  /** Shown while there is no entry. */
  none?: string
  /** Whether the order matters. */
  ordered?: boolean
  children: (path: Path, index: number) => ReactNode
}

/** The entries of a list, each with its fields. */
export function DraftRows({ path, noun, fresh, none, ordered, children }: DraftRowsProps) {
  const { draft, set, faultAt, disabled } = useDraft()
  const list = listAt(draft, path)
  const fault = faultAt(path)
  return (
    <div className={styles.rows}>
      {list.map((_, index) => (
        <fieldset
          key={index}
          className={styles.row}
          aria-label={t.row({ kind: noun, number: index + 1 })}
        >
          <div className={styles.fields}>{children([...path, index], index)}</div>
          <div className={styles.tools}>
            {ordered && index > 0 ? (
              <IconButton
                size="small"
                label={t.moveRowUp({ kind: noun, number: index + 1 })}
                onClick={() => set(path, moved(list, index, index - 1))}
              >
                <ArrowUp />
              </IconButton>
            ) : null}
            <IconButton
              size="small"
              label={t.removeRow({ kind: noun, number: index + 1 })}
              onClick={() => set([...path, index], undefined)}
            >
              <Trash2 />
            </IconButton>
          </div>
        </fieldset>
      ))}
      {list.length === 0 && none !== undefined ? <p className={styles.none}>{none}</p> : null}
      {fault === undefined ? null : (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      <div>
        <Button
          size="small"
          icon={<Plus />}
          disabledBecause={disabled ? t.mendSource : undefined}
          onClick={() => set([...path, list.length], fresh())}
        >
          {t.addRow({ kind: noun })}
        </Button>
      </div>
    </div>
  )
}
