import { type ReactNode, useId } from 'react'
import styles from './tiles.module.css'

interface TilesProps<T> {
  legend: string
  items: readonly T[]
  keyOf: (item: T) => string
  chosen: string
  onChoose: (key: string) => void
  children: (item: T) => ReactNode
}

/** One of several cards; radio buttons underneath. */
export function Tiles<T>({ legend, items, keyOf, chosen, onChoose, children }: TilesProps<T>) {
  const name = useId()
  return (
    <fieldset className={styles.tiles} aria-label={legend}>
      {items.map((item) => (
        <label key={keyOf(item)} className={styles.tile}>
          <input
            type="radio"
            name={name}
            checked={chosen === keyOf(item)}
            onChange={() => onChoose(keyOf(item))}
          />
          {children(item)}
        </label>
      ))}
    </fieldset>
  )
}
