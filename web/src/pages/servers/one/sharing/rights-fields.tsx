import { type ServerPermission, withImplied } from '@lodge/shared/server-permissions.ts'
import { Tick } from '../../../../ui/choices/tick.tsx'
import { Tiles } from '../../../../ui/choices/tiles.tsx'
import { Column, Grid } from '../../../../ui/page/layout.tsx'
import { useServer } from '../use-server.ts'
import { areasOf, PRESETS, presetOf, rightsOfPreset, titleOf } from './rights-words.ts'
import styles from './sharing.module.css'
import { t } from './words.ts'

interface RightsFieldsProps {
  value: readonly ServerPermission[]
  onChange: (value: readonly ServerPermission[]) => void
  /** The granting person's own permissions: others can be neither granted nor revoked. */
  held: readonly ServerPermission[]
}

/** Chooses permissions: a preset, then one by one. */
export function RightsFields({ value, onChange, held }: RightsFieldsProps) {
  const toggle = (permission: ServerPermission, on: boolean): void =>
    onChange(on ? withImplied([...value, permission]) : value.filter((one) => one !== permission))
  const areas = areasOf(useServer().kind)
  const shown = areas.flatMap(({ permissions }) => permissions)
  const count = value.filter((one) => shown.includes(one)).length
  return (
    <Column gap={12}>
      <Tiles
        legend={t.preset}
        items={PRESETS}
        keyOf={({ key }) => key}
        chosen={presetOf(value)?.key ?? ''}
        onChoose={(key) => onChange(rightsOfPreset(key, held))}
      >
        {({ name, about }) => (
          <>
            <b>{name()}</b>
            <small>{about()}</small>
          </>
        )}
      </Tiles>
      <details>
        <summary>
          {presetOf(value) ? t.permissionCount({ count }) : t.permissionsChosen({ count })}
        </summary>
        <Grid least={190} gap={14}>
          {areas.map(({ title, permissions }) => (
            <fieldset key={title} className={styles.area}>
              <legend>{title}</legend>
              {permissions.map((permission) => (
                <Tick
                  key={permission}
                  label={titleOf(permission)}
                  checked={value.includes(permission)}
                  disabledBecause={held.includes(permission) ? undefined : t.notHeld}
                  onChange={(on) => toggle(permission, on)}
                />
              ))}
            </fieldset>
          ))}
        </Grid>
      </details>
    </Column>
  )
}
