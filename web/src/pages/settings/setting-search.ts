import { type SettingsGroup, settingId } from './settings-text.ts'

/** An area, or one setting in it, as the search offers it. */
export interface SettingHit {
  readonly id: string
  readonly label: string
  /** Where it stands: `Mail, Sender`. */
  readonly place: string
  readonly path: SettingsGroup['path']
  /** The setting itself; without one the whole area is meant. */
  readonly field?: string
}

interface Entry extends SettingHit {
  readonly name: string
  readonly text: string
}

/** `Sign-up`, `sign up` and `signup` are the same word for whoever searches. */
const fold = (text: string): string => text.toLowerCase().replace(/[-’']/g, '')

function entriesOf(group: SettingsGroup): Entry[] {
  const { area, path } = group
  return Object.entries(group.fields).map(([name, { card, label, description, words }]) => ({
    id: settingId(group, name),
    field: settingId(group, name),
    label,
    place: card === label ? area : `${area}, ${card}`,
    path,
    name: fold(label),
    text: fold([label, area, card, description, words].filter(Boolean).join(' ')),
  }))
}

const areaEntry = ({ area, path }: SettingsGroup): Entry => ({
  id: path,
  label: area,
  place: 'Area',
  path,
  name: fold(area),
  text: fold(area),
})

/** The areas that these groups make up, each once, in their order. */
export const areasOf = (groups: readonly SettingsGroup[]): SettingsGroup[] =>
  groups.filter((group, index) => groups.findIndex(({ path }) => path === group.path) === index)

/**
 * Areas and settings in which every typed word occurs; whatever is called so comes before what only
 * mentions it. Without words: the areas.
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
