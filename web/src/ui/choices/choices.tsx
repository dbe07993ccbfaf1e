import { type ReactNode, useId } from 'react'
import styles from './choices.module.css'

interface ChoicesProps<T extends string> {
  id?: string
  label: string
  value: T
  choices: readonly {
    readonly value: T
    readonly label: string
    readonly description: string
  }[]
  /** The text below all choices. */
  description?: ReactNode
  disabled?: boolean
  onChange: (value: T) => void
}

/** One of a few choices that each need a sentence; radio buttons underneath. */
export function Choices<T extends string>(props: ChoicesProps<T>) {
  const { id, label, value, choices, description, disabled, onChange } = props
  const name = useId()
  return (
    <fieldset id={id} className={styles.choices} aria-label={label} disabled={disabled}>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            aria-describedby={`${name}-${choice.value}`}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>
            <b>{choice.label}</b>
            <small id={`${name}-${choice.value}`}>{choice.description}</small>
          </span>
        </label>
      ))}
      {description === undefined ? null : <p>{description}</p>}
    </fieldset>
  )
}
