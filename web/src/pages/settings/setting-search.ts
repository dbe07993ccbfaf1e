import { type SettingsGroup, settingId } from './settings-text.ts'
import { t } from './words.ts'

/** An area, or one setting in it, as a search result. */
export interface SettingHit {
  readonly id: string
  readonly label: string
  /** Its location: `Mail, Sender`. */
  readonly place: string
  readonly path: SettingsGroup['path']
  /** The setting; absent for a whole area. */
  readonly field?: string
}

interface Entry extends SettingHit {
  readonly name: string
  readonly text: string
}

/** Treats `Sign-up`, `sign up` and `signup` as the same word. */
const fold = (text: string): string => text.toLowerCase().replace(/[-’']/g, '')

function entriesOf(group: SettingsGroup): Entry[] {
  const area = group.area()
  return Object.entries(group.fields).map(([name, text]) => {
    const [card, label] = [text.card(), text.label()]
    return {
      id: settingId(group, name),
      field: settingId(group, name),
      label,
      place: card === label ? area : t.placeInArea({ area, card }),
      path: group.path,
      name: fold(label),
      text: fold(
        [label, area, card, text.description?.(), text.words?.()].filter(Boolean).join(' '),
      ),
    }
  })
}

const areaEntry = ({ area, path }: SettingsGroup): Entry => ({
  id: path,
  label: area(),
  place: t.area,
  path,
  name: fold(area()),
  text: fold(area()),
})

/** The areas of these groups, each once, in order. */
export const areasOf = (groups: readonly SettingsGroup[]): SettingsGroup[] =>
  groups.filter((group, index) => groups.findIndex(({ path }) => path === group.path) === index)

/**
 * Areas and settings that contain every typed word; name matches come before description matches.
 * Without words: the areas.
 */
export function searchSettings(groups: readonly SettingsGroup[], typed: string): SettingHit[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  const areas = areasOf(groups).map(areaEntry)
  if (words.length === 0) return areas
  const whole = words.join(' ')
  const joined = words.join('')
  const rank = ({ name }: Entry): number =>
    name.startsWith(whole) ? 0 : words.every((word) => name.includes(word)) ? 1 : 2
  return [...areas, ...groups.flatMap(entriesOf)]
    .filter(
      ({ text, name }) =>
        words.every((word) => text.includes(word)) || name.replaceAll(' ', '').startsWith(joined),
    )
    .sort((one, other) => rank(one) - rank(other))
}
