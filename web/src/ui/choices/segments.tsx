import { type ReactNode, useId } from 'react'
import type { Choice } from '../fields/field-props.ts'
import styles from './segments.module.css'

interface SegmentsProps<T extends string> {
  id?: string
  label: string
  value: T
  choices: readonly (Choice & {
    readonly value: T
    readonly icon?: ReactNode
    readonly lang?: string
  })[]
  /** The text below all choices. */
  description?: ReactNode
  onChange: (value: T) => void
}

/** One of a few choices, all visible; radio buttons underneath. */
export function Segments<T extends string>(props: SegmentsProps<T>) {
  const { id, label, value, choices, description, onChange } = props
  const name = useId()
  const group = (
    <div id={id} className={styles.segments} role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span lang={choice.lang}>
            {choice.icon}
            {choice.label}
          </span>
        </label>
      ))}
    </div>
  )
  if (description === undefined) return group
  return (
    <>
      {group}
      <p className={styles.description}>{description}</p>
    </>
  )
}
