import { useState } from 'react'
import { FindField } from '../../ui/choices/find-field.tsx'
import { type SettingHit, searchSettings } from './setting-search.ts'
import type { SettingsGroup } from './settings-text.ts'

interface FindSettingProps {
  /** The groups that the person may see. */
  groups: readonly SettingsGroup[]
  onFound: (hit: SettingHit) => void
}

/** Search over all areas and settings. */
export function FindSetting({ groups, onFound }: FindSettingProps) {
  const [typed, setTyped] = useState('')
  return (
    <FindField
      label="Find a setting"
      typed={typed}
      hits={searchSettings(groups, typed)}
      nothingFound="No setting is called that"
      onType={setTyped}
      onChoose={(hit) => {
        setTyped('')
        onFound(hit)
      }}
    />
  )
}
