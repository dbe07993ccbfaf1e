import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useState } from 'react'
import styles from './toolbar.module.css'

export const Toolbar = ({ children }: { children: ReactNode }) => (
  <div className={styles.toolbar}>{children}</div>
)

interface SearchBoxProps {
  label: string
  value: string
  onChange: (value: string) => void
}

/** The search box of a list; searches 200 ms after the last keystroke. `/` focuses it. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), 200)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <search className={styles.search}>
      <Search aria-hidden />
      <input
        type="search"
        data-search
        maxLength={500}
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </search>
  )
}

interface ChipsProps {
  label: string
  choices: readonly { readonly value: string; readonly label: string }[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Filter values that can be toggled. A chosen one that is no longer available stays removable. */
export function Chips({ label, choices, chosen, onChange }: ChipsProps) {
  const gone = chosen.filter((value) => !choices.some((choice) => choice.value === value))
  const all = [...choices, ...gone.map((value) => ({ value, label: value }))]
  return (
    <fieldset className={styles.chips} aria-label={label}>
      {all.map(({ value, label: text }) => {
        const on = chosen.includes(value)
        return (
          <button
            key={value}
            type="button"
            className={styles.chip}
            aria-pressed={on}
            onClick={() =>
              onChange(on ? chosen.filter((other) => other !== value) : [...chosen, value])
            }
          >
            {text}
            {on ? <X aria-hidden /> : null}
          </button>
        )
      })}
    </fieldset>
  )
}
