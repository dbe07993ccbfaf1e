import { useState } from 'react'
import { FindField } from '../../ui/choices/find-field.tsx'
import { type SettingHit, searchSettings } from './setting-search.ts'
import type { SettingsGroup } from './settings-text.ts'
import { t } from './words.ts'

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
      label={t.findSetting}
      typed={typed}
      hits={searchSettings(groups, typed)}
      nothingFound={t.noSettingFound}
      onType={setTyped}
      onChoose={(hit) => {
        setTyped('')
        onFound(hit)
      }}
    />
  )
}
