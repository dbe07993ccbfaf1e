import { isOffered } from '@lodge/shared/later.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { said } from '../../panel/said.ts'
import { useMissing } from '../../session/session.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { Tick } from '../../ui/choices/tick.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Column, Grid, Text } from '../../ui/page/layout.tsx'
import styles from './team.module.css'
import { t } from './words.ts'
import { wordsOf } from './words-of.ts'

export type Catalogue = NonNullable<Reply<'GET /api/permissions'>['team']>

interface PermissionChoiceProps {
  catalogue: Catalogue
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

const areaOf = (id: string): string => id.split('.')[0] ?? id
const same = (chosen: ReadonlySet<string>, held: readonly string[]): boolean =>
  held.length === chosen.size && held.every((one) => chosen.has(one))

/** The preset with exactly these permissions, if any. */
export const presetOf = (catalogue: Catalogue, chosen: ReadonlySet<string>) =>
  catalogue.presets.find(({ permissions }) => same(chosen, permissions))?.id

/** The permissions by area, with presets and search. Nobody can grant a permission they lack. */
export function PermissionChoice({ catalogue, chosen, onChange }: PermissionChoiceProps) {
  const missing = useMissing()
  const [search, setSearch] = useState('')
  const lacks = (id: string): string | undefined =>
    missing(id as AdminPermission) === undefined ? undefined : t.notHeld
  const offered = catalogue.permissions.filter(({ id }) => isOffered(id))
  const found = offered.filter(({ id, description }) =>
    `${id} ${said(description)}`.toLowerCase().includes(search.trim().toLowerCase()),
  )
  const areas = [...new Set(found.map(({ id }) => areaOf(id)))]
  const put = (id: string, on: boolean): void => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    onChange(next)
  }
  const take = (preset: string): void => {
    const held = catalogue.presets.find(({ id }) => id === preset)?.permissions ?? []
    // Permissions that the granting person lacks stay unchanged: they can be neither granted nor
    // revoked.
    const fixed = catalogue.permissions.map(({ id }) => id).filter((id) => lacks(id) !== undefined)
    onChange(
      new Set([
        ...held.filter((id) => lacks(id) === undefined),
        ...fixed.filter((id) => chosen.has(id)),
      ]),
    )
  }
  return (
    <Column gap={14}>
      <Grid>
        <SelectField
          label={t.preset}
          value={presetOf(catalogue, chosen) ?? 'own'}
          choices={[
            ...catalogue.presets.map(({ id }) => ({ value: id, label: said(wordsOf(id)) })),
            { value: 'own', label: t.ownChoice },
          ]}
          onChange={(preset) => {
            if (preset !== 'own') take(preset)
          }}
        />
        <TextField
          label={t.search}
          type="search"
          autoComplete="off"
          value={search}
          onChange={setSearch}
        />
      </Grid>
      <div className={styles.areas}>
        {areas.map((area) => (
          <fieldset key={area} className={styles.area}>
            <legend>{said(wordsOf(area))}</legend>
            {found
              .filter(({ id }) => areaOf(id) === area)
              .map(({ id, description }) => (
                <Tick
                  key={id}
                  label={said(description)}
                  description={<code>{id}</code>}
                  checked={chosen.has(id)}
                  disabledBecause={lacks(id)}
                  onChange={(on) => put(id, on)}
                />
              ))}
          </fieldset>
        ))}
        {areas.length === 0 ? <Text muted>{t.noMatch({ search })}</Text> : null}
      </div>
      <Text small muted>
        {t.chosenOf({
          chosen: offered.filter(({ id }) => chosen.has(id)).length,
          all: offered.length,
        })}
      </Text>
    </Column>
  )
}
