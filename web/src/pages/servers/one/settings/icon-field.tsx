import type { Server } from '@lodge/shared/servers.ts'
import { DRAWN_GLYPHS, type DrawnGlyph } from '@lodge/shared/templates/glyphs.ts'
import { useId } from 'react'
import { ServerIcon } from '../../../../ui/icons/template-icon.tsx'
import { Hidden } from '../../../../ui/page/layout.tsx'
import styles from './settings.module.css'
import { t } from './words.ts'

interface IconFieldProps {
  server: Server
  value: DrawnGlyph | null
  disabled: boolean
  onChange: (icon: DrawnGlyph | null) => void
}

const CHOICES: readonly (DrawnGlyph | null)[] = [null, ...DRAWN_GLYPHS]

/** The icon of the template, or one of the drawings; radio buttons underneath. */
export function IconField({ server, value, disabled, onChange }: IconFieldProps) {
  const name = useId()
  const usual = server.kind === 'vm' ? t.iconOfSystem : t.iconOfTemplate
  return (
    <fieldset className={styles.icons} disabled={disabled}>
      <legend>{t.icon}</legend>
      {CHOICES.map((icon) => (
        <label key={icon ?? 'usual'} title={icon ?? usual}>
          <input
            type="radio"
            name={name}
            checked={value === icon}
            onChange={() => onChange(icon)}
          />
          <ServerIcon server={{ ...server, icon }} />
          <Hidden>{icon ?? usual}</Hidden>
        </label>
      ))}
    </fieldset>
  )
}
