import type { ComponentProps } from 'react'
import { TextField } from '../../ui/fields/text-field.tsx'
import styles from './appearance.module.css'
import { t } from './words.ts'

/** A colour as `#rrggbb`, typed or picked. */
export function ColourField(props: ComponentProps<typeof TextField>) {
  const { label, value, onChange } = props
  return (
    <div className={styles.colour}>
      <TextField {...props} mono width="name" />
      <input
        type="color"
        aria-label={t.pick({ label: String(label) })}
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#000000'}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}
